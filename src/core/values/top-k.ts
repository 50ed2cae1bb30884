// Of thousands of names only the first hundreds are ever shown, and only the
// last few ever dropped. So a ranking is not sorted as a whole: the value at the
// border is found first, and what lies on the side that is asked for is sorted.

/** Positions of a list by what stands there is worth. */
export interface Ranking {
  readonly values: Float64Array;
  /** The order of two positions of the same value; never 0. */
  readonly tie: (one: number, other: number) => number;
}

/** Positions that are sorted before it is known that more are asked for. */
const usual = 1_024;

/** All positions, best first; they can be gone through more than once, and are sorted as far as somebody goes. */
export function bestFirst(ranking: Ranking): Iterable<number> {
  const { length } = ranking.values;
  let sorted: readonly number[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; at < length; at += 1) {
        if (at === sorted.length) sorted = best(ranking, at === 0 ? usual : length);
        yield sorted[at]!;
      }
    },
  };
}

/** The positions beyond the `most` best, in no order; none where there are no more than that. */
export function positionsBeyond({ values, tie }: Ranking, most: number): readonly number[] {
  if (values.length <= most) return [];
  const border = atRank(values.slice(), most);
  const below = positions(values, (value) => value < border);
  const alike = positions(values, (value) => value === border).sort(tie);
  return [...alike.slice(alike.length + below.length - (values.length - most)), ...below];
}

/** The best positions, sorted: at least `least` of them, and all that are worth as much as the last. */
function best({ values, tie }: Ranking, least: number): readonly number[] {
  const border = least < values.length ? atRank(values.slice(), least) : Number.NEGATIVE_INFINITY;
  return positions(values, (value) => value >= border).sort(
    (a, b) => values[b]! - values[a]! || tie(a, b),
  );
}

function positions(values: Float64Array, fits: (value: number) => boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < values.length; at += 1) if (fits(values[at]!)) found.push(at);
  return found;
}

/** The value that `rank` of `values` (1 for the largest) reach; they are reordered on the way. */
function atRank(values: Float64Array, rank: number): number {
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
