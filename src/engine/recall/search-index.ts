import { fail, isEngineError } from '../../core/values/error.ts';
import { entryText } from '../../core/messages/message-text.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import type { SearchedSegment, Segment } from '../../core/search/rank.ts';
import {
  detailKey,
  framesKey,
  parseSearchKey,
  postingKey,
  segmentsRange,
  sessionRange,
  termsRange,
} from '../../store/key.ts';
import {
  bucketOf,
  postingsIn,
  readSegment,
  segmentBatches,
  type Complete,
  type FilterColumns,
  type WrittenSegment,
} from '../../store/search/search-segment.ts';
import { extendedSegment, mergedSegments, mergeSegments } from '../../store/search/search-merge.ts';
import { detailFrom, searchedTail, segmentOf } from './searched-tail.ts';
import { reaches, segmentSize, Tail, type SegmentSize } from '../../store/search/search-tail.ts';
import { termsListed } from '../../store/search/term-rows.ts';
import type { RecordStore } from '../../store/store.ts';
import type { EntryRow } from '../journal/load.ts';
import { nextTurn } from '../live/next-turn.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { numberedRows } from '../journal/whole-rows.ts';

// The index of one session. What is complete lies in the store, the end of the
// log is read into memory when somebody searches. So an append costs nothing,
// and a crash can lose nothing: what is not in the index is read from the log.
// Where a session is let go of, its end is packed, too: into a short segment,
// and the next end into the same one until that is complete.
//
// Where other processes write too, no row of it is ever deleted: they may be
// reading it. All of them make the same segments of the same log.

/** Text that is indexed between two turns of the event loop, in UTF-16 units: some two milliseconds' work. */
const stride = 32_768;

/** Of a complete segment, what is packed at least: less is read from the log in some milliseconds. What goes into a short one has its rows written anew. */
const leastShare = { segment: 1 / 32, extension: 1 / 8 };

/** What a log has less of that is short. */
const shortSize = ({ entries, text }: SegmentSize): SegmentSize => ({
  entries: entries * leastShare.segment,
  text: (text * leastShare.segment) / 2,
});

/** Units of text for each term, fewer than there are in most texts. */
const textOfTerm = 8;

/** Most rows of the index that one batch deletes. */
const mostDeleted = 1_000;

/** The search index of one session. */
export class SearchIndex {
  readonly #store: RecordStore;
  readonly #session: string;
  readonly #created: number;
  readonly #size: SegmentSize;
  #segments: WrittenSegment[] | null = null;
  #tail = new Tail(1);
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #ended = new AbortController();

  constructor(
    store: RecordStore,
    { session, created }: { readonly session: string; readonly created: number },
    size: SegmentSize = segmentSize,
  ) {
    this.#store = store;
    this.#session = session;
    this.#created = created;
    this.#size = size;
  }

  /** Whether nobody has looked for what of it is written. */
  get isUnread(): boolean {
    return this.#segments === null;
  }

  /** Takes in all entries of a log of which nothing is written; undefined for one that cannot be read. */
  begin(rows: readonly (EntryRow | undefined)[]): void {
    this.#segments = [];
    for (const row of rows)
      if (row === undefined) this.#tail.skip();
      else for (const _ of this.#tail.add(row));
  }

  /** All that it holds, where that is in memory, short, and nothing was lost; null elsewhere. */
  get short(): Complete | null {
    const isAll = this.#segments?.length === 0 && this.#tail.lost.length === 0;
    return isAll && !reaches(this.#tail.size, shortSize(this.#size)) ? this.#tail : null;
  }

  /** Writes the segments that are complete by entry `upTo`; stops early, without harm, when `signal` aborts. */
  complete(upTo: number, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      await this.#load();
      await this.#read(upTo, { isWhole: false, signal });
    });
  }

  /** Writes the end of the log by entry `upTo` as well, where it is long enough; stops early, without harm, when `signal` aborts. */
  pack(upTo: number, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#store.isShared === true) return;
      await this.#load();
      if (!(await this.#isWorthPacking(upTo))) return;
      await this.#read(upTo, { isWhole: false, signal });
      if (this.#tail.last === upTo && reaches(this.#tail.size, this.#least)) await this.#pack();
    });
  }

  /** Whether nothing of it is read or written. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /**
   * Looks `terms` up in all entries up to `upTo`, which must be durable. A damaged index is made
   * again first.
   */
  find(
    terms: readonly string[],
    upTo: number,
    signal?: AbortSignal,
  ): Promise<readonly SearchedSegment[]> {
    const work = () => this.#find(terms, upTo, signal);
    return this.#inTurn(() => mended(work, () => this.#forget()));
  }

  /** Runs `work`, which makes several queries; once more, on an index made again, where a row of it is damaged. */
  whole<T>(work: () => Promise<T>): Promise<T> {
    return mended(work, () => this.#inTurn(() => this.#forget()));
  }

  /** Forgets what it holds of entry `n` and of all after it, to be made again from the log; those it is merged with, and what frames say, too. */
  forgetFrom(n: number): Promise<void> {
    return this.#inTurn(async () => {
      let first = 0;
      for await (const { key, error } of rowsPastDamage(
        this.#store,
        'search',
        segmentsRange(this.#session),
      ))
        if (error === undefined && parseSearchKey(key).first <= n)
          first = parseSearchKey(key).first;
      const gone: string[] = [];
      for await (const { key } of rowsPastDamage(
        this.#store,
        'search',
        sessionRange(this.#session),
      ))
        if (key === framesKey(this.#session) || parseSearchKey(key).first >= first) gone.push(key);
      while (gone.length > 0)
        await this.#store.commit(
          gone.splice(0, mostDeleted).map((key) => ({ type: 'del', kind: 'search', key })),
        );
      this.#segments = null;
      this.#tail = new Tail(1);
    });
  }

  /** Writes nothing any more; resolves when nothing is under way. */
  async end(): Promise<void> {
    const session = this.#session;
    this.#ended.abort(fail('SESSION_NOT_FOUND', `"${session}" was deleted`, { session }));
    await this.#last;
  }

  /** Entries that the last look-up could not read, and so did not find. */
  get lost(): readonly PositionSpan[] {
    return this.#tail.lost;
  }

  /** The columns that filters read, of the segment from entry `first` to `last`. */
  detail({ first, last }: Pick<Segment, 'first' | 'last'>): Promise<FilterColumns> {
    return this.#inTurn(async () => {
      if (first === this.#tail.first) return this.#tail.detail;
      const at = this.#segments!.findLast((one) => one.first <= first && one.last >= last)!;
      const detail = (await this.#store.get(
        'search',
        detailKey(this.#session, at),
      )) as FilterColumns;
      return first === at.first ? detail : detailFrom(detail, first - at.first);
    });
  }

  /** Calls `take` with each of its terms that begins with one of some letters and digits, once for each segment that has it; gives the length that was read, in UTF-16 units. */
  eachTerm(heads: string, take: (term: string) => void): Promise<number> {
    return this.#inTurn(async () => {
      for (const term of this.#tail.postings.keys()) if (heads.includes(term[0]!)) take(term);
      let read = 0;
      if (this.#segments?.length === 0) return read;
      for (const head of heads)
        for await (const { value } of rowsPastDamage(
          this.#store,
          'search',
          termsRange(this.#session, head),
        )) {
          read += ((value ?? '') as string).length;
          for (const term of termsListed(value)) take(term);
        }
      return read;
    });
  }

  /** The position of the last human entry before `n`; undefined for none. */
  async humanBefore(n: number): Promise<number | undefined> {
    const tail = this.#tail;
    const before = [...(this.#segments ?? []), tail].filter(({ first }) => first < n).reverse();
    for (const { first, last } of before) {
      const { roles, turns } = await this.detail({ first, last });
      const offset = roles.lastIndexOf('p', n - first - 1);
      if (offset >= 0) return first + offset;
      if (turns === 0) return undefined;
    }
    return undefined;
  }

  async #find(
    terms: readonly string[],
    upTo: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly SearchedSegment[]> {
    await this.#load();
    await this.#read(upTo, { isWhole: true, signal });
    const found = await this.#lookUp(terms);
    if (this.#tail.last < this.#tail.first) return found;
    return [...found, searchedTail(this.#tail, terms)];
  }

  /** The segments that are written, and what they hold of `terms`. */
  async #lookUp(terms: readonly string[]): Promise<readonly SearchedSegment[]> {
    const segments = [...this.#segments!];
    const keys = segments.flatMap((segment) =>
      terms.map((term) => {
        const { first, isMerged } = segment;
        return postingKey(this.#session, { first, isMerged, bucket: bucketOf(term, segment) });
      }),
    );
    const rows = await this.#store.getMany('search', keys);
    return segments.map((segment, index) => ({
      segment,
      postings: terms.map((term, at) => postingsIn(rows[index * terms.length + at], term)),
    }));
  }

  /** Reads which segments there are; those that do not follow one another, or are not ours, are forgotten. */
  async #load(): Promise<void> {
    if (this.#segments !== null) return;
    const segments: WrittenSegment[] = [];
    for await (const [key, row] of this.#store.range('search', segmentsRange(this.#session))) {
      const segment = readSegment(parseSearchKey(key), row, this.#created);
      if (segment?.first !== (segments.at(-1)?.last ?? 0) + 1) return this.#forget();
      segments.push(segment);
    }
    this.#segments = segments;
    this.#tail = new Tail((segments.at(-1)?.last ?? 0) + 1, segments.at(-1)?.carry);
  }

  /** Indexes entries of the log up to `upTo`; where that is not to be whole, an abort only stops it. */
  async #read(
    upTo: number,
    { isWhole, signal }: { readonly isWhole: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    if (this.#tail.first > upTo + 1) await this.#forget();
    let since = 0;
    const after = this.#tail.last;
    if (after >= upTo) return;
    const range = { kind: 'entry', after, before: upTo + 1, last: upTo } as const;
    const onLost = (): void => undefined;
    for await (const [n, row] of numberedRows(this.#store, this.#session, { ...range, onLost })) {
      this.#skipTo(n);
      for (const length of this.#tail.add(row as EntryRow)) {
        since += length + 64;
        if (since < stride) continue;
        since = 0;
        await nextTurn();
      }
      if (reaches(this.#tail.size, this.#size)) await this.#write(this.#tail);
      if (signal?.aborted === true) return this.#stop(isWhole, signal);
    }
    this.#skipTo(upTo + 1);
  }

  /** Leaves out the entries before `n` that could not be read. */
  #skipTo(n: number): void {
    while (this.#tail.last + 1 < n) this.#tail.skip();
  }

  #stop(isWhole: boolean, signal: AbortSignal): void {
    if (isWhole) throw signal.reason;
  }

  /** What of the end of the log is packed at least. */
  get #least(): SegmentSize {
    const { entries, text } = this.#size;
    const share = this.#short === undefined ? leastShare.segment : leastShare.extension;
    return { entries: entries * share, text: (text * share) / 4 };
  }

  /** The last segment, where it was written before it was complete. */
  get #short(): WrittenSegment | undefined {
    const last = this.#segments!.at(-1);
    return last !== undefined && isShort(last, this.#size) ? last : undefined;
  }

  /** Whether the end of the log by entry `upTo` is long enough to be packed; what is not in memory is only read as far as that takes. */
  async #isWorthPacking(upTo: number): Promise<boolean> {
    let { entries, text } = this.#tail.size;
    if (reaches({ entries: entries + upTo - this.#tail.last, text }, this.#least)) return true;
    const range = { kind: 'entry', after: this.#tail.last, before: upTo + 1, last: upTo } as const;
    const onLost = (): void => undefined;
    for await (const [, row] of numberedRows(this.#store, this.#session, { ...range, onLost })) {
      text += entryText((row as EntryRow).message).text.length;
      if (text >= this.#least.text) return true;
    }
    return false;
  }

  /** Writes the tail, into the last segment where that is short. */
  async #pack(): Promise<void> {
    const segment = this.#short;
    if (segment === undefined) return this.#write(this.#tail);
    const of = { segment, tail: this.#tail };
    await this.#write(await extendedSegment(this.#store, this.#session, of), segment);
  }

  /** Writes the end of the log as a segment, in place of a short one that it begins with. */
  async #write(end: Complete, before?: WrittenSegment): Promise<void> {
    const of = { session: this.#session, born: this.#created };
    const batches = segmentBatches(this.#session, this.#created, end);
    // One that stands is not to be half of what it was and half of what it will be.
    for (const batch of before === undefined ? batches : [[...batches].flat()]) {
      if (batch.length > 0) await this.#store.commit(batch, { of });
      await nextTurn();
    }
    const { last, carry } = end;
    if (before !== undefined) this.#segments!.pop();
    this.#segments!.push({ ...segmentOf(end), isMerged: false, carry });
    this.#tail = new Tail(last + 1, carry);
    await this.#merge();
  }

  /** Makes one segment of the small ones, where there are enough. */
  async #merge(): Promise<void> {
    if (this.#store.isShared === true) return;
    const small = this.#segments!.filter(({ isMerged }) => !isMerged);
    if (small.length < mergedSegments) return;
    const options = { session: this.#session, created: this.#created, pause: () => nextTurn() };
    const whole = await mergeSegments(this.#store, small, options);
    this.#segments!.splice(-small.length, small.length, whole);
  }

  /** Deletes every row of the index, where nobody else reads it, and begins again. */
  async #forget(): Promise<void> {
    while (this.#store.isShared !== true) {
      const keys = await this.#someKeys();
      if (keys.length === 0) break;
      await this.#store.commit(keys.map((key) => ({ type: 'del', kind: 'search', key })));
    }
    this.#segments = [];
    this.#tail = new Tail(1);
  }

  /** Keys of the index, as many as one batch deletes; a row that cannot be read has one, too. */
  async #someKeys(): Promise<readonly string[]> {
    const keys: string[] = [];
    const range = sessionRange(this.#session, { limit: mostDeleted });
    try {
      for await (const [key] of this.#store.range('search', range)) keys.push(key);
    } catch (error) {
      if (!isEngineError(error, 'RECORD_DAMAGED')) throw error;
      keys.push(error.detail.key!);
    }
    return keys;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const done = this.#last.then(() => {
      this.#ended.signal.throwIfAborted();
      return work();
    });
    this.#last = done.catch(() => undefined).finally(() => (this.#waiting -= 1));
    return done;
  }
}

/** Runs `work`; once more, after `mend`, where a row of the index is damaged. */
async function mended<T>(work: () => Promise<T>, mend: () => Promise<void>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isEngineError(error, 'RECORD_DAMAGED') || error.detail.kind !== 'search') throw error;
    await mend();
    return work();
  }
}

/** Whether a segment was written before it was complete. */
const isShort = ({ isMerged, first, last, terms }: WrittenSegment, size: SegmentSize): boolean =>
  !isMerged && !reaches({ entries: last - first + 1, text: terms * textOfTerm }, size);
