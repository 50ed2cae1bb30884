import type { RunCommand } from '../commands/command.ts';
import type { SessionEffects } from '../effects/effects.ts';
import type { Clock } from '../live/clock.ts';
import type { SearchIndexes } from '../recall/search-indexes.ts';

/** What the methods of a handle use beside the session. */
export interface HandleContext {
  /** Throws where the handle or its store is closed. */
  readonly check: () => void;
  readonly command: RunCommand;
  /** Aborts when the handle or its store is closed. */
  readonly ended: AbortSignal;
  readonly effects: SessionEffects;
  /** How long an effect may take, in milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly searches: SearchIndexes;
  /** Where checkpoint documents go; null for nowhere. */
  readonly documents: string | null;
}
