import { workingAfter, workingTarget } from '../../core/budget/budget.ts';
import { shareableIn } from '../../core/state/limit.ts';
import type { Draft } from '../step/draft.ts';
import { measure } from '../step/measure.ts';
import { planEpoch, type PlannedEpoch } from './begin-epoch.ts';
import { clearResults } from './shrink-entries.ts';

/** An epoch that would begin, and what the entries may take beside its sections, in tokens. */
interface EpochRoom {
  readonly planned: PlannedEpoch;
  /** As planned. */
  readonly room: number;
  /** At most: what is newer than all that can be cleared need not give way to the plan. */
  readonly most: number;
}

/** Clears old tool results of the active frame as far as the window asks for it; begins no epoch. Gives the one that it was planned for, or null where there were none to clear. */
export function clearToRoom(draft: Draft): PlannedEpoch | null {
  const { planned, room } = roomForEntries(draft);
  return clearResults(draft, { frame: draft.state.active, room }) ? planned : null;
}

/** What the entries may take beside the sections as they will be where nothing scales them down. */
export function roomForEntries(draft: Draft): EpochRoom {
  const { options } = draft.state;
  const planned = planEpoch(draft);
  const { available, human } = measure(planned.after);
  const shareable = shareableIn(planned.after);
  const room = workingAfter(options, shareable, shareable - available) - human;
  return { planned, room, most: Math.floor(workingTarget(options) * available) - human };
}
