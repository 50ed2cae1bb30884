import type { AnyStateMachine } from 'xstate';
import type { FrameTable } from '../src/core/frames/frame.ts';
import type { Lifecycle, Lifecycles } from '../src/core/frames/lifecycle.ts';
import { frameMachine } from './frame.ts';
import { sessionMachine } from './session.ts';

/**
 * The frame and the session machine as tables, compiled once when loaded: ten
 * thousand frames need a look-up each, not an actor each. Neither machine has
 * guards, so each event has one transition.
 */
export const lifecycles: Lifecycles = {
  frame: compile(frameMachine),
  session: compile(sessionMachine),
};

/** The versions of both machines; what is folded by tables of other versions is folded again. */
export const lifecycleVersions = {
  frame: frameMachine.version!,
  session: sessionMachine.version!,
} as const;

/** Which status each event leads a frame to; absent means refused. */
export const frameTable: FrameTable = lifecycles.frame.next;

/** Which phase each command and event leads a session to; absent means refused. */
export const sessionTable: Lifecycles['session']['next'] = lifecycles.session.next;

function compile<State extends string, Event extends string>(
  machine: AnyStateMachine,
): Lifecycle<State, Event> {
  const next = Object.values(machine.states).map(({ key, transitions }) => {
    const cells = [...transitions].map(([type, [transition]]) => [
      type,
      transition!.target![0]!.key,
    ]);
    return [key, Object.fromEntries(cells)];
  });
  return {
    initial: machine.config.initial as State,
    next: Object.fromEntries(next) as Rows<State, Event>,
  };
}

type Rows<State extends string, Event extends string> = Lifecycle<State, Event>['next'];
