import type { Cost } from './cost.ts';

/** How a number reads. */
export type Unit = '×' | 'µs' | 'ms' | 'MB' | 'KB' | 'MB/s' | '%' | '';

/** What a number has to reach. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One line of the table. */
export interface Row {
  readonly work: string;
  readonly unit: Unit;
  /** One number for each round; ratios are taken inside a round. Processor time unless `work` says otherwise. */
  readonly samples: readonly number[];
  /** The same by the clock. */
  readonly wall?: readonly number[];
  readonly goal?: Goal;
  readonly note?: string;
}

/** Costs as a row, in microseconds or milliseconds. */
export function costRow(
  work: string,
  costs: readonly Cost[],
  options: { unit?: 'µs' | 'ms'; goal?: Goal; note?: string } = {},
): Row {
  const { unit = 'µs', ...rest } = options;
  const scale = unit === 'ms' ? 1_000 : 1;
  return {
    work,
    unit,
    samples: costs.map(({ cpu }) => cpu / scale),
    wall: costs.map(({ wall }) => wall / scale),
    ...rest,
  };
}

/** How many times as much `costs` are as `floors`, round by round. */
export function ratioRow(
  work: string,
  costs: readonly Cost[],
  options: { of: readonly Cost[]; goal?: Goal; note?: string },
): Row {
  const { of, ...rest } = options;
  return {
    work,
    unit: '×',
    samples: costs.map(({ cpu }, round) => cpu / of[round]!.cpu),
    wall: costs.map(({ wall }, round) => wall / of[round]!.wall),
    ...rest,
  };
}
