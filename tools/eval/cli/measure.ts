import type { ProbeTotal, Share, Total } from '../index.ts';

/** What one method came to within one budget. */
export interface Cell {
  readonly method: string;
  readonly budget: number;
}

/** One of the few measures that are looked at first: a share for each method within each window. */
export interface Measure<Total extends Cell> {
  readonly name: string;
  readonly share: (total: Total) => Share;
  /** What a method does by it, as a sentence without its end. */
  readonly says: (method: string, value: string) => string;
  /** What is good, and why, as a sentence. */
  readonly good: string;
}

/** The measures that an evaluation begins with. */
export const leading: readonly Measure<Total>[] = [
  {
    name: 'Far references',
    share: ({ tally }) => tally.far,
    says: (method, value) => `${method} keeps ${value} of the far references`,
    good: 'Good is 100 %: what is gone has to be recalled or read again.',
  },
  {
    name: 'Directives',
    share: ({ tally }) => tally.directives,
    says: (method, value) => `${method} has ${value} of the directives in view`,
    good: 'Good is 100 %: what a person asked for is out of view otherwise.',
  },
  {
    name: 'Copied spans',
    share: ({ tally }) => tally.spans,
    says: (method, value) => `${method} keeps ${value} of the copied spans, word for word`,
    good: 'More is better, but here the newest text alone does well: look at the far references beside it.',
  },
  {
    name: 'Same start',
    share: ({ tally }) => tally.prefix,
    says: (method, value) =>
      `${method} begins a context with ${value} of it as the one before began`,
    good: 'More is better: that much comes from the cache of a server.',
  },
];

/** The measure of probes: all of them, or those of a kind or a file. */
export function answered(
  name: string,
  of: (total: ProbeTotal) => Share | undefined,
): Measure<ProbeTotal> {
  return {
    name,
    share: (total) => of(total) ?? { kept: 0, of: 0 },
    says: (method, value) => `${method} holds the answers to ${value} of these probes`,
    good: 'Good is 100 %: what is missing cannot be answered without a search.',
  };
}

/** The windows of totals, the smallest first. */
export const windowsOf = (totals: readonly Cell[]): readonly number[] =>
  [...new Set(totals.map(({ budget }) => budget))].sort((one, other) => one - other);

/** The methods of totals, in their order. */
export const methodsIn = (totals: readonly Cell[]): readonly string[] => [
  ...new Set(totals.map(({ method }) => method)),
];

/** What a method came to within a window. */
export const at = <Total extends Cell>(
  totals: readonly Total[],
  method: string,
  window: number,
): Total => totals.find((one) => one.method === method && one.budget === window)!;

/** Faults of a method within one window, all kinds together. */
export function faultsOf({ tally }: Total): number {
  const faults = Object.values(tally.faults).reduce((sum, times) => sum + times, 0);
  return faults + (tally.brokenLogs ?? 0);
}
