// Of thousands of names only the first hundreds are ever shown, and only the
// last few ever dropped. So a ranking is not sorted as a whole: the value of the
// member at the border is found first, and what lies on the side that is asked
// for is sorted.

/** Members by what each is worth. */
export interface Ranking<T> {
  readonly members: readonly T[];
  /** What the member at the same index is worth. */
  readonly values: Float64Array;
  /** The order of two members that are worth the same; never 0. */
  readonly tie: (one: T, other: T) => number;
}

/** Members that are sorted before it is known that more are asked for. */
const usual = 1_024;

/** All members, best first; it can be gone through more than once, and sorts as far as somebody goes. */
export function bestFirst<T>(ranking: Ranking<T>): Iterable<T> {
  const { length } = ranking.members;
  let sorted: readonly T[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; at < length; at += 1) {
        if (at === sorted.length) sorted = best(ranking, at === 0 ? usual : length);
        yield sorted[at]!;
      }
    },
  };
}

/** The members beyond the `most` best; none where there are no more than that. */
export function beyond<T>(ranking: Ranking<T>, most: number): readonly T[] {
  const { members, values } = ranking;
  if (members.length <= most) return [];
  const border = atRank(values.slice(), most);
  const below = members.filter((_, index) => values[index]! < border);
  const alike = members.filter((_, index) => values[index] === border).sort(ranking.tie);
  return [...alike.slice(alike.length - (members.length - most - below.length)), ...below];
}

/** The best members, sorted: at least `least` of them, and all that are worth as much as the last. */
function best<T>({ members, values, tie }: Ranking<T>, least: number): readonly T[] {
  const border = least < members.length ? atRank(values.slice(), least) : Number.NEGATIVE_INFINITY;
  const indexes: number[] = [];
  for (let index = 0; index < members.length; index += 1)
    if (values[index]! >= border) indexes.push(index);
  return indexes
    .sort((a, b) => values[b]! - values[a]! || tie(members[a]!, members[b]!))
    .map((index) => members[index]!);
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
