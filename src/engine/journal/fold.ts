import * as core from '../../core/state/evolve.ts';
import { lifecycles } from '../../../machines/lifecycle.ts';
import type { State } from '../../core/state/state.ts';
import type { JournalRecord } from '../../core/state/input.ts';

/** The state after a journal record, by the machines' tables; null before the first. */
export function foldRecord(state: State | null, record: JournalRecord): State {
  return core.fold(state, record, lifecycles);
}
