import type { Postings, SearchedSegment, Segment, TermCount } from '../../core/search/rank.ts';
import { sessionsRange } from '../../store/key.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { toAscii, toLine } from '../../store/session-line.ts';
import { unpackNumbers } from '../../store/search/packed-numbers.ts';
import {
  packExtent,
  postingsAt,
  printTerms,
  startsOf,
  termsAmong,
  type Complete,
  type FilterColumns,
} from '../../store/search/search-segment.ts';
import type { RecordStore } from '../../store/store.ts';
import type { MatchedLog } from './recall-filter.ts';

// Nothing of the index of a short session is written, and to read thousands of them takes seconds. So what a search
// made of them is kept in one text: columns on the first line; then the terms of each session as a row of its own
// index would have them, so that one look through all of them finds a term; then what else a segment has.
//
//   {"ids":["a","b"],"stamps":[…],"pieces":[2,1],"terms":[31,12],"ends":[210,302],"rests":[95,180]}
//   |cookie=1:AB|refresh=2:ABBC||token=1:AB|AB KJ {"turns":0,"roles":"pa", … }AB M { … }
//
// It counts for a session as long as that rests where it did, as its stamp says; others are read.

/** Columns of the sessions that are kept. */
interface Columns {
  readonly ids: readonly string[];
  readonly stamps: readonly number[];
  /** How many pieces each has, and terms in all of them. */
  readonly pieces: readonly number[];
  readonly terms: readonly number[];
  /** Where the terms of each end, and what else it has. */
  readonly ends: readonly number[];
  readonly rests: readonly number[];
}

/** A session that holds a term, and its place among those that were asked for. */
interface KeptMatch {
  readonly place: number;
  readonly log: MatchedLog;
  readonly searched: readonly SearchedSegment[];
}

/** Sessions that are read before what was made of them is worth a file. */
const leastRead = 64;

/** Longest text that is kept, in characters. */
const longestText = 2 ** 27;

/** What searches made of the short sessions of a store, and what this one makes. */
export class KeptLogs {
  readonly #store: RecordStore;
  readonly #stamps: ReadonlyMap<string, number>;
  readonly #columns: Columns;
  readonly #body: string;
  /** The places of those that are as they were. */
  readonly #places = new Map<string, number>();
  readonly #read = new Map<string, Complete>();

  constructor(store: RecordStore, stamps: ReadonlyMap<string, number>, text: string | null) {
    this.#store = store;
    this.#stamps = stamps;
    const first = text?.indexOf('\n') ?? -1;
    this.#columns = first < 0 ? none : (JSON.parse(text!.slice(0, first)) as Columns);
    this.#body = text?.slice(first + 1) ?? '';
    for (const [at, id] of this.#columns.ids.entries())
      if (stamps.get(id) === this.#columns.stamps[at]) this.#places.set(id, at);
  }

  /** Whether a session need not be read. */
  has(session: string): boolean {
    return this.#places.has(session);
  }

  /** What sessions hold of some terms, each of which it has, and those that hold any. */
  find(
    sessions: ReadonlyMap<string, number>,
    terms: readonly string[],
  ): { readonly tally: TermCount; readonly matches: readonly KeptMatch[] } {
    const { pieces, terms: lengths } = this.#columns;
    const extent = { pieces: 0, terms: 0 };
    const places = new Map<number, number>();
    for (const [session, place] of sessions) {
      const at = this.#places.get(session)!;
      places.set(at, place);
      extent.pieces += pieces[at]!;
      extent.terms += lengths[at]!;
    }
    const found = new Map<number, (Postings | undefined)[]>();
    const holding = terms.map((term, index) => {
      let sum = 0;
      for (const [at, start] of this.#holding(toAscii(term))) {
        if (!places.has(at)) continue;
        const held = found.get(at) ?? terms.map(() => undefined);
        found.set(at, held);
        held[index] = postingsAt(this.#body, start);
        sum += held[index].pieces;
      }
      return sum;
    });
    const matches = [...found].map(([at, postings]) => {
      const log = new KeptLog(this.#store, this.#columns.ids[at]!, this.#restOf(at));
      const segment = log.segment(this.#columns.terms[at]!);
      return { place: places.get(at)!, log, searched: [{ segment, postings }] };
    });
    return { tally: { extent, holding }, matches };
  }

  /** Calls `take` with each term of some sessions, each of which it has, that begins with one of some ASCII characters, once for each session. */
  eachTerm(sessions: Iterable<string>, begin: string, take: (term: string) => void): void {
    for (const session of sessions)
      for (const term of termsAmong(this.#row(this.#places.get(session)!), begin)) take(term);
  }

  /** Takes in what was made of a session that rests. */
  add(session: string, short: Complete | null): void {
    const isMissing = this.#stamps.has(session) && !this.#places.has(session);
    if (short !== null && isMissing) this.#read.set(session, short);
  }

  /** Keeps what was made, where that is worth it or something is kept of a session that is gone. */
  async save(): Promise<void> {
    const isGone = (id: string): boolean => !this.#stamps.has(id);
    if (this.#read.size < leastRead && !this.#columns.ids.some(isGone)) return;
    if (this.#store.searched === undefined) return;
    await this.#store.searched.write(this.#text()).catch(() => undefined);
  }

  /** Which sessions hold a term, and where its postings begin. */
  *#holding(term: string): Generator<readonly [at: number, start: number]> {
    const { ends } = this.#columns;
    const head = `|${term}=`;
    const end = ends.at(-1) ?? 0;
    let at = 0;
    for (let from = 0; ; from = ends[at]!) {
      const found = this.#body.indexOf(head, from);
      if (found < 0 || found >= end) return;
      while (ends[at]! <= found) at += 1;
      yield [at, found + head.length];
    }
  }

  #row(at: number): string {
    const { ends } = this.#columns;
    return this.#body.slice(at === 0 ? 0 : ends[at - 1], ends[at]);
  }

  #restOf(at: number): string {
    const { ends, rests } = this.#columns;
    const begin = ends.at(-1)!;
    return this.#body.slice(begin + (at === 0 ? 0 : rests[at - 1]!), begin + rests[at]!);
  }

  /** What is kept from now on: what still counts, and what was read. */
  #text(): string {
    const ids: string[] = [];
    const [pieces, terms, ends, rests]: [number[], number[], number[], number[]] = [[], [], [], []];
    const [rows, others]: [string[], string[]] = [[], []];
    const put = (id: string, size: readonly [number, number], [row, rest]: [string, string]) => {
      const [end, behind] = [(ends.at(-1) ?? 0) + row.length, (rests.at(-1) ?? 0) + rest.length];
      if (end + behind > longestText) return;
      ids.push(id);
      pieces.push(size[0]);
      terms.push(size[1]);
      ends.push(end);
      rests.push(behind);
      rows.push(row);
      others.push(rest);
    };
    for (const [id, at] of this.#places) {
      const size = [this.#columns.pieces[at]!, this.#columns.terms[at]!] as const;
      put(id, size, [this.#row(at), this.#restOf(at)]);
    }
    for (const [id, log] of this.#read)
      put(id, [log.lengths.length, log.terms], [printTerms(log.postings, toAscii), restOf(log)]);
    const stamps = ids.map((id) => this.#stamps.get(id)!);
    const columns: Columns = { ids, stamps, pieces, terms, ends, rests };
    return `${JSON.stringify(columns)}\n${rows.join('')}${others.join('')}`;
  }
}

/** The log of a session that need not be read. */
class KeptLog implements MatchedLog {
  readonly store: RecordStore;
  readonly session: string;
  readonly #starts: Uint32Array;
  /** What its segment has beside terms, as {@link restOf} has it. */
  readonly #rest: string;

  constructor(store: RecordStore, session: string, rest: string) {
    this.store = store;
    this.session = session;
    this.#rest = rest;
    this.#starts = startsOf(unpackNumbers(rest.slice(0, rest.indexOf(' '))));
  }

  get index(): MatchedLog['index'] {
    return this;
  }

  get upTo(): number {
    return this.#starts.length - 1;
  }

  /** All of it, of so many terms. */
  segment(terms: number): Segment {
    const [, lengths] = this.#rest.split(' ', 2) as [string, string];
    return {
      first: 1,
      last: this.upTo,
      starts: this.#starts,
      lengths: unpackNumbers(lengths),
      terms,
    };
  }

  async detail(): Promise<FilterColumns> {
    return JSON.parse(this.#rest.slice(this.#rest.indexOf('{'))) as FilterColumns;
  }

  async humanBefore(n: number): Promise<number | undefined> {
    const before = n < 2 ? -1 : (await this.detail()).roles.lastIndexOf('p', n - 2);
    return before < 0 ? undefined : before + 1;
  }
}

const none: Columns = { ids: [], stamps: [], pieces: [], terms: [], ends: [], rests: [] };

function restOf(log: Complete): string {
  const { pieces, lengths } = packExtent(log);
  return `${pieces} ${lengths} ${toAscii(JSON.stringify(log.detail))}`;
}

/** What searches made of the sessions of a store that is read only; null for any other. */
export async function readKeptLogs(store: RecordStore): Promise<KeptLogs | null> {
  if (store.searched === undefined) return null;
  const text = await store.searched.read();
  return new KeptLogs(store, await stampsOf(store), text);
}

/** The stamps of the sessions that rest. */
async function stampsOf(store: RecordStore): Promise<ReadonlyMap<string, number>> {
  const stamps = new Map<string, number>();
  const known = store.outlines?.() ?? null;
  known?.ids.forEach((id, at) => {
    if (known.said[at] !== null) stamps.set(id, known.stamps[at]!);
  });
  if (known !== null) return stamps;
  const heads = store.heads?.();
  for await (const { key, value } of rowsPastDamage(store, 'session', sessionsRange())) {
    if (value === undefined) continue;
    const { said, stamp } = toLine(value, heads?.get(key));
    if (said !== null) stamps.set(key, stamp);
  }
  return stamps;
}
