import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Session } from '../../engine/session/session.ts';
import type { SessionState } from '../../engine/step/session-state.ts';
import type { Witness } from './witness.ts';

/** What must hold after every step of a session; `docs` of each stands above the function that checks it. */
export const laws = [
  'fit',
  'prefix',
  'pair',
  'valid',
  'never rewritten',
  'newest human',
  'coverage',
  'log conserved',
  'checkpoints',
  'compression',
  'tree',
  'no throw',
] as const;

/** The name of a law. */
export type Law = (typeof laws)[number];

/** One law broken at one moment. */
export interface Violation {
  readonly law: Law;
  readonly what: string;
}

/** What a law is judged by: two assemblies of one moment, the one before, and what the session says of itself. */
export interface LawContext {
  readonly before: Assembly | null;
  readonly assembly: Assembly;
  /** The same, asked for a second time. */
  readonly again: Assembly;
  readonly session: Session;
  /** Before it was asked for an assembly, so that what a step left behind can be told from what a fit did. */
  readonly stepped: SessionState;
  readonly state: SessionState;
  readonly witness: Witness;
  /** Whether everything is looked at, however long it takes. */
  readonly thorough: boolean;
}
