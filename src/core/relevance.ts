import { neighborShare, presence, rarity, tellingTerms, type Extent } from './bm25.ts';

/** A part of the log, cut into pieces. */
export interface Segment {
  /** Positions of its first and last entry. */
  readonly first: number;
  readonly last: number;
  /** The first piece of each entry, and at the end the number of pieces. */
  readonly starts: ArrayLike<number>;
  /** Terms of each piece. */
  readonly lengths: ArrayLike<number>;
  /** Terms of all pieces. */
  readonly terms: number;
}

/** The pieces of a segment that hold a term. */
export interface Postings {
  /** How many there are. */
  readonly pieces: number;
  /** Which they are, and how often each says the term: piece, times, piece, times … */
  read(): readonly number[];
}

/** A segment, and for each term of a query the pieces that hold it. */
export interface Searched {
  readonly segment: Segment;
  readonly postings: readonly (Postings | undefined)[];
}

/** How well an entry answers a query. */
export interface Match {
  /** Position of the entry. */
  readonly n: number;
  readonly score: number;
  /** Its best piece, from 0. */
  readonly piece: number;
}

/** How much was searched, and how many pieces hold each term of a query. */
export interface Tally {
  readonly extent: Extent;
  readonly holding: readonly number[];
}

/** What a term of a query is worth; `index` is its place in the query. */
export interface Weight {
  readonly index: number;
  readonly weight: number;
}

/** Counts what was found of a query of `count` terms. */
export function tallyOf(searched: readonly Searched[], count: number): Tally {
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
export function joinTallies(one: Tally, other: Tally): Tally {
  return {
    extent: {
      pieces: one.extent.pieces + other.extent.pieces,
      terms: one.extent.terms + other.extent.terms,
    },
    holding: one.holding.map((held, index) => held + other.holding[index]!),
  };
}

/** What the terms worth scoring are worth, the rarest first. */
export function weightsOf({ extent, holding }: Tally): readonly Weight[] {
  const held = holding.map((pieces, index) => ({ index, holding: pieces }));
  return tellingTerms(held, extent).map(({ index, holding }) => ({
    index,
    weight: rarity(holding, extent),
  }));
}

/** Whether an entry counts, by its position. */
export type IsMeant = (n: number) => boolean;

/**
 * The entries of one log that answer a query best, at most `limit`, the best first; of two alike the
 * newer one. Each has the score of its best piece and a share of its better neighbor's. `searched`
 * is the whole of the log, oldest first.
 */
export function bestEntries(
  searched: readonly Searched[],
  by: {
    readonly weights: readonly Weight[];
    readonly extent: Extent;
    readonly limit: number;
    readonly isMeant?: IsMeant;
  },
): readonly Match[] {
  const { limit, isMeant = () => true } = by;
  const size = searched.at(-1)?.segment.last ?? 0;
  const scores = new Float64Array(size + 2);
  const pieces = new Uint32Array(size + 2);
  for (const one of searched) scoreEntries(one, by, { scores, pieces });
  const kept: Match[] = [];
  for (let n = 1; n <= size; n += 1) {
    const own = scores[n]!;
    if (own === 0) continue;
    const score = own + neighborShare * Math.max(scores[n - 1]!, scores[n + 1]!);
    const last = kept[limit - 1];
    if (last !== undefined && score < last.score) continue;
    if (isMeant(n)) keep(kept, { n, score, piece: pieces[n]! }, limit);
  }
  return kept;
}

/** Scores each entry of a segment by its best piece. */
function scoreEntries(
  { segment, postings }: Searched,
  { weights, extent }: { readonly weights: readonly Weight[]; readonly extent: Extent },
  into: { readonly scores: Float64Array; readonly pieces: Uint32Array },
): void {
  const { first, starts, lengths } = segment;
  const scored = new Float64Array(lengths.length);
  let isHeld = false;
  for (const { index, weight } of weights) {
    const held = postings[index]?.read() ?? [];
    for (let at = 0; at < held.length; at += 2) {
      const piece = held[at]!;
      scored[piece]! += weight * presence(held[at + 1]!, lengths[piece]!, extent);
    }
    isHeld ||= held.length > 0;
  }
  if (!isHeld) return;
  for (let entry = 0; entry < starts.length - 1; entry += 1) {
    const start = starts[entry]!;
    let best = start;
    for (let piece = start + 1; piece < starts[entry + 1]!; piece += 1)
      if (scored[piece]! > scored[best]!) best = piece;
    into.scores[first + entry] = scored[best]!;
    into.pieces[first + entry] = best - start;
  }
}

/** The best of some matches, at most `limit`, the best first. */
export function best<M extends Match>(matches: readonly M[], limit: number): readonly M[] {
  const kept: M[] = [];
  for (const match of matches) keep(kept, match, limit);
  return kept;
}

/** Puts a match in its place among the best, where it is one. */
function keep<M extends Match>(kept: M[], match: M, limit: number): void {
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

const isBefore = (one: Match, other: Match): boolean =>
  one.score > other.score || (one.score === other.score && one.n > other.n);
