import { setImmediate as nextTurn } from 'node:timers/promises';
import { isEngineError } from '../core/error.ts';
import type { Postings, Searched, Segment } from '../core/relevance.ts';
import {
  detailKey,
  parseEntryKey,
  postingsRange,
  segmentsRange,
  sessionRange,
  seqRange,
} from '../store/key.ts';
import {
  bucketOf,
  postingsIn,
  readSegment,
  segmentChanges,
  type Carry,
  type Detail,
} from '../store/search-segment.ts';
import { segmentSize, Tail, type SegmentSize } from '../store/search-tail.ts';
import type { Store } from '../store/store.ts';
import type { EntryRow } from './load.ts';

// The index of one session. What is complete lies in the store, the end of the
// log is read into memory when somebody searches. So an append costs nothing,
// and a crash can lose nothing: what is not in the index is read from the log.

/** Text that is read between two turns of the event loop, in UTF-16 units: some two milliseconds' worth. */
const stride = 32_768;

/** Rows of the index that one batch deletes. */
const mostDeleted = 1_000;

/** The search index of one session. */
export class SearchIndex {
  readonly #store: Store;
  readonly #session: string;
  readonly #created: number;
  readonly #size: SegmentSize;
  #segments: Segment[] | null = null;
  #tail = new Tail(1);
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    store: Store,
    { session, created }: { readonly session: string; readonly created: number },
    size: SegmentSize = segmentSize,
  ) {
    this.#store = store;
    this.#session = session;
    this.#created = created;
    this.#size = size;
  }

  /** Writes the segments that are complete by entry `upTo`; stops early, without harm, when `signal` aborts. */
  complete(upTo: number, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      await this.#load();
      await this.#read(upTo, { isWhole: false, signal });
    });
  }

  /**
   * Looks `terms` up in all entries up to `upTo`, which must be durable. A damaged index is made
   * again first.
   */
  find(terms: readonly string[], upTo: number, signal?: AbortSignal): Promise<readonly Searched[]> {
    return this.#inTurn(() => this.#mended(() => this.#find(terms, upTo, signal)));
  }

  /** What filters look at, of the segment that begins with entry `first`. */
  detail(first: number): Promise<Detail> {
    return this.#inTurn(async () =>
      first === this.#tail.first
        ? this.#tail.detail
        : ((await this.#store.get('search', detailKey(this.#session, first))) as Detail),
    );
  }

  async #find(
    terms: readonly string[],
    upTo: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly Searched[]> {
    await this.#load();
    await this.#read(upTo, { isWhole: true, signal });
    const rows = await Promise.all(terms.map((term) => this.#lookUp(term)));
    const found = this.#segments!.map((segment) => ({
      segment,
      postings: rows.map((held) => held.get(segment.first)),
    }));
    const { starts, lengths, first, last, terms: size, postings } = this.#tail;
    const tail = { first, last, starts: starts.slice(), lengths: lengths.slice(), terms: size };
    const held = terms.map((term) => toPostings(postings.get(term)));
    return last < first ? found : [...found, { segment: tail, postings: held }];
  }

  /** The postings of a term, by the first entry of their segment. */
  async #lookUp(term: string): Promise<ReadonlyMap<number, Postings>> {
    const held = new Map<number, Postings>();
    const range = postingsRange(this.#session, bucketOf(term));
    for await (const [key, row] of this.#store.range('search', range)) {
      const postings = postingsIn(row, term);
      if (postings !== undefined) held.set(Number(key.slice(key.lastIndexOf('/') + 1)), postings);
    }
    return held;
  }

  /** Reads which segments there are; those that do not follow one another, or are not ours, are forgotten. */
  async #load(): Promise<void> {
    if (this.#segments !== null) return;
    const segments: Segment[] = [];
    let carry: Carry | undefined;
    for await (const [key, row] of this.#store.range('search', segmentsRange(this.#session))) {
      const first = Number(key.slice(key.lastIndexOf('/') + 1));
      const segment = readSegment(first, row, this.#created);
      if (segment === null || first !== (segments.at(-1)?.last ?? 0) + 1) return this.#forget();
      ({ carry } = segment);
      segments.push(segment);
    }
    this.#segments = segments;
    this.#tail = new Tail((segments.at(-1)?.last ?? 0) + 1, carry);
  }

  /** Takes entries in from the log; where not all is wanted, only as many as complete a segment. */
  async #read(
    upTo: number,
    { isWhole, signal }: { readonly isWhole: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    if (this.#tail.first > upTo + 1) await this.#forget();
    let since = 0;
    const after = this.#tail.last;
    if (after >= upTo) return;
    const range = seqRange(this.#session, { after, before: upTo + 1 });
    for await (const [key, row] of this.#store.range('entry', range)) {
      if (parseEntryKey(key).n !== this.#tail.last + 1) return;
      for (const length of this.#tail.add(row as EntryRow)) {
        since += length + 64;
        if (since < stride) continue;
        since = 0;
        await nextTurn();
      }
      if (this.#tail.isFull(this.#size)) await this.#write();
      if (signal?.aborted === true) return this.#stop(isWhole, signal);
    }
  }

  #stop(isWhole: boolean, signal: AbortSignal): void {
    if (isWhole) throw signal.reason;
  }

  async #write(): Promise<void> {
    const tail = this.#tail;
    await this.#store.commit(segmentChanges(this.#session, this.#created, tail));
    const { first, last, terms } = tail;
    const starts = Uint32Array.from(tail.starts);
    const lengths = Uint32Array.from(tail.lengths);
    this.#segments!.push({ first, last, starts, lengths, terms });
    this.#tail = new Tail(last + 1, tail.carry);
  }

  /** Runs `work`; once more on an empty index where a row of it is damaged. */
  async #mended<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isEngineError(error, 'RECORD_DAMAGED') || error.detail['kind'] !== 'search') throw error;
      await this.#forget();
      return work();
    }
  }

  /** Deletes every row of the index and begins again. */
  async #forget(): Promise<void> {
    for (;;) {
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
      keys.push(String(error.detail['key']));
    }
    return keys;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Postings as they are now; the tail goes on growing. */
function toPostings(held: readonly number[] | undefined): Postings | undefined {
  if (held === undefined) return undefined;
  const copy = held.slice();
  return { pieces: copy.length / 2, read: () => copy };
}
