import { entryId, type EntryId } from '../values/id.ts';
import { isWithin, positionsBetween, toPositionSpans, type PositionSpan } from '../values/span.ts';

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
export interface UndoableStep {
  readonly what: Undoable;
  /** The record before it. */
  readonly to: number;
}

/** A step that was taken back. */
interface Undone extends UndoableStep {
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
export interface AbandonedBranch {
  /** The record that left it. */
  readonly id: number;
  readonly cause: RewindCause;
  readonly from: EntryId;
  readonly to: EntryId;
  readonly entries: number;
  /** Where they lie, ascending. */
  readonly runs: readonly PositionSpan[];
  /** Of a way that was left for another: the last entry before it, null for the beginning. */
  readonly after?: EntryId | null;
}

/** Why a branch was left; `fork` where a host took another way. */
export type RewindCause = 'undo' | 'redo' | 'restore' | 'fork';

/** Where a host took another way. */
export interface HostFork {
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
  readonly done: readonly UndoableStep[];
  /** Steps that were taken back and can be taken again, the newest last; empty once something new was decided. */
  readonly undone: readonly Undone[];
  /** Oldest first. */
  readonly snapshots: readonly Snapshot[];
  /** Snapshots made so far. */
  readonly made: number;
  /** Branches that were left with entries on them, oldest first. */
  readonly left: readonly AbandonedBranch[];
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

/** The branch left behind with the entries at these positions, oldest first; none without entries. */
export function leftWith(
  positions: readonly number[],
  branch: Pick<AbandonedBranch, 'id' | 'cause' | 'after'>,
): readonly AbandonedBranch[] {
  if (positions.length === 0) return [];
  const range = { from: entryId(positions[0]!), to: entryId(positions.at(-1)!) };
  return [{ ...branch, ...range, entries: positions.length, runs: toPositionSpans(positions) }];
}

/** The branch that an entry was left on; undefined for one that was not. */
export function leftAt(left: readonly AbandonedBranch[], n: number): AbandonedBranch | undefined {
  return left.find(({ runs }) => runs.some((run) => isWithin(run, n)));
}

/** The entries that were left on a branch, ascending. */
export function positionsOf({ runs }: AbandonedBranch): readonly number[] {
  return runs.flatMap(positionsBetween);
}
