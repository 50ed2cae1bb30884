import {
  createActor,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  type ExecutableActionObject,
} from 'xstate';
import { readOnce } from '../../core/values/read-once.ts';
import type { Part } from '../../core/values/parts.ts';
import { done, failed, plainEvent, readActions, type MachineAction } from './machine-actions.ts';
import type { Move } from './trace.ts';

// Machines are driven purely: `transition` says where a machine goes and what it
// asks for, and nothing runs by itself. Ports that are pure functions are answered
// within the same step, so that a machine rests only where time must pass.

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
}

/** An event of the machine's own, or the answer or error of a port. */
export type MachineInput =
  | { readonly type: 'event'; readonly event: EventObject }
  | { readonly type: 'answer'; readonly port: string; readonly output: unknown }
  | {
      readonly type: 'error';
      readonly port: string;
      readonly reason: string;
      /** The least that a pause which follows takes, in milliseconds. */
      readonly wait?: number;
    };

/** What a machine may call while it is driven. */
export interface Ports<Memory> {
  /** Answers a port at once, or `undefined` where it takes time. */
  answer(port: string, input: unknown): { output: unknown } | undefined;
  /** Does a part of the work. */
  readonly part: Part;
  /** Called with each event that the machine emits. */
  onEmit(event: EventObject, memory: Memory): void;
  /** Called with each move, before what follows from it. */
  readonly onMove?: ((move: Move, memory: Memory) => void) | null;
}

/** Drives `machine` from where it rests until it rests again: where it was, where it begins, or where it waits for a port. */
export function drive<Memory>(
  machine: AnyStateMachine,
  from: { at: MachineState<Memory>; input: MachineInput },
  ports: Ports<Memory>,
): DrivenMachine<Memory> {
  let state = machine.resolveState({ value: from.at.value, context: from.at.memory });
  const queue: EventObject[] = [toEvent(from.input)];
  let requests: { port: string; input: unknown }[] = [];
  for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
    const before = state.value;
    const [next, actions] = ports.part(() => transition(machine, { state, event }));
    state = next;
    if (before !== next.value) requests = [];
    const effects = readActions(actions);
    ports.onMove?.(
      {
        event: plainEvent(event),
        from: String(before),
        to: String(next.value),
        ...namesOfEffects(effects),
      },
      next.context as Memory,
    );
    for (const effect of effects) {
      if (effect.type === 'emit') ports.onEmit(effect.event, next.context as Memory);
      if (effect.type !== 'ask') continue;
      const answer = ports.answer(effect.port, effect.input);
      if (answer === undefined) requests.push(effect);
      else queue.push(done(effect.port, answer.output));
    }
  }
  const value = String(state.value);
  const isOver = value === from.at.value || value === machine.config.initial;
  if (!isOver && requests.length === 0)
    throw new Error(`Machine "${machine.id}" rests in "${value}" and waits for nothing`);
  return { value, memory: state.context as Memory, requests };
}

/** Where a machine goes, and what it asks for: XState's `transition`, which makes an actor for each call, and enters the initial state with it. */
function transition(
  machine: AnyStateMachine,
  { state, event }: { readonly state: AnyMachineSnapshot; readonly event: EventObject },
): readonly [AnyMachineSnapshot, readonly ExecutableActionObject[]] {
  const actions: ExecutableActionObject[] = [];
  const actionExecutor = (action: ExecutableActionObject): void => void actions.push(action);
  const next = machine.transition(state, event, { ...scopeOf(machine), actionExecutor });
  return [next, actions];
}

/** The scope that a machine is driven in, by an actor that never starts. */
const scopeOf = readOnce((machine: AnyStateMachine): AnyActorScope => {
  const self = createActor(machine);
  const ignore = (): void => undefined;
  const ignored = { defer: ignore, logger: ignore, stopChild: ignore, emit: ignore };
  return { self, system: self.system, id: '', sessionId: '', ...ignored, actionExecutor: ignore };
});

function toEvent(input: MachineInput): EventObject {
  switch (input.type) {
    case 'event':
      return input.event;
    case 'answer':
      return done(input.port, input.output);
    case 'error':
      return failed(input.port, new Error(input.reason));
  }
}

/** What a move asks and emits, by name. */
function namesOfEffects(
  effects: readonly MachineAction[],
): Required<Pick<Move, 'asked' | 'emitted'>> {
  return {
    asked: effects.flatMap((effect) => (effect.type === 'ask' ? [effect.port] : [])),
    emitted: effects.flatMap((effect) => (effect.type === 'emit' ? [effect.event.type] : [])),
  };
}
