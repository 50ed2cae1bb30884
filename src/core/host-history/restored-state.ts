import { evolve, type Folding } from '../state/evolve.ts';
import type { Fact, FactOf } from '../state/fact.ts';
import { isClosed, type Frame } from '../frames/frame.ts';
import { frameId, ordinal, type FrameId } from '../values/id.ts';
import { nextState, type Lifecycles, type Phase } from '../frames/lifecycle.ts';
import {
  leftAt,
  leftWith,
  type RewindCause,
  type HostFork,
  type AbandonedBranch,
} from '../state/timeline.ts';
import { closingMessage } from '../assembly/assembly.ts';
import type { UnansweredCall, State } from '../state/state.ts';
import { messageTokens, type Count } from '../messages/token-count.ts';
import { frameOf, type FrameTree } from '../frames/tree.ts';
import { at, members, push } from '../values/persistent-vector.ts';
import { released } from '../state/view.ts';
import { branchesAfter, isOnOtherBranch } from './branches.ts';
import type { PastState } from '../state/input.ts';

// Going back changes what is decided, never what was said. The old state is
// taken as it was, and what came in since is put behind it as if it had been
// said there:
//
//   then     f0 ─ f1 active, e1–e20              the state after record 40
//   since    e21 in f1 · pop f1 · e22 in f0 · push f2 · e23 in f2
//   again    f0 ─ f1 active, e1–e21              e22 is f0's, which is set aside
//            e23 is left: f2 was never pushed    one breadcrumb over it
//
// Where a host takes another branch, entries from the fork on are left in the same
// way (`branches.ts`), whatever step is then taken back.
//
// A snapshot is restored as it was: all that came since is left, unless it is to stay.
//
// An entry keeps its frame for good. Frames made since keep their ids, so that
// no id ever means two frames; no tree shows them any more.

type Appended = FactOf<'entry.appended'>;

/** The facts of a record that a rewind reads. */
export function factsForRewind(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(({ type }) => readOnRewind.has(type));
}

/** Facts that outlive a rewind, and those that end the life of goal markers. */
const readOnRewind: ReadonlySet<Fact['type']> = new Set([
  'entry.appended',
  'entry.counted',
  'entry.redacted',
  'unit.closed',
  'goal.updated',
  'goal.set',
  'state.restored',
]);

/** The old state with what was appended since, as the next state of the session. */
export function rewoundState(
  present: State,
  past: PastState,
  options: Folding & {
    readonly cause: RewindCause;
    readonly fork?: HostFork | undefined;
    readonly leaves?: boolean | undefined;
    readonly count: Count;
  },
): State {
  const id = present.seq + 1;
  const branchPoint = { old: past.state, fork: options.fork };
  const isOff = options.leaves === true ? () => true : isOnOtherBranch(present, branchPoint);
  const off: number[] = [];
  const left: number[] = [];
  let state: State = {
    ...past.state,
    frames: withNewerFrames(present, past.state, id),
    views: withoutCompressions(past.state),
  };
  let isSameGoal = true;
  for (const fact of past.since) {
    if (fact.type === 'goal.set' || fact.type === 'state.restored') isSameGoal = false;
    else if (fact.type === 'entry.appended' && isOff(ordinal(fact.entry))) {
      off.push(ordinal(fact.entry));
      isSameGoal = false;
    } else if (fact.type === 'unit.closed' && options.leaves === true) continue;
    else if (fact.type === 'goal.updated')
      state = isSameGoal ? evolve(state, fact, options) : state;
    else if (fact.type === 'unit.closed') state = closeStillOpen(state, fact, options);
    else if (fact.type !== 'entry.appended') state = evolve(state, fact, options);
    else if (hasPlace(state, fact))
      state = evolve(closeAbandoned(state, fact, options), fact, options);
    else {
      left.push(ordinal(fact.entry));
      state = { ...evolve(state, fact, options), views: state.views };
    }
  }
  const branches = branchesAfter(present, branchPoint, { off, id, cause: options.cause });
  const now = { ...present, phase: phaseAfter(present, state, options.lifecycles) };
  return withDecisionsOf(now, state, [
    ...branches,
    ...leftWith(left, { id, cause: options.cause }),
  ]);
}

/** Tokens appended since an old state, by frame. */
export function tokensSince({ since }: PastState): ReadonlyMap<FrameId, number> {
  const sums = new Map<FrameId, number>();
  for (const fact of since)
    if (fact.type === 'entry.appended')
      sums.set(fact.frame, (sums.get(fact.frame) ?? 0) + fact.shown);
  return sums;
}

/** The fact that turns `present` into the restored state. */
export function toRestoredFact(
  present: State,
  restored: State,
  rewind: Pick<FactOf<'state.restored'>, 'cause' | 'what' | 'from'>,
): Fact {
  const { phase, active, goal, chronicle, newest, calls, views, epochView, frames, timeline } =
    restored;
  return {
    type: 'state.restored',
    ...rewind,
    phase,
    active,
    goal,
    chronicle,
    newest,
    calls,
    frames: changedFrames(frames, present.frames),
    views: [...views],
    epochView: {
      ...epochView,
      length: epochView.frames.length,
      frames: changedFrames(epochView.frames, frames),
    },
    left: timeline.left,
  };
}

/** The phase after going back: completed if the old state was. */
function phaseAfter({ phase }: State, { frames }: State, { session }: Lifecycles): Phase {
  const back = nextState(session, phase, 'restore');
  const isOver = isClosed(frameOf(frames, frameId(0)));
  return isOver ? nextState(session, back, 'session.complete') : back;
}

/** The present with what was decided in the old state. */
function withDecisionsOf(present: State, old: State, left: readonly AbandonedBranch[]): State {
  const { frames, active, goal, chronicle, newest } = old;
  const { system, tools } = present.epochView.sizes;
  const isLeft = ({ n }: UnansweredCall): boolean => leftAt(left, n) !== undefined;
  return {
    ...present,
    frames,
    active,
    views: withoutTrigger(old),
    calls: old.calls.map((call) => (isLeft(call) ? { ...call, closed: true } : call)),
    newest,
    goal,
    chronicle,
    epochView: { ...old.epochView, sizes: { ...old.epochView.sizes, system, tools } },
    timeline: { ...present.timeline, left: [...old.timeline.left, ...left] },
  };
}

/** The old tree with the frames made since behind it, invalidated and on an abandoned branch. */
function withNewerFrames(present: State, old: State, branch: number): FrameTree {
  let { frames } = old;
  for (let n = frames.length; n < present.frames.length; n += 1) {
    const frame = at(present.frames, n)!;
    frames = push(frames, { ...frame, status: 'invalidated', partial: null, branch });
  }
  return frames;
}

/** The views without running compressions, whose results are dropped, and released. */
function withoutCompressions({ views }: State): State['views'] {
  return new Map([...views].map(([id, view]) => [id, { ...released(view), compression: null }]));
}

/** The views, of which the active one triggers no compression before it grows. */
function withoutTrigger({ views, active }: State): State['views'] {
  const view = views.get(active);
  if (view === undefined) return views;
  return new Map(views).set(active, { ...view, stuckAt: Math.max(1, view.tokens) });
}

/** Whether the old state can take an entry: its frame is there and open, and so is the call that it answers. */
function hasPlace(state: State, fact: Appended): boolean {
  const frame = frameOf(state.frames, fact.frame);
  if (frame.branch !== undefined) return false;
  const isAnswer = fact.call !== undefined;
  if (isAnswer && !state.calls.some((call) => answers(call, fact))) return false;
  return state.views.has(frame.id) || (isAnswer && isClosed(frame));
}

const answers = (call: UnansweredCall, fact: Appended): boolean =>
  !call.closed && call.id === fact.call && call.n === fact.unit;

/** Closes calls that were open on another branch, where the next entry answers none of them. */
function closeAbandoned(
  state: State,
  { frame, call }: Appended,
  folding: Folding & { readonly count: Count },
): State {
  const open = state.calls.filter((one) => !one.closed && one.frame === frame);
  if (call !== undefined || open.length === 0) return state;
  const calls = open.map(({ id, name, n }) => {
    const tokens = messageTokens(closingMessage({ id, name }), folding.count);
    return { id, name, n, tokens };
  });
  return evolve(state, { type: 'unit.closed', frame, calls }, folding);
}

/** Closes those of the calls that are still open. */
function closeStillOpen(state: State, fact: FactOf<'unit.closed'>, folding: Folding): State {
  // Two calls of a message may go by one id: each closes one that is open.
  const open = state.calls.filter(({ closed }) => !closed);
  const calls = fact.calls.filter(({ id, n }) => {
    const index = open.findIndex((call) => call.id === id && call.n === n);
    if (index >= 0) open.splice(index, 1);
    return index >= 0;
  });
  return calls.length === 0 ? state : evolve(state, { ...fact, calls }, folding);
}

/** The frames that differ from those of another tree, by ordinal. */
function changedFrames(frames: FrameTree, other: FrameTree): readonly (readonly [number, Frame])[] {
  return members(frames).flatMap((frame, n) => {
    const before = at(other, n);
    const isSame = before === frame || JSON.stringify(before) === JSON.stringify(frame);
    return isSame ? [] : [[n, frame] as const];
  });
}
