import type { Frame } from '../frames/frame.ts';
import type { Goal } from '../frames/goal.ts';
import { ordinal } from '../values/id.ts';
import { members, setAll, vectorOf } from '../values/persistent-vector.ts';
import type { Evolution, Fact, FactOf, TimelineFact } from './fact.ts';
import type { EpochView, State } from './state.ts';
import type {
  Undoable,
  UndoableStep,
  Snapshot,
  AbandonedBranch,
  RewindCause,
  Timeline,
} from './timeline.ts';

/** Most steps that can be taken back. */
const mostDone = 64;

/** Most snapshots of the engine's own that are listed; the oldest of them go first. */
const mostAutomatic = 32;

/** The undoable step that each type of fact makes. */
export const undoable: Readonly<Partial<Record<Fact['type'], Undoable>>> = {
  'compression.finished': 'compression',
  'session.rolledOver': 'compression',
  'frame.pushed': 'push',
  'frame.started': 'push',
  'frame.retried': 'push',
  'frame.popped': 'pop',
  'frame.invalidated': 'invalidate',
  'goal.set': 'goal',
};

/** Facts that decide something new, which cannot be taken back by itself. */
const deciding: ReadonlySet<Fact['type']> = new Set([
  'frame.planned',
  'frame.edited',
  'checkpoint.raised',
]);

/** Facts of a recovery; a goal or a frame in the same record was read out of a document. */
const recovering: ReadonlySet<Fact['type']> = new Set([
  'recovery.announced',
  'recovery.moved',
  'session.recovered',
]);

/** How the state changes with facts about snapshots and decisions that are taken back. */
export const timelineEvolution: Evolution<TimelineFact> = {
  'snapshot.created': (state, { snapshot }) => ({
    ...state,
    timeline: addSnapshot(state.timeline, snapshot),
  }),
  'snapshot.deleted': (state, fact) => {
    const snapshots = state.timeline.snapshots.filter(({ id }) => id !== fact.snapshot);
    return { ...state, timeline: { ...state.timeline, snapshots } };
  },
  'snapshot.restored': (state) => state,
  'snapshot.failed': (state) => state,
  'state.restored': adoptRestored,
};

/** The state with the step of a fact put on the undo stack; whatever decides something new clears the redo stack. */
export function updateUndoSteps(state: State, { type }: Fact): State {
  const what = undoable[type];
  const { timeline } = state;
  // What a way back compressed to fit is a part of it.
  if (timeline.turned === state.seq) return state;
  if (recovering.has(type)) return { ...state, timeline: asRecovery(timeline, state.seq) };
  if (what === undefined) {
    if (!deciding.has(type) || timeline.undone.length === 0) return state;
    return { ...state, timeline: { ...timeline, undone: [] } };
  }
  const done = taken(timeline, { what, to: state.seq });
  return { ...state, timeline: { ...timeline, done, undone: [] } };
}

function asRecovery(timeline: Timeline, seq: number): Timeline {
  const step = timeline.done.at(-1);
  if (step?.to !== seq || (step.what !== 'goal' && step.what !== 'push')) return timeline;
  return { ...timeline, done: [...timeline.done.slice(0, -1), { ...step, what: 'recovery' }] };
}

/** The state with what a restored one decided in place of what was; a new epoch shows it. */
function adoptRestored(state: State, fact: FactOf<'state.restored'>): State {
  const { phase, active, goal, chronicle, newest, calls, left, cause, from } = fact;
  const frames = setAll(state.frames, new Map(fact.frames));
  const { length, frames: differing, ...rest } = fact.epochView;
  const same = length === frames.length ? frames : vectorOf(members(frames).slice(0, length));
  const epochView: EpochView = {
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
    textCount: Math.max(state.textCount, ...fact.frames.map(([, frame]) => partialOf(frame))),
    frames,
    active,
    views: new Map(fact.views),
    calls,
    newest,
    goal,
    chronicle,
    epochView,
    timeline: restoredTimeline(state, { cause, left, from }),
  };
}

/** The goal that an epoch shows, read from a record: the very goal of the state where they are alike, for that is how they are compared. */
export function shownGoal(recorded: Goal | null, goal: Goal | null): Goal | null {
  return JSON.stringify(recorded) === JSON.stringify(goal) ? goal : recorded;
}

/** The number of the text of a partial result; 0 without one. */
function partialOf({ partial }: Frame): number {
  return partial === null ? 0 : ordinal(partial.text);
}

/** The timeline after a state was restored in the record that follows `seq`. */
function restoredTimeline(
  { timeline, seq }: Pick<State, 'timeline' | 'seq'>,
  rewind: {
    readonly cause: RewindCause;
    readonly left: readonly AbandonedBranch[];
    readonly from: number;
  },
): Timeline {
  const { cause, left, from } = rewind;
  const { done, undone } = timeline;
  const after = { ...timeline, left, turned: seq };
  switch (cause) {
    case 'undo': {
      const step = { ...done.at(-1)!, back: seq };
      return { ...after, done: done.slice(0, -1), undone: [...undone, step] };
    }
    case 'redo': {
      const { what, to } = undone.at(-1)!;
      return { ...after, done: [...done, { what, to }], undone: undone.slice(0, -1) };
    }
    case 'restore':
      return { ...after, done: taken(timeline, { what: 'restore', to: seq }), undone: [] };
    case 'fork':
      return { ...after, done: done.filter(({ to }) => to < from), undone: [] };
  }
}

/** Steps that can be taken back after one more; what one record did is taken back together. */
function taken({ done }: Timeline, step: UndoableStep): readonly UndoableStep[] {
  return done.at(-1)?.to === step.to ? done : [...done, step].slice(-mostDone);
}

/** The timeline with one snapshot more. */
function addSnapshot(timeline: Timeline, snapshot: Snapshot): Timeline {
  const all = [...timeline.snapshots, snapshot];
  const automatic = all.filter(({ by }) => by !== 'person');
  const gone = new Set(automatic.slice(0, Math.max(0, automatic.length - mostAutomatic)));
  const snapshots = all.filter((one) => !gone.has(one));
  return { ...timeline, snapshots, made: timeline.made + 1 };
}
