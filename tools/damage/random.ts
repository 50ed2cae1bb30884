/** Numbers from 0 up to 1. */
export type Random = () => number;

/** A whole number below `limit`. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** One of a list. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;
