import { transition, type AnyStateMachine, type EventObject } from 'xstate';
import type { Part } from '../../core/values/parts.ts';

// Machines are driven purely: `transition` says where a machine goes and what it
// asks for, and nothing runs by itself. Ports that are pure functions are answered
// within the same step, so that a machine rests only where time must pass. No
// `xstate.*` name leaves this file.

/** A machine at rest: its state and its context. */
export interface MachineState<Memory> {
  readonly value: string;
  readonly memory: Memory;
}

/** Whether a machine has this state, in this version of it. */
export function isKnown(
  machine: AnyStateMachine,
  { version, value }: { readonly version: string; readonly value: string },
): boolean {
  return version === machine.version && Object.hasOwn(machine.states, value);
}

/** A machine that came to rest again, and what it waits for. */
export interface DrivenMachine<Memory> extends MachineState<Memory> {
  /** Ports that were not answered at once, with their input. */
  readonly requests: readonly { readonly port: string; readonly input: unknown }[];
  /** The delay that runs in this state, in milliseconds; null for none. */
  readonly delay: number | null;
}

/** An event of the machine's own, the answer or error of a port, or the end of a delay. */
export type MachineInput =
  | { readonly type: 'event'; readonly event: EventObject }
  | { readonly type: 'answer'; readonly port: string; readonly output: unknown }
  | {
      readonly type: 'error';
      readonly port: string;
      readonly reason: string;
      /** The least that a delay which follows takes, in milliseconds. */
      readonly wait?: number;
    }
  | { readonly type: 'elapsed'; readonly delay: string };

/** What a machine may call while it is driven. */
export interface Ports<Memory> {
  /** Answers a port at once, or `undefined` where it takes time. */
  answer(port: string, input: unknown): { output: unknown } | undefined;
  /** Does a part of the work. */
  readonly part: Part;
  /** Called with each event that the machine emits. */
  onEmit(event: EventObject, memory: Memory): void;
}

/** Drives `machine` from where it rests until it rests again. */
export function drive<Memory>(
  machine: AnyStateMachine,
  from: { at: MachineState<Memory>; input: MachineInput },
  ports: Ports<Memory>,
): DrivenMachine<Memory> {
  let state = machine.resolveState({ value: from.at.value, context: from.at.memory });
  const queue: EventObject[] = [toEvent(machine, from.at.value, from.input)];
  let requests: { port: string; input: unknown }[] = [];
  let delay: number | null = null;
  for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
    const before = state.value;
    const [next, actions] = ports.part(() => transition(machine, state, event));
    state = next;
    if (before !== next.value) [requests, delay] = [[], null];
    for (const action of actions as readonly { type: string; params?: unknown }[]) {
      const effect = readAction(action);
      if (effect.type === 'emit') ports.onEmit(effect.event, next.context as Memory);
      if (effect.type === 'delay') delay = effect.milliseconds;
      if (effect.type !== 'ask') continue;
      const answer = ports.answer(effect.port, effect.input);
      if (answer === undefined) requests.push(effect);
      else queue.push(done(effect.port, answer.output));
    }
  }
  const least = from.input.type === 'error' ? (from.input.wait ?? 0) : 0;
  return {
    value: String(state.value),
    memory: state.context as Memory,
    requests,
    delay: delay === null ? null : Math.max(delay, least),
  };
}

function toEvent(machine: AnyStateMachine, value: string, input: MachineInput): EventObject {
  switch (input.type) {
    case 'event':
      return input.event;
    case 'answer':
      return done(input.port, input.output);
    case 'error':
      return {
        type: `xstate.error.actor.${input.port}`,
        error: new Error(input.reason),
      } as EventObject;
    case 'elapsed':
      return { type: `xstate.after.${input.delay}.${machine.id}.${value}` };
  }
}

function done(port: string, output: unknown): EventObject {
  return { type: `xstate.done.actor.${port}`, output } as EventObject;
}

type MachineEffect =
  | { readonly type: 'emit'; readonly event: EventObject }
  | { readonly type: 'ask'; readonly port: string; readonly input: unknown }
  | { readonly type: 'delay'; readonly milliseconds: number }
  | { readonly type: 'none' };

function readAction(action: { type: string; params?: unknown }): MachineEffect {
  const params = action.params as Record<string, unknown>;
  switch (action.type) {
    case 'xstate.emit':
      return { type: 'emit', event: params['event'] as EventObject };
    case 'xstate.spawnChild': {
      const ref = params['actorRef'] as { getPersistedSnapshot(): { input?: unknown } };
      return {
        type: 'ask',
        port: String(params['id']),
        input: ref.getPersistedSnapshot().input,
      };
    }
    case 'xstate.raise':
      return { type: 'delay', milliseconds: Number(params['delay'] ?? 0) };
    default:
      return { type: 'none' };
  }
}
