// BM25: a piece of the log scores, for each term of the query that it holds, the
// inverse frequency of the term times its frequency in the piece, which saturates
// and counts less in a long piece.

/** BM25's `k1`: how late the frequency saturates. */
const saturation = 0.9;
/** BM25's `b`: how much a piece's length counts, 0 to 1. */
const lengthShare = 0.4;
/** Share of the score of its better neighbor that is added to an entry's. */
export const neighborShare = 0.3;

/** The size of what is searched. */
export interface CorpusSize {
  /** Pieces, and terms in all of them. */
  readonly pieces: number;
  readonly terms: number;
}

/** The weight of a term that `holding` of the pieces hold. */
export function inverseFrequency(holding: number, { pieces }: CorpusSize): number {
  return Math.log(1 + (pieces - holding + 0.5) / (holding + 0.5));
}

/** The length norm that each term adds to its piece; see {@link saturatedFrequency}. */
export const lengthNorm = ({ pieces, terms }: CorpusSize): number =>
  (saturation * lengthShare * pieces) / Math.max(1, terms);

/** The score of a term that a piece holds `times` times; `norm` is the length norm of the whole piece. */
export const saturatedFrequency = (times: number, norm: number): number =>
  (times * (saturation + 1)) / (times + saturation * (1 - lengthShare) + norm);

/** Fewest pieces of a log in which common terms are left out. */
const large = 1_024;

/**
 * The terms worth scoring, the rarest first. In a large log those in more than an eighth of the
 * pieces are left out unless they are among the three rarest; terms in no piece are always.
 */
export function significantTerms<T extends { readonly holding: number }>(
  terms: readonly T[],
  { pieces }: CorpusSize,
): readonly T[] {
  const held = terms.filter(({ holding }) => holding > 0).sort((a, b) => a.holding - b.holding);
  if (pieces < large) return held;
  return held.filter(({ holding }, index) => index < 3 || holding * 8 <= pieces);
}
