import type { Fact } from './fact.ts';
import type { Frame } from './frame.ts';
import type { Goal } from './goal.ts';
import { ordinal } from './id.ts';
import type { Shown, State } from './state.ts';
import { members, setAll, vectorOf } from './vector.ts';
import { restoredTimeline } from './evolve-timeline.ts';

/** The goal that an epoch shows, read from a record: the very goal of the state where they are alike, for that is how they are compared. */
export function shownGoal(shown: Goal | null, goal: Goal | null): Goal | null {
  return JSON.stringify(shown) === JSON.stringify(goal) ? goal : shown;
}

/** The state with what a restored one decided in place of what was; a new epoch shows it. */
export function adopt(state: State, fact: Extract<Fact, { type: 'state.restored' }>): State {
  const { phase, active, goal, newest, calls, left, cause, from } = fact;
  const frames = setAll(state.frames, new Map(fact.frames));
  const { length, frames: differing, ...rest } = fact.shown;
  const same = length === frames.length ? frames : vectorOf(members(frames).slice(0, length));
  const shown: Shown = {
    goal: shownGoal(rest.goal, goal),
    frames: differing.length === 0 ? same : setAll(same, new Map(differing)),
    plan: rest.plan,
    sizes: rest.sizes,
    upTo: rest.upTo,
    newest: rest.newest,
    left: rest.left,
  };
  return {
    ...state,
    phase,
    epoch: state.epoch + 1,
    texts: Math.max(state.texts, ...fact.frames.map(([, frame]) => partialOf(frame))),
    frames,
    active,
    views: new Map(fact.views),
    calls,
    newest,
    goal,
    shown,
    timeline: restoredTimeline(state, { cause, left, from }),
  };
}

/** The number of the text of a partial result; 0 without one. */
function partialOf({ partial }: Frame): number {
  return partial === null ? 0 : ordinal(partial.text);
}
