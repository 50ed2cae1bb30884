/** Numbers from 0 up to 1. */
export type Random = () => number;

/** Numbers that look random, the same for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` up to `most`, itself excluded. */
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least));

/** A whole number below `limit`. */
export const below = (random: Random, limit: number): number => between(random, 0, limit);

/** One of a list. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

/** Some of a list, at most `count`, each at most once, in the order of the list. */
export function draw<Item>(list: readonly Item[], count: number, random: Random): readonly Item[] {
  return list
    .map((item, index) => ({ item, index, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .sort((one, other) => one.index - other.index)
    .map(({ item }) => item);
}
