import type { Row } from './row.ts';

/** How much is measured. */
export interface Extent {
  /** Under three minutes for everything, or about fifteen. */
  readonly quick: boolean;
  /** Session files to measure prefix reuse on. */
  readonly files: readonly string[];
}

/** One part of the table. */
export interface Bench {
  readonly name: string;
  readonly title: string;
  /** What one round needs a process of its own for runs in one; see {@link inProcess}. */
  run(extent: Extent): Promise<readonly Row[]>;
}
