// How well a piece of the log answers a query: for each term of the query that
// it holds, how rare the term is, times how often the piece says it, which soon
// counts no more, and less in a long piece.

/** Where the gain of saying a term again fades. */
const fade = 0.9;
/** How much a piece's length counts, 0 to 1. */
const lengthShare = 0.4;
/** Share of its better neighbor's score that an entry gains. */
export const neighborShare = 0.3;

/** What is searched, in numbers. */
export interface CorpusSize {
  /** Pieces, and the terms in all of them. */
  readonly pieces: number;
  readonly terms: number;
}

/** How much a term is worth that `holding` of the pieces hold. */
export function inverseFrequency(holding: number, { pieces }: CorpusSize): number {
  return Math.log(1 + (pieces - holding + 0.5) / (holding + 0.5));
}

/** What each term of a piece takes from it, against a piece of no terms; see {@link saturatedFrequency}. */
export const lengthNorm = ({ pieces, terms }: CorpusSize): number =>
  (fade * lengthShare * pieces) / Math.max(1, terms);

/** How much it counts that a piece holds a term `times` times; `burden` is that of all its terms. */
export const saturatedFrequency = (times: number, burden: number): number =>
  (times * (fade + 1)) / (times + fade * (1 - lengthShare) + burden);

/** Fewest pieces among which a term can be too common to look at. */
const small = 1_024;

/**
 * The terms worth scoring, the rarest first: those in more than an eighth of the pieces of a log
 * that is not small only where fewer than three are rarer. Terms in no piece are left out.
 */
export function significantTerms<T extends { readonly holding: number }>(
  terms: readonly T[],
  { pieces }: CorpusSize,
): readonly T[] {
  const held = terms.filter(({ holding }) => holding > 0).sort((a, b) => a.holding - b.holding);
  if (pieces < small) return held;
  return held.filter(({ holding }, index) => index < 3 || holding * 8 <= pieces);
}
