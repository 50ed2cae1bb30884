import { frameTable, lifecycles, sessionTable } from '../../../machines/lifecycle.ts';
import type { Frame } from '../../core/frames/frame.ts';
import type { Phase } from '../../core/frames/lifecycle.ts';
import { cascade, frameOf } from '../../core/frames/tree.ts';
import { evolve } from '../../core/state/evolve.ts';
import type { Fact, FactOf } from '../../core/state/fact.ts';
import type { Input, JournalRecord, Recorded } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { frameId, type FrameId } from '../../core/values/id.ts';
import { at as memberAt } from '../../core/values/persistent-vector.ts';
import { begins, commandOf, idleStates, type DrivenSubject, type Transition } from './trace.ts';

// Frames and the session follow tables, which are asked where facts are folded; so
// what they do is told with the facts. So are the lives of effects and timers.

/** A fact between the states before and after it. */
interface Folded<F extends Fact = Fact> {
  readonly before: State;
  readonly fact: F;
  readonly after: State;
}

type Moves<F extends Fact = Fact> = (folded: Folded<F>) => readonly Transition[];

/** The facts that move what is not driven, and how. */
const moves: { readonly [Type in Fact['type']]?: Moves<FactOf<Type>> } = {
  'session.moved': movedSession,
  'frame.planned': ({ fact, after }) => frameBegins(frameOf(after.frames, fact.frame)),
  'frame.pushed': ({ fact, after }) => entered(after, fact.frame),
  'frame.retried': ({ fact, after }) => entered(after, fact.frame),
  'frame.started': ({ before, fact, after }) => movedFrames(before, after, [fact.frame]),
  'frame.popped': ({ before, fact, after }) =>
    movedFrames(before, after, [fact.frame, ...fallen(before, fact.dropped)]),
  'frame.invalidated': ({ before, fact, after }) =>
    movedFrames(before, after, fallen(before, [fact.frame])),
  'state.restored': restored,
  'effect.requested': ({ fact: { key, effect } }) => [
    begins({ machine: 'effect', key, effect }, 'pending'),
  ],
  'effect.ended': ended,
  'timer.set': ({ fact: { key, due, frame } }) => [
    begins({ machine: 'timer', key, due, frame }, 'waiting'),
  ],
  'timer.ended': ended,
  'document.requested': ({ fact: { key, text, at: moment } }) => [
    begins({ machine: 'document', document: { key, text, at: moment } }, 'pending'),
  ],
  'document.written': ended,
  'document.failed': ended,
};

/** The moves that a fact tells of; none of machines that are driven. */
export function movesOf(before: State | null, fact: Fact, after: State): readonly Transition[] {
  if (before !== null)
    return (moves[fact.type] as Moves | undefined)?.({ before, fact, after }) ?? [];
  const session = begins({ machine: 'session', state: after }, after.phase);
  return [session, ...entered(after, frameId(0))];
}

/** Folds a record into the state before it, with the moves that its facts tell of: of driven machines, where they rest. */
export function foldMoves(
  before: State | null,
  { facts, seq, at }: JournalRecord,
  input: Input | Recorded,
): { readonly state: State; readonly moves: readonly Transition[] } {
  const moves: Transition[] = [];
  let state = before;
  for (const fact of facts) {
    const after = evolve(state, fact, { at, lifecycles });
    moves.push(...movesOf(state, fact, after), ...restsOf(state, fact));
    state = after;
  }
  const folded = { ...state!, seq, updated: at };
  return { state: folded, moves: [...commandOf(before, input, folded), ...moves] };
}

/** Where a fact says that a driven machine rests, as one move from where it rested before. */
export function restsOf(before: State | null, fact: Fact): readonly Transition[] {
  if (before === null) return [];
  if (fact.type === 'compression.moved') {
    const { frame, state } = fact;
    const resting = before.views.get(frame)?.compression ?? null;
    const memory = (state ?? resting)?.memory;
    const subject = memory && ({ machine: 'compression', frame, memory } as const);
    return rests(subject, [resting, state], fact);
  }
  if (fact.type !== 'recovery.moved') return [];
  const { recovery } = before.losses;
  const memory = (fact.state ?? recovery)?.memory;
  return rests(memory && { machine: 'recovery', memory }, [recovery, fact.state], fact);
}

function rests(
  subject: DrivenSubject | undefined,
  [before, after]: readonly [{ readonly value: string } | null, { readonly value: string } | null],
  { type }: Fact,
): readonly Transition[] {
  if (subject === undefined) return [];
  const idle = idleStates[subject.machine];
  const move = { event: { type }, from: before?.value ?? idle, to: after?.value ?? idle };
  return [...(before === null ? [begins(subject, idle)] : []), { ...subject, ...move }];
}

const frameBegins = (frame: Frame): readonly Transition[] => [
  begins({ machine: 'frame', frame }, lifecycles.frame.initial),
];

/** A frame that is made and entered at once. */
function entered({ frames }: State, id: FrameId): readonly Transition[] {
  const frame = frameOf(frames, id);
  return [...frameBegins(frame), moved(frame, lifecycles.frame.initial)];
}

/** A frame that went from one status to the one it has, by the event that leads there. */
function moved(frame: Frame, from: Frame['status']): Transition {
  const row = Object.entries(frameTable[from]);
  const type = row.find(([, status]) => status === frame.status)?.[0] ?? 'restore';
  return { machine: 'frame', frame, event: { type }, from, to: frame.status };
}

function movedFrames(before: State, after: State, ids: readonly FrameId[]): readonly Transition[] {
  return ids.map((id) => moved(frameOf(after.frames, id), frameOf(before.frames, id).status));
}

/** The frames that fall with these, themselves included. */
const fallen = ({ frames }: State, ids: readonly FrameId[]): readonly FrameId[] =>
  ids.flatMap((id) => cascade(frames, id, frameTable).map((frame) => frame.id));

/** What moves a session from one phase to another. */
const signals = [
  'recovery.ended',
  'compression.ended',
  'recovery.started',
  'compression.started',
  'session.complete',
] as const;

function movedSession({ before, after }: Folded): readonly Transition[] {
  const [from, to] = [before.phase, after.phase];
  const row: Partial<Record<string, Phase>> = sessionTable[from] ?? {};
  const type = signals.find((signal) => row[signal] === to) ?? 'restart';
  return [{ machine: 'session', state: after, event: { type }, from, to }];
}

/** What is otherwise after going back: frames that were made since stop, and those of the step that is taken again are there again. */
function restored({
  before,
  fact,
  after,
}: Folded<FactOf<'state.restored'>>): readonly Transition[] {
  const { type: _, cause, what, from: seq } = fact;
  const event = { type: 'restore', cause, what, seq };
  const frames = fact.frames.flatMap(([n]): readonly Transition[] => {
    const [old, frame] = [memberAt(before.frames, n), memberAt(after.frames, n)!];
    if (old?.branch !== undefined && frame.branch !== undefined) return [];
    if (old === undefined || old.branch !== undefined)
      return [begins({ machine: 'frame', frame }, frame.status)];
    if (old.status === frame.status && frame.branch === undefined) return [];
    return [{ machine: 'frame', frame, event, from: old.status, to: frame.status }];
  });
  const { phase } = before;
  return [{ machine: 'session', state: after, event, from: phase, to: after.phase }, ...frames];
}

type EndFact = FactOf<'effect.ended' | 'timer.ended' | 'document.written' | 'document.failed'>;

function ended({ before, fact: { type, key } }: Folded<EndFact>): readonly Transition[] {
  const { outbox, timers, documents } = before;
  const move = { event: { type }, from: 'pending', to: 'ended' };
  if (type === 'effect.ended') {
    const effect = outbox.get(key);
    return effect === undefined ? [] : [{ machine: 'effect', key, effect, ...move }];
  }
  if (type === 'timer.ended') {
    const timer = timers.get(key);
    return timer === undefined
      ? []
      : [{ machine: 'timer', key, ...timer, ...move, from: 'waiting' }];
  }
  const document = documents.pending.find((one) => one.key === key);
  const to = type === 'document.failed' ? 'failed' : 'written';
  return document === undefined ? [] : [{ machine: 'document', document, ...move, to }];
}
