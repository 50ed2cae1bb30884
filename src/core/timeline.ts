import type { Fact } from './fact.ts';
import { entryId, type EntryId } from './id.ts';
import { toStretches } from './span.ts';
import type { State } from './state.ts';

// The journal never goes back: what is undone stays in it. So a step that can be
// taken back is remembered by the record before it, and a snapshot is no more
// than the number of a record. What is said on a branch that was left stays in
// the log, behind one breadcrumb.
//
//   record   1 … 40 │ 41 pop │ 42 said │ 43 undo → 40 │ 44 said …
//   done              { pop, to: 40 }    none
//   undone                               { pop, to: 40, back: 42 }

/** A step that can be taken back; `recovery` is all that was read out of documents at once: goal, title and frames. */
export type Undoable =
  | 'compression'
  | 'pop'
  | 'push'
  | 'invalidate'
  | 'restore'
  | 'goal'
  | 'recovery';

/** A step that was taken. */
interface Done {
  readonly what: Undoable;
  /** The record before it. */
  readonly to: number;
}

/** A step that was taken back. */
interface Undone extends Done {
  /** The record before that. */
  readonly back: number;
}

/** A moment to go back to. */
export interface Snapshot {
  readonly id: string;
  /** The record after which the session was as it is to be again. */
  readonly seq: number;
  readonly title: string;
  /** Who made it: somebody who asked, or the engine before a compression or as the window filled. */
  readonly by: 'person' | 'compression' | 'threshold';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly turn: number;
  readonly entries: number;
  /** Tokens of the assembly then. */
  readonly tokens: number;
  /** Tokens of all that had been said. */
  readonly said: number;
  readonly epoch: number;
}

/** Entries that were said on a branch that was left, and have no place in what was restored. */
export interface Left {
  /** The record that left it. */
  readonly id: number;
  readonly cause: Cause;
  readonly from: EntryId;
  readonly to: EntryId;
  readonly entries: number;
  /** First and last position of each stretch, both included. */
  readonly runs: readonly (readonly [first: number, last: number])[];
  /** Of a way that was left for another: the last entry before it, null for the beginning. */
  readonly after?: EntryId | null;
}

/** Why a branch was left; `fork` where a host took another way. */
export type Cause = 'undo' | 'redo' | 'restore' | 'fork';

/** Where a host took another way. */
export interface Fork {
  /** The record to go back to. */
  readonly from: number;
  /** The first entry of the way that is left. */
  readonly at: EntryId;
  /** Entries after it that the host has all the same: its own summaries, which came late. */
  readonly keep: readonly EntryId[];
}

/** What can be gone back to, and what was left. */
export interface Timeline {
  /** Steps that can be taken back, the newest last. */
  readonly done: readonly Done[];
  /** Steps that were taken back and can be taken again, the newest last; empty once something new was decided. */
  readonly undone: readonly Undone[];
  /** Oldest first. */
  readonly snapshots: readonly Snapshot[];
  /** Snapshots made so far. */
  readonly made: number;
  /** Branches that were left with entries on them, oldest first. */
  readonly left: readonly Left[];
  /** The record before the last way back; null without one. */
  readonly turned: number | null;
}

/** Of a session that begins. */
export const freshTimeline: Timeline = {
  done: [],
  undone: [],
  snapshots: [],
  made: 0,
  left: [],
  turned: null,
};

/** Most steps that can be taken back. */
const mostDone = 64;

/** Most snapshots of the engine's own that are listed; the oldest of them go first. */
const mostAutomatic = 32;

/** What the facts are called that decide something which can be taken back. */
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

/** The state with a fact taken down: steps that can be taken back, and that what was taken back cannot be taken again. */
export function remember(state: State, { type }: Fact): State {
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

/** Facts of a recovery; a goal or a frame in the same record was read out of a document. */
const recovering: ReadonlySet<Fact['type']> = new Set([
  'recovery.announced',
  'recovery.moved',
  'session.recovered',
]);

function asRecovery(timeline: Timeline, seq: number): Timeline {
  const step = timeline.done.at(-1);
  if (step?.to !== seq || (step.what !== 'goal' && step.what !== 'push')) return timeline;
  return { ...timeline, done: [...timeline.done.slice(0, -1), { ...step, what: 'recovery' }] };
}

/** Steps that can be taken back after one more; what one record did is taken back together. */
function taken({ done }: Timeline, step: Done): readonly Done[] {
  return done.at(-1)?.to === step.to ? done : [...done, step].slice(-mostDone);
}

/** The timeline after a state was restored in the record that follows `seq`. */
export function restoredTimeline(
  { timeline, seq }: Pick<State, 'timeline' | 'seq'>,
  given: { readonly cause: Cause; readonly left: readonly Left[]; readonly from: number },
): Timeline {
  const { cause, left, from } = given;
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

/** The timeline with one snapshot more. */
export function addSnapshot(timeline: Timeline, snapshot: Snapshot): Timeline {
  const all = [...timeline.snapshots, snapshot];
  const automatic = all.filter(({ by }) => by !== 'person');
  const gone = new Set(automatic.slice(0, Math.max(0, automatic.length - mostAutomatic)));
  const snapshots = all.filter((one) => !gone.has(one));
  return { ...timeline, snapshots, made: timeline.made + 1 };
}

/** The branch left behind with the entries at these positions, oldest first; none without entries. */
export function leftWith(
  positions: readonly number[],
  branch: Pick<Left, 'id' | 'cause' | 'after'>,
): readonly Left[] {
  if (positions.length === 0) return [];
  const range = { from: entryId(positions[0]!), to: entryId(positions.at(-1)!) };
  return [{ ...branch, ...range, entries: positions.length, runs: toStretches(positions) }];
}

/** The branch that an entry was left on; undefined for one that was not. */
export function leftAt(left: readonly Left[], n: number): Left | undefined {
  return left.find(({ runs }) => runs.some(([first, last]) => first <= n && n <= last));
}

/** The entries that were left on a branch, ascending. */
export function positionsOf({ runs }: Left): readonly number[] {
  return runs.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}
