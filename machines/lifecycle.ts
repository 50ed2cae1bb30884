import { transition, type AnyStateMachine } from 'xstate';
import type { FrameTable } from '../src/core/frame.ts';
import type { Lifecycle, Lifecycles } from '../src/core/lifecycle.ts';
import { frameMachine } from './frame.ts';
import { sessionMachine } from './session.ts';

/**
 * The frame and the session machine as tables: ten thousand frames need a look-up
 * each, not an actor each. Every cell is asked of the machine itself, once, when loaded.
 */
export const lifecycles: Lifecycles = {
  frame: compile(frameMachine),
  session: compile(sessionMachine),
};

/** Which status each event leads a frame to; absent means refused. */
export const frameTable: FrameTable = lifecycles.frame.next;

/** Which phase each command and event leads a session to; absent means refused. */
export const sessionTable: Lifecycles['session']['next'] = lifecycles.session.next;

function compile<State extends string, Event extends string>(
  machine: AnyStateMachine,
): Lifecycle<State, Event> {
  const row = (value: string): [string, object] => {
    const from = machine.resolveState({ value, context: {} });
    const taken = machine.events.filter((type) => from.can({ type }));
    const to = (type: string): unknown => transition(machine, from, { type })[0].value;
    return [value, Object.fromEntries(taken.map((type) => [type, to(type)]))];
  };
  const next = Object.fromEntries(Object.keys(machine.states).map(row));
  return { initial: machine.config.initial as State, next: next as Rows<State, Event> };
}

type Rows<State extends string, Event extends string> = Lifecycle<State, Event>['next'];
