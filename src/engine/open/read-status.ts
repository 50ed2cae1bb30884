import type { Budget } from '../../core/budget/budget.ts';
import { frameOf } from '../../core/frames/tree.ts';
import type { RecordStore } from '../../store/store.ts';
import { readNewest } from '../journal/load.ts';
import { measure } from '../step/measure.ts';

/** How full a session is. */
export interface SessionStatus {
  readonly budget: Budget;
  /** Since it began. */
  readonly compressions: number;
  /** The title of the active frame; null where that is a root without one of its own. */
  readonly active: string | null;
}

/** How full a session is, by its newest copy and what followed: no entry is read, and nothing folded anew. Null where there is none, or entries are known by a bound only until somebody opens it. */
export async function readStatus(
  store: RecordStore,
  session: string,
): Promise<SessionStatus | null> {
  const state = await readNewest(store, session);
  if (state === null || state.uncounted.length > 0) return null;
  const { title } = frameOf(state.frames, state.active);
  const active = title === session ? null : title;
  return { budget: measure(state), compressions: state.compressions, active };
}
