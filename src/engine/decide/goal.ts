import { fail } from '../../core/values/error.ts';
import { checkGoal, newGoal, type Goal } from '../../core/frames/goal.ts';
import { goalSection } from '../../core/assembly/goal-section.ts';
import { overhead } from '../../core/messages/token-count.ts';
import { goalCap, goalFits } from './append.ts';
import type { Draft } from '../step/draft.ts';
import { limitIn, roomOf } from '../../core/state/limit.ts';
import { leastRoom, type Options } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';

/** The goal of the session; throws `GOAL_MISSING`. */
export function goalOf(draft: Draft): Goal {
  const { goal, session } = draft.state;
  if (goal !== null) return goal;
  throw fail('GOAL_MISSING', `Session "${session}" has no goal`, { session });
}

/** Sets a goal; throws `GOAL_TOO_LARGE` where its description is a new one and too long, and what `checkGoal` throws. */
export function setGoal(draft: Draft, given: Goal): void {
  const goal = checkGoal(given);
  // One that was recovered, or set in a larger window, stays as it is.
  if (goal.description !== draft.state.goal?.description && !goalFits(draft, goal)) {
    const tokens = overhead.message + draft.count(goalSection(newGoal(goal.description), 0));
    const most = goalCap(draft.state);
    throw fail(
      'GOAL_TOO_LARGE',
      `A goal of ${tokens} tokens exceeds the ${most} that a goal may take`,
      { tokens, most },
    );
  }
  draft.record({ type: 'goal.set', goal });
}

/** Refuses options under which a system prompt of so many tokens leaves too little of the limit; throws `SYSTEM_TOO_LARGE`. */
export function checkSystem(state: State | null, options: Options, system: number): void {
  const limit = state === null ? roomOf(options) : limitFor(state, options);
  if (limit - system >= leastRoom) return;
  throw fail(
    'SYSTEM_TOO_LARGE',
    `A system prompt of ${system} tokens leaves ${Math.max(0, limit - system)} of a limit of ${limit}; ${leastRoom} are needed`,
    {
      system,
      limit,
      least: leastRoom,
    },
  );
}

/** The limit that counts with these options; a model that has not reported yet is given the benefit of the doubt. */
function limitFor(state: State, options: Options): number {
  const isKnown = options.model === state.options.model && state.calibration.samples > 0;
  return isKnown ? limitIn({ ...state, options }) : roomOf(options);
}
