import type { Fact } from '../../core/state/fact.ts';
import type { State } from '../../core/state/state.ts';
import type { Undoable } from '../../core/state/timeline.ts';
import { frameOf } from '../../core/frames/tree.ts';
import type { SessionReader } from '../live/session-access.ts';
import { recordAt } from '../time-travel/journal-search.ts';
import { undoable } from '../../core/state/evolve-timeline.ts';

/** A step that can be taken back, or again. */
export interface TakenStep {
  readonly what: Undoable;
  /** The record that took it first. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly turn: number;
  /** The frame that was begun, left, abandoned or compressed; undefined for a goal and a restore. */
  readonly frame?: string;
  /** Of a frame that has one of its own: the root is called by the session's id until then. */
  readonly title?: string;
  /** Of a compression that made one: the checkpoint, and the entries behind it. */
  readonly checkpoint?: string;
  readonly from?: string;
  readonly to?: string;
  /** Of a goal: what it says. */
  readonly goal?: string;
  /** Of a restore: the snapshot that was gone back to. */
  readonly snapshot?: string;
}

/** What `undo` and `redo` would take, each the next one first. */
export interface TakenSteps {
  readonly undo: readonly TakenStep[];
  readonly redo: readonly TakenStep[];
}

/** The steps of a session that can be taken back, and again; reads a record for each. */
export async function takenSteps(session: SessionReader): Promise<TakenSteps> {
  const state = await session.durableState();
  const { store } = session;
  const { done, undone } = state.timeline;
  const read = async ({ what, to }: (typeof done)[number]): Promise<TakenStep> => {
    const { seq, at, turn, facts } = await recordAt(store, state.session, to + 1);
    return { what, seq, at, turn, ...detailOf(state, what, facts) };
  };
  const [undo, redo] = await Promise.all(
    [done, undone].map((steps) => Promise.all(steps.toReversed().map(read))),
  );
  return { undo: undo!, redo: redo! };
}

type StepDetail = Omit<TakenStep, 'what' | 'seq' | 'at' | 'turn'>;

/** What a step was about, by the facts of its record. */
function detailOf(state: State, what: Undoable, facts: readonly Fact[]): StepDetail {
  const snapshot = facts.find((fact) => fact.type === 'snapshot.restored');
  if (what === 'restore') return snapshot === undefined ? {} : { snapshot: snapshot.snapshot };
  const fact = facts.find(({ type }) => undoable[type] === what);
  if (fact?.type === 'goal.set') return { goal: fact.goal.description };
  if (fact === undefined || !('frame' in fact)) return {};
  const { frame } = fact;
  const { title } = frameOf(state.frames, frame);
  const made = facts.find((one) => one.type === 'checkpoint.created' && one.frame === frame);
  return {
    frame,
    ...(title === state.session ? {} : { title }),
    ...(made?.type === 'checkpoint.created' ? rangeOf(made.checkpoint) : {}),
  };
}

const rangeOf = ({ id, from, to }: { id: string; from: string; to: string }): StepDetail => ({
  checkpoint: id,
  from,
  to,
});
