import type { FrameEvent, FrameStatus } from './frame.ts';

// Statecharts as plain tables. Core imports no machine, so the tables come in as
// arguments where a step is decided and where facts are folded. Changing a
// transition therefore changes what older records mean.

/** The phase of a session. */
export type Phase = 'open' | 'compressing' | 'recovering' | 'completed';

/** The commands that a session takes or refuses by its phase: inputs, and parts of inputs. */
export type SessionCommand =
  /** A message that answers no open call. */
  | 'append'
  /** The missing result of an open call. */
  | 'answer'
  /** A host's list that continues another branch. */
  | 'sync.branch'
  /** A change of the goal by the model's own tool. */
  | 'tool.goal'
  /** A loss, which begins a recovery. */
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
  | 'redact'
  | 'snapshot'
  | 'snapshot.delete'
  | 'restore'
  | 'configure'
  | 'count'
  | 'lose'
  | 'fit'
  | 'settle'
  | 'fail'
  | 'fire'
  | 'abandon'
  | 'documents'
  | 'document'
  | 'document.settle'
  | 'document.fail'
  | 'page';

/** The events of the session machine: commands, and changes of the session itself. */
export type SessionSignal =
  | SessionCommand
  | 'compression.started'
  | 'compression.ended'
  | 'recovery.started'
  | 'recovery.ended'
  | 'session.complete';

/** The table of a machine without context: its initial state, and transitions by state and event; an absent one is refused. */
export interface Lifecycle<State extends string, Event extends string> {
  readonly initial: State;
  readonly next: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;
}

/** The tables that the state of a session follows. */
export interface Lifecycles {
  readonly frame: Lifecycle<FrameStatus, FrameEvent>;
  readonly session: Lifecycle<Phase, SessionSignal>;
}

/** The state after `event`; `state` itself where the event is refused. */
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
