import type { LedgerBlock } from './view.ts';

/** How the made sections of an epoch are laid out: what was chosen by counting, so that showing them again needs no count. */
export interface LayoutPlan {
  /** What all caps but that of the goal were multiplied by, 0 to 1. */
  readonly factor: number;
  /** Detail of the goal, 0 the fullest. */
  readonly goal: number;
  /** Detail of the path from the root, 0 the fullest. */
  readonly path: number;
  /** Newest closed children with their results. */
  readonly full: number;
  /** Closed children after those, as one line each; the rest is a count. */
  readonly lines: number;
  /** Planned frames by title. */
  readonly planned: number;
  /** The ledger, oldest block first. */
  readonly ledger: readonly LedgerBlock[];
  /** Newest quotes of people. */
  readonly quotes: number;
}

/** The plan of an epoch that shows nothing before its entries. */
export const noPlan: LayoutPlan = {
  factor: 1,
  goal: 0,
  path: 0,
  full: 0,
  lines: 0,
  planned: 0,
  ledger: [],
  quotes: 0,
};
