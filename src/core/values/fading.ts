/** The share that is left of something after a number of steps, of which each leaves `keeps`; powers are dear, and the same few are asked for thousands of times. */
export function fading(keeps: number): (steps: number) => number {
  const shares: number[] = [];
  return (steps) => (shares[steps] ??= keeps ** steps);
}
