/** How many of so many. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** A share as a number from 0 to 1, null of nothing. */
export function rate({ kept, of }: Share): number | null {
  return of === 0 ? null : kept / of;
}
