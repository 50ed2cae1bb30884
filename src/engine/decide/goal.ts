import { lifted } from '../../core/budget/ceiling.ts';
import { fail } from '../../core/values/error.ts';
import {
  checkGoal,
  newGoal,
  withoutDone,
  type Goal,
  type GoalPatch,
} from '../../core/frames/goal.ts';
import { goalSection } from '../../core/sections/goal-section.ts';
import { overhead } from '../../core/messages/token-count.ts';
import { caps } from '../../core/budget/budget.ts';
import type { Draft } from '../step/draft.ts';
import { limitIn, roomOf } from '../../core/state/limit.ts';
import { leastRoom, usualReserve, type Options } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';

/** The goal of the session; throws `GOAL_MISSING`. */
export function goalOf(draft: Draft): Goal {
  const { goal, session } = draft.state;
  if (goal !== null) return goal;
  throw fail('GOAL_MISSING', `Session "${session}" has no goal`, { session });
}

/** Sets a goal; throws `GOAL_TOO_LARGE` where its description is a new one and too long, and what `checkGoal` throws. */
export function setGoal(draft: Draft, wanted: Goal): void {
  const goal = checkGoal(wanted);
  // A goal that was recovered, or set in a larger window, may stay too long.
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

/** Changes the fields that are given, and next steps that are done by it; throws `GOAL_MISSING`, and what {@link setGoal} throws. */
export function updateGoal(draft: Draft, patch: GoalPatch): void {
  const goal = goalOf(draft);
  setGoal(draft, withoutDone(goal, { ...goal, ...patch }));
}

/** Whether a goal's description alone stays within the cap of the goal. */
export function goalFits(draft: Draft, goal: Goal): boolean {
  const bare = { ...goal, milestones: [], decisions: [], artifacts: [], next: [] };
  const tokens = overhead.message + draft.count(goalSection({ ...bare, status: 'active' }, 0));
  return tokens <= goalCap(draft.state);
}

/** Most tokens of a goal. */
function goalCap(state: State): number {
  return Math.floor(caps.goal * limitIn(state));
}

/** Refuses options under which a system prompt of so many tokens leaves too little of the limit; throws `SYSTEM_TOO_LARGE` with the least window that would do. */
export function checkSystem(state: State | null, options: Options, system: number): void {
  const limitOf = (some: Options): number =>
    state === null ? roomOf(some) : limitFor(state, some);
  const limit = limitOf(options);
  if (limit - system >= leastRoom) return;
  throw fail(
    'SYSTEM_TOO_LARGE',
    `A system prompt of ${system} tokens leaves ${Math.max(0, limit - system)} of a limit of ${limit}; ${leastRoom} are needed`,
    {
      system,
      limit,
      least: leastRoom,
      needs: windowFor(options, (some) => limitOf(some) - system >= leastRoom),
    },
  );
}

/** The least window that does where that of the options does not; there is one, for the limit grows with it. A reserve that somebody chose stays as it is. */
function windowFor(options: Options, does: (options: Options) => boolean): number {
  const { window: current, reserve } = options;
  const isUsual = reserve === usualReserve(current);
  const doesAt = (window: number): boolean =>
    does({ ...options, window, reserve: isUsual ? usualReserve(window) : reserve });
  let [low, high] = [current, current * 2];
  while (!doesAt(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (doesAt(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The limit under these options, whatever was refused; without the learned ratio where it was not learned from their model. */
function limitFor(state: State, options: Options): number {
  const isKnown = options.model === state.options.model && state.calibration.samples > 0;
  if (!isKnown) return roomOf(options);
  return limitIn({ ...state, options, calibration: lifted(state.calibration) });
}
