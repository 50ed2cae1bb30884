import {
  lengthNorm,
  neighborShare,
  saturatedFrequency,
  inverseFrequency,
  significantTerms,
  type CorpusSize,
} from './bm25.ts';
import { partitionPoint } from '../values/partition-point.ts';

/** A part of the log, cut into pieces. */
export interface Segment {
  /** Positions of its first and last entry. */
  readonly first: number;
  readonly last: number;
  /** The first piece of each entry, and at the end the number of pieces. */
  readonly starts: Uint32Array;
  /** Terms of each piece. */
  readonly lengths: Uint32Array;
  /** Terms of all pieces. */
  readonly terms: number;
}

/** The pieces of a segment that hold a term. */
export interface Postings {
  /** Their number. */
  readonly pieces: number;
  /** Which they are, and how often each says the term: piece, times, piece, times … */
  read(): Uint32Array;
}

/** A segment with the postings of each term of a query. */
export interface SearchedSegment {
  readonly segment: Segment;
  readonly postings: readonly (Postings | undefined)[];
}

/** An entry with its score for a query. */
export interface RankedEntry {
  /** Position of the entry. */
  readonly n: number;
  readonly score: number;
  /** Its best piece, from 0. */
  readonly piece: number;
}

/** The size of what was searched, and for each term of a query the pieces that hold it. */
export interface TermCount {
  readonly extent: CorpusSize;
  readonly holding: readonly number[];
}

/** The weight of a term; `index` is its position in the query. */
interface TermWeight {
  readonly index: number;
  readonly weight: number;
}

/** The counts of a query of `count` terms over some segments. */
export function countTerms(searched: readonly SearchedSegment[], count: number): TermCount {
  let pieces = 0;
  let terms = 0;
  for (const { segment } of searched) {
    pieces += segment.lengths.length;
    terms += segment.terms;
  }
  const holding = Array.from({ length: count }, (_, index) =>
    searched.reduce((sum, { postings }) => sum + (postings[index]?.pieces ?? 0), 0),
  );
  return { extent: { pieces, terms }, holding };
}

/** The sum of two counts, for logs that are searched as one. */
export function addTermCounts(one: TermCount, other: TermCount): TermCount {
  return {
    extent: {
      pieces: one.extent.pieces + other.extent.pieces,
      terms: one.extent.terms + other.extent.terms,
    },
    holding: one.holding.map((pieces, index) => pieces + other.holding[index]!),
  };
}

/** The weights of the terms worth scoring, the rarest first. */
export function weightsOf({ extent, holding }: TermCount): readonly TermWeight[] {
  const terms = holding.map((pieces, index) => ({ index, holding: pieces }));
  return significantTerms(terms, extent).map(({ index, holding }) => ({
    index,
    weight: inverseFrequency(holding, extent),
  }));
}

/** Whether the entry at a position may be found. */
export type EntryFilter = (n: number) => boolean;

/**
 * The entries of one log that answer a query best, at most `limit`, the best first, on a tie the
 * newer one. Each has the score of its best piece and a share of its better neighbor's. `searched`
 * are all segments of the log, oldest first.
 */
export function bestEntries(
  searched: readonly SearchedSegment[],
  by: {
    readonly weights: readonly TermWeight[];
    readonly extent: CorpusSize;
    readonly limit: number;
    readonly isMeant?: EntryFilter;
  },
): readonly RankedEntry[] {
  const { limit, isMeant = () => true } = by;
  const size = searched.at(-1)?.segment.last ?? 0;
  const scores = new Float64Array(size + 2);
  const pieces = new Uint32Array(size + 2);
  const longest = searched.reduce((most, { segment }) => Math.max(most, segment.lengths.length), 0);
  const into = { scores, pieces, scored: new Float64Array(longest) };
  let top = 0;
  for (const one of searched) top = Math.max(top, scoreEntries(one, by, into));
  const kept: RankedEntry[] = [];
  let least = 0;
  for (let n = 1; n <= size; n += 1) {
    const own = scores[n]!;
    if (own === 0 || own + neighborShare * top < least) continue;
    const score = own + neighborShare * Math.max(scores[n - 1]!, scores[n + 1]!);
    if (score < least || !isMeant(n)) continue;
    insert(kept, { n, score, piece: pieces[n]! }, limit);
    least = kept[limit - 1]?.score ?? 0;
  }
  return kept;
}

/** The arrays that scores are written to: of each entry, its best piece, and of the pieces of one segment. */
interface Scores {
  readonly scores: Float64Array;
  readonly pieces: Uint32Array;
  readonly scored: Float64Array;
}

/** Scores each entry of a segment by its best piece, and returns the highest score. */
function scoreEntries(
  { segment, postings }: SearchedSegment,
  { weights, extent }: { readonly weights: readonly TermWeight[]; readonly extent: CorpusSize },
  into: Scores,
): number {
  const { lengths } = segment;
  const { scored } = into;
  const norm = lengthNorm(extent);
  const read: Uint32Array[] = [];
  let most = 0;
  for (const { index, weight } of weights) {
    const pairs = postings[index]?.read();
    if (pairs === undefined) continue;
    read.push(pairs);
    most += pairs.length / 2;
    for (let at = 0; at < pairs.length; at += 2) {
      const piece = pairs[at]!;
      scored[piece]! += weight * saturatedFrequency(pairs[at + 1]!, lengths[piece]! * norm);
    }
  }
  return most * 8 < lengths.length ? scoreRead(segment, read, into) : scoreAll(segment, into);
}

/** Moves the scores of all pieces of a segment to their entries, and returns the highest. */
function scoreAll({ first, starts, lengths }: Segment, into: Scores): number {
  const { scores, pieces, scored } = into;
  let top = 0;
  for (let entry = 0; entry < starts.length - 1; entry += 1) {
    const start = starts[entry]!;
    const end = starts[entry + 1]!;
    let best = start;
    for (let piece = start + 1; piece < end; piece += 1)
      if (scored[piece]! > scored[best]!) best = piece;
    scores[first + entry] = scored[best]!;
    pieces[first + entry] = best - start;
    if (scored[best]! > top) top = scored[best]!;
  }
  scored.fill(0, 0, lengths.length);
  return top;
}

/** Moves the scores of the pieces that were `read` to their entries, and returns the highest. */
function scoreRead(
  { first, starts }: Segment,
  read: readonly Uint32Array[],
  { scores, pieces, scored }: Scores,
): number {
  let top = 0;
  for (const pairs of read) {
    for (let at = 0; at < pairs.length; at += 2) {
      const piece = pairs[at]!;
      const score = scored[piece]!;
      if (score === 0) continue;
      scored[piece] = 0;
      const entry = entryOf(piece, starts);
      const n = first + entry;
      const index = piece - starts[entry]!;
      if (score < scores[n]! || (score === scores[n] && index > pieces[n]!)) continue;
      scores[n] = score;
      pieces[n] = index;
      if (score > top) top = score;
    }
  }
  return top;
}

/** The index of the entry that a piece belongs to. */
function entryOf(piece: number, starts: Uint32Array): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= piece) low = middle;
    else high = middle;
  }
  return low;
}

/** The best of some matches, at most `limit`, the best first. */
export function topMatches<M extends RankedEntry>(
  matches: readonly M[],
  limit: number,
): readonly M[] {
  const kept: M[] = [];
  for (const match of matches) insert(kept, match, limit);
  return kept;
}

/** Inserts a match into the sorted best, if it is one of them. */
function insert<M extends RankedEntry>(kept: M[], match: M, limit: number): void {
  const place = partitionPoint(kept.length, (index) => isBefore(kept[index]!, match));
  if (place >= limit) return;
  kept.splice(place, 0, match);
  if (kept.length > limit) kept.pop();
}

const isBefore = (one: RankedEntry, other: RankedEntry): boolean =>
  one.score > other.score || (one.score === other.score && one.n > other.n);
