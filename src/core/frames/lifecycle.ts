import type { FrameEvent, FrameStatus } from './frame.ts';

// What a statechart says, as plain values: core imports no machine, so their
// tables come in as arguments, where a step is decided and where facts are folded:
// an arrow that is changed changes what older records mean.

/** What a session is doing. */
export type Phase = 'open' | 'compressing' | 'recovering' | 'completed';

/** What can be asked of a session: what comes in as an input, and what is refused or taken within one. */
export type SessionCommand =
  /** A message that answers no open call. */
  | 'append'
  /** The missing result of an open call. */
  | 'answer'
  /** A host's list that takes another branch. */
  | 'sync.branch'
  /** The goal as the model's own tool changes it. */
  | 'tool.goal'
  /** A loss that begins a recovery. */
  | 'suspect'
  | 'recover'
  | 'confirm'
  | 'report'
  | 'compare'
  | 'uncovered'
  | 'push'
  | 'plan'
  | 'start'
  | 'edit'
  | 'pop'
  | 'invalidate'
  | 'retry'
  | 'goal'
  | 'goal.update'
  | 'goal.status'
  | 'compress'
  | 'raise'
  | 'snapshot'
  | 'snapshot.delete'
  | 'restore'
  | 'configure'
  | 'count'
  | 'fit'
  | 'settle'
  | 'fail'
  | 'fire'
  | 'documents'
  | 'document'
  | 'document.settle'
  | 'document.fail';

/** A command, or what a session is told of itself. */
export type SessionSignal =
  | SessionCommand
  | 'compression.started'
  | 'compression.ended'
  | 'recovery.started'
  | 'recovery.ended'
  | 'session.complete';

/** A machine without memory, compiled: where it begins, and where each event leads; absent means refused. */
export interface Lifecycle<State extends string, Event extends string> {
  readonly initial: State;
  readonly next: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;
}

/** The lives that the state of a session follows. */
export interface Lifecycles {
  readonly frame: Lifecycle<FrameStatus, FrameEvent>;
  readonly session: Lifecycle<Phase, SessionSignal>;
}

/** Where `event` leads from `state`; where it is refused, nowhere. */
export function nextState<State extends string, Event extends string>(
  { next }: Lifecycle<State, Event>,
  state: State,
  event: Event,
): State {
  return next[state][event] ?? state;
}

/** The status of a frame that is entered as soon as it is made. */
export function enteredStatus({ frame }: Lifecycles): FrameStatus {
  return nextState(frame, frame.initial, 'frame.start');
}
