import type { Fact } from './fact.ts';
import type { Recorded } from './input.ts';

// The journal is the truth: one record per step, what came in and what it changed.

/** One step, as it is kept. */
export interface JournalRecord {
  /** Gap-free, from 1. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly input: Recorded;
  readonly facts: readonly Fact[];
  /** Turns and tokens so far, so that a list of sessions needs no state. */
  readonly turn: number;
  readonly tokens: number;
}
