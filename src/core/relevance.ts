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

/** A segment, and for each term of a query the pieces that hold it: piece, times, piece, times … */
export interface Searched {
  readonly segment: Segment;
  readonly postings: readonly (readonly number[] | undefined)[];
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
    searched.reduce((sum, { postings }) => sum + (postings[index]?.length ?? 0) / 2, 0),
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

/**
 * The entries of one log that hold a term of the query, each with the score of its best piece and a
 * share of its better neighbor's. `searched` is the whole of the log, oldest first.
 */
export function relevantEntries(
  searched: readonly Searched[],
  weights: readonly Weight[],
  extent: Extent,
): readonly Match[] {
  const own = searched.flatMap((one) => bestPieces(one, weights, extent));
  return own.map(({ n, score, piece }, index) => {
    const before = own[index - 1];
    const after = own[index + 1];
    const beside = Math.max(
      before?.n === n - 1 ? before.score : 0,
      after?.n === n + 1 ? after.score : 0,
    );
    return { n, piece, score: score + neighborShare * beside };
  });
}

function bestPieces(
  { segment, postings }: Searched,
  weights: readonly Weight[],
  extent: Extent,
): Match[] {
  const { first, starts, lengths } = segment;
  if (postings.every((held) => held === undefined)) return [];
  const scores = new Float64Array(lengths.length);
  for (const { index, weight } of weights) {
    const held = postings[index] ?? [];
    for (let at = 0; at < held.length; at += 2) {
      const piece = held[at]!;
      scores[piece]! += weight * presence(held[at + 1]!, lengths[piece]!, extent);
    }
  }
  const found: Match[] = [];
  for (let entry = 0; entry < starts.length - 1; entry += 1) {
    const start = starts[entry]!;
    let best = start;
    for (let piece = start; piece < starts[entry + 1]!; piece += 1)
      if (scores[piece]! > scores[best]!) best = piece;
    if (scores[best]! > 0)
      found.push({ n: first + entry, score: scores[best]!, piece: best - start });
  }
  return found;
}

/** The best of some matches, at most `limit`, the best first; of two alike the newer one. */
export function best<M extends Match>(matches: readonly M[], limit: number): readonly M[] {
  const isBefore = (a: M, b: M): boolean => a.score > b.score || (a.score === b.score && a.n > b.n);
  const kept: M[] = [];
  for (const match of matches) {
    if (kept.length === limit && (limit === 0 || !isBefore(match, kept[limit - 1]!))) continue;
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(kept[middle]!, match)) low = middle + 1;
      else high = middle;
    }
    kept.splice(low, 0, match);
    if (kept.length > limit) kept.pop();
  }
  return kept;
}
