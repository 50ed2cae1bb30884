import type { Salvage, SessionCheck } from '../../src/index.ts';

/** What the process that opens stores is asked. */
export interface Question {
  readonly folder: string;
  /** Where to salvage it to; left out to read it as it is. */
  readonly to?: string;
  readonly sessions: readonly string[];
  /** Keys of how many entries to try. */
  readonly entries: number;
}

/** What it found. */
export interface Answer {
  readonly read?: StoreRead;
  readonly salvage?: Salvage;
  /** The code of the error of a salvage, or what else went wrong. */
  readonly failure?: string;
}

/** What was read of a store. */
export interface StoreRead {
  /** The code with which it was refused. */
  readonly refused?: string;
  readonly damagedFiles: readonly string[];
  /** The codes with which listing and checking ended. */
  readonly errors: readonly string[];
  readonly listed: readonly string[];
  readonly checks: readonly SessionCheck[];
  readonly sessions: Readonly<Record<string, SessionRead>>;
}

/** What was read of a session. */
export interface SessionRead {
  readonly refused?: string;
  /** Digests of what was said, by id. */
  readonly entries: Readonly<Record<string, string>>;
  /** What was named as lost. */
  readonly lost: readonly (readonly [from: number, to: number])[];
  /** The id of a new entry. */
  readonly next?: string;
  /** What an append answered under the key of each entry. */
  readonly keys: Record<string, string>;
}
