/** Numbers from 0 up to 1. */
export type Random = () => number;

/** Numbers that follow from a seed (mulberry32). */
export function newRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number below `limit`. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** One of a list. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;
