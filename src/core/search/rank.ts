import {
  lengthNorm,
  neighborShare,
  saturatedFrequency,
  inverseFrequency,
  significantTerms,
  type CorpusSize,
} from './bm25.ts';

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
  /** How many there are. */
  readonly pieces: number;
  /** Which they are, and how often each says the term: piece, times, piece, times … */
  read(): Uint32Array;
}

/** A segment, and for each term of a query the pieces that hold it. */
export interface SearchedSegment {
  readonly segment: Segment;
  readonly postings: readonly (Postings | undefined)[];
}

/** How well an entry answers a query. */
export interface RankedEntry {
  /** Position of the entry. */
  readonly n: number;
  readonly score: number;
  /** Its best piece, from 0. */
  readonly piece: number;
}

/** How much was searched, and how many pieces hold each term of a query. */
export interface TermCount {
  readonly extent: CorpusSize;
  readonly holding: readonly number[];
}

/** What a term of a query is worth; `index` is its place in the query. */
export interface TermWeight {
  readonly index: number;
  readonly weight: number;
}

/** Counts what was found of a query of `count` terms. */
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

/** The counts of several logs that are searched as one. */
export function addTermCounts(one: TermCount, other: TermCount): TermCount {
  return {
    extent: {
      pieces: one.extent.pieces + other.extent.pieces,
      terms: one.extent.terms + other.extent.terms,
    },
    holding: one.holding.map((held, index) => held + other.holding[index]!),
  };
}

/** What the terms worth scoring are worth, the rarest first. */
export function weightsOf({ extent, holding }: TermCount): readonly TermWeight[] {
  const held = holding.map((pieces, index) => ({ index, holding: pieces }));
  return significantTerms(held, extent).map(({ index, holding }) => ({
    index,
    weight: inverseFrequency(holding, extent),
  }));
}

/** Whether an entry counts, by its position. */
export type EntryFilter = (n: number) => boolean;

/**
 * The entries of one log that answer a query best, at most `limit`, the best first; of two alike the
 * newer one. Each has the score of its best piece and a share of its better neighbor's. `searched`
 * is the whole of the log, oldest first.
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
    keep(kept, { n, score, piece: pieces[n]! }, limit);
    least = kept[limit - 1]?.score ?? 0;
  }
  return kept;
}

/** Where scores are written: of each entry, and of the pieces of one segment. */
interface Scores {
  readonly scores: Float64Array;
  readonly pieces: Uint32Array;
  readonly scored: Float64Array;
}

/** Scores each entry of a segment by its best piece; gives the highest score. */
function scoreEntries(
  { segment, postings }: SearchedSegment,
  { weights, extent }: { readonly weights: readonly TermWeight[]; readonly extent: CorpusSize },
  into: Scores,
): number {
  const { lengths } = segment;
  const { scored } = into;
  const ofTerm = lengthNorm(extent);
  const read: Uint32Array[] = [];
  let most = 0;
  for (const { index, weight } of weights) {
    const held = postings[index]?.read();
    if (held === undefined) continue;
    read.push(held);
    most += held.length / 2;
    for (let at = 0; at < held.length; at += 2) {
      const piece = held[at]!;
      scored[piece]! += weight * saturatedFrequency(held[at + 1]!, lengths[piece]! * ofTerm);
    }
  }
  return most * 8 < lengths.length ? takeSome(segment, read, into) : takeAll(segment, into);
}

/** Takes the scores of all pieces of a segment over, and leaves none. */
function takeAll({ first, starts, lengths }: Segment, into: Scores): number {
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

/** Takes the scores of the pieces over that were `read`, and leaves none. */
function takeSome(
  { first, starts }: Segment,
  read: readonly Uint32Array[],
  { scores, pieces, scored }: Scores,
): number {
  let top = 0;
  for (const held of read) {
    for (let at = 0; at < held.length; at += 2) {
      const piece = held[at]!;
      const score = scored[piece]!;
      if (score === 0) continue;
      scored[piece] = 0;
      const entry = entryOf(piece, starts);
      const n = first + entry;
      const place = piece - starts[entry]!;
      if (score < scores[n]! || (score === scores[n] && place > pieces[n]!)) continue;
      scores[n] = score;
      pieces[n] = place;
      if (score > top) top = score;
    }
  }
  return top;
}

/** The entry that a piece is of; one without a piece of its own is of none. */
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
  for (const match of matches) keep(kept, match, limit);
  return kept;
}

/** Puts a match in its place among the best, where it is one. */
function keep<M extends RankedEntry>(kept: M[], match: M, limit: number): void {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(kept[middle]!, match)) low = middle + 1;
    else high = middle;
  }
  if (low >= limit) return;
  kept.splice(low, 0, match);
  if (kept.length > limit) kept.pop();
}

const isBefore = (one: RankedEntry, other: RankedEntry): boolean =>
  one.score > other.score || (one.score === other.score && one.n > other.n);
