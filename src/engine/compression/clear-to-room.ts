import { allowance } from '../../core/assembly/select-entries.ts';
import { workingAfter } from '../../core/budget/budget.ts';
import type { Draft } from '../step/draft.ts';
import { measure } from '../step/measure.ts';
import { epochUnder } from './begin-epoch.ts';
import { clearResults } from './shrink-entries.ts';

/** Clears old tool results of the active frame as far as the window asks for it; says whether there were any. Begins no epoch. */
export function clearToRoom(draft: Draft): boolean {
  return clearResults(draft, { frame: draft.state.active, room: roomForEntries(draft) });
}

/** What the entries may take beside the sections as they will be, in tokens. */
export function roomForEntries(draft: Draft): number {
  const { factor } = allowance(draft.state, draft.state.active);
  const { limit, available, human } = measure(epochUnder(draft, factor).state);
  return workingAfter(draft.state.options, limit, limit - available) - human;
}
