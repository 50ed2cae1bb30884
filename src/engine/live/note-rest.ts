import { countedBudget } from '../../core/sections/counted-budget.ts';
import { isTelling } from '../../core/frames/frame-text.ts';
import type { State } from '../../core/state/state.ts';
import { members } from '../../core/values/persistent-vector.ts';
import { entryKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { EntryRow } from '../journal/load.ts';
import type { SessionRest } from '../journal/sessions/session-header.ts';
import { measure } from '../step/measure.ts';

/** Where a session rests, for lists. */
export async function restOf(store: RecordStore, state: State): Promise<SessionRest> {
  const { session, seq, created, updated, entryCount, turn: turns, tokens } = state;
  const newest = await store.get('entry', entryKey(session, entryCount));
  const { at: said = created } = (newest ?? {}) as Partial<EntryRow>;
  const frames = members(state.frames).filter(isTelling).length;
  const { total: context } = countedBudget(measure(state));
  return { seq, said, updated, turns, tokens, context, frames };
}
