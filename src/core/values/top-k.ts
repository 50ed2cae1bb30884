// Of thousands of names only the first hundreds are ever shown, and only the
// last few ever dropped. So a ranking is not sorted as a whole: quickselect finds
// the value at the border, and only the side that is asked for is sorted.

/** The scores of a list's positions. */
export interface Ranking {
  readonly values: Float64Array;
  /** The order of two positions of the same value; never 0. */
  readonly tie: (one: number, other: number) => number;
}

/** Positions sorted at first; a reader who goes further has all of them sorted. */
const firstSorted = 1_024;

/** All positions, best first, sorted lazily; can be iterated more than once. */
export function bestFirst(ranking: Ranking): Iterable<number> {
  const { length } = ranking.values;
  let sorted: readonly number[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; at < length; at += 1) {
        if (at === sorted.length) sorted = best(ranking, at === 0 ? firstSorted : length);
        yield sorted[at]!;
      }
    },
  };
}

/** The positions that are not among the `most` best, in no order. */
export function positionsBeyond({ values, tie }: Ranking, most: number): readonly number[] {
  if (values.length <= most) return [];
  const border = valueAtRank(values.slice(), most);
  const below = positionsWhere(values, (value) => value < border);
  const tied = positionsWhere(values, (value) => value === border).sort(tie);
  return [...tied.slice(tied.length + below.length - (values.length - most)), ...below];
}

/** The best positions, sorted: at least `least` of them, and all that tie with the last. */
function best({ values, tie }: Ranking, least: number): readonly number[] {
  const border =
    least < values.length ? valueAtRank(values.slice(), least) : Number.NEGATIVE_INFINITY;
  return positionsWhere(values, (value) => value >= border).sort(
    (a, b) => values[b]! - values[a]! || tie(a, b),
  );
}

function positionsWhere(values: Float64Array, fits: (value: number) => boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < values.length; at += 1) if (fits(values[at]!)) found.push(at);
  return found;
}

/** The value of a rank, 1 for the largest, by quickselect; reorders `values`. */
function valueAtRank(values: Float64Array, rank: number): number {
  const wanted = values.length - rank;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! < pivot) left += 1;
      while (values[right]! > pivot) right -= 1;
      if (left > right) break;
      const value = values[left]!;
      values[left] = values[right]!;
      values[right] = value;
      left += 1;
      right -= 1;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted]!;
}
