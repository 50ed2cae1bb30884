/** Numbers from 0 up to 1. */
export type Random = () => number;

/** A whole number from `least` up to `most`, itself excluded. */
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least));

/** One of a list. */
export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[between(random, 0, list.length)]!;
