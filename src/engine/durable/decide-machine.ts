import { hash } from 'node:crypto';
import {
  createActor,
  fromPromise,
  initialTransition,
  transition,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  type Snapshot,
} from 'xstate';
import { EngineError } from '../../core/values/error.ts';
import { done, failed, readActions, type MachineAction } from '../step/machine-actions.ts';
import { doesBeside, portsOf, unsupported } from './check-machine.ts';
import { asJson, errorOf, failureOf, notKept } from './kept-json.ts';
import type {
  MachineInput,
  MachineRecord,
  OwedTimer,
  PersistedSnapshot,
  RestingMachine,
} from './machine-record.ts';

// One step of somebody's machine: XState's `transition` says where it goes and what it asks for. It is
// decided on what JSON gives back of the last step, so that a process which goes on and one that comes after
// a crash decide on the same.

/** A machine whose steps are decided. */
export interface DecidedMachine {
  readonly machine: AnyStateMachine;
  /** What each call of a port that it has may ask, by its id. */
  readonly ports: ReadonlyMap<string, readonly string[]>;
}

/** A machine of which XState runs nothing: its ports wait for ever. */
export function toDecided(machine: AnyStateMachine, names: readonly string[]): DecidedMachine {
  const waits = fromPromise<unknown, unknown>(() => new Promise(() => undefined));
  const actors = Object.fromEntries(names.map((name) => [name, waits]));
  return { machine: machine.provide({ actors } as never), ports: portsOf(machine) };
}

/** A step that was decided. */
export interface MachineStep {
  readonly record: MachineRecord;
  readonly after: RestingMachine;
}

/** Decides what an input does, as the next step unless `seq` is told; throws `MACHINE_FAILED` where the machine throws, and `MACHINE_UNSUPPORTED` where it comes to what cannot be kept. */
export function decideMachine(
  of: DecidedMachine,
  before: RestingMachine | null,
  options: { readonly input: MachineInput; readonly at: number; readonly seq?: number },
): MachineStep {
  const { machine } = of;
  const { input, at, seq = (before?.seq ?? 0) + 1 } = options;
  const [next, actions] = go(machine, before, input);
  const owed = before === null || isBegin(input) ? nothing : withoutInput(before, input);
  const owedAfter = askedFor(machine, { owed, actions, seq, at, to: next });
  const { ports, timers } = next.status === 'active' ? owedAfter : nothing;
  // Before XState persists it, which follows a context that is a part of itself for ever.
  checkStep(of, next, { ...owedAfter, ports, timers });
  const rest = { snapshot: persisted(machine, next), ports: [...ports], timers: [...timers] };
  const kept = asJson(rest);
  const after: RestingMachine = {
    seq,
    run: isBegin(input) ? input.run : before!.run,
    created: before?.created ?? at,
    updated: at,
    machine: machine.id,
    version: machine.version ?? null,
    snapshot: kept.snapshot,
    ports: new Map(kept.ports),
    timers: new Map(kept.timers),
  };
  const details = { input, emitted: owedAfter.emitted, owed };
  return { record: asJson(recordOf(after, details)), after };
}

/** What a machine waits for. */
type Owed = Pick<RestingMachine, 'ports' | 'timers'>;

const nothing: Owed = { ports: new Map(), timers: new Map() };

/** What is owed beside what came in. */
function withoutInput({ ports, timers }: Owed, input: MachineInput): Owed {
  const left = { ports: new Map(ports), timers: new Map(timers) };
  if (input.type === 'done' || input.type === 'error') left.ports.delete(input.port);
  if (input.type === 'fire') left.timers.delete(input.timer);
  return left;
}

/** What is owed after the actions of a step, and what they emitted. */
function askedFor(
  machine: AnyStateMachine,
  step: {
    readonly owed: Owed;
    readonly actions: readonly MachineAction[];
    readonly seq: number;
    readonly at: number;
    /** Where it goes. */
    readonly to: AnyMachineSnapshot;
  },
): Owed & { readonly emitted: readonly EventObject[] } {
  const { seq, at } = step;
  const ports = new Map(step.owed.ports);
  const timers = new Map(step.owed.timers);
  const emitted: EventObject[] = [];
  for (const [index, action] of step.actions.entries())
    switch (action.type) {
      case 'ask':
        ports.set(action.port, { src: String(action.src), input: action.input, asked: seq });
        break;
      case 'leave':
        ports.delete(action.port);
        break;
      case 'wait':
        if (!Number.isFinite(action.milliseconds))
          throw unsupported(machine.id, `it waits ${action.milliseconds} ms`, {
            name: action.timer,
          });
        timers.set(action.timer ?? `${seq}.${index}`, {
          due: at + Math.max(0, Math.ceil(action.milliseconds)),
          event: action.event,
        });
        break;
      case 'cancel':
        timers.delete(action.timer);
        break;
      case 'emit':
        emitted.push(action.event);
        break;
      case 'other': {
        const state = leavesOf(step.to);
        throw unsupported(machine.id, `on its way to "${state}" it ${doesBeside(action.name)}`, {
          state,
          name: action.name,
        });
      }
    }
  return { ports, timers, emitted };
}

/** The innermost states that a machine is in, by their ids. */
const leavesOf = ({ _nodes: nodes }: AnyMachineSnapshot): string =>
  nodes
    .filter(({ states }) => Object.keys(states).length === 0)
    .map(({ id }) => id)
    .join(', ');

/** The record of a step that led there. */
function recordOf(
  { seq, updated, snapshot, ports, timers }: RestingMachine,
  details: {
    readonly input: MachineInput;
    readonly emitted: readonly EventObject[];
    readonly owed: Owed;
  },
): MachineRecord {
  const { input, emitted, owed } = details;
  const { value, status, children: _, ...content } = snapshot;
  const asked = [...ports].filter(([, port]) => port.asked === seq).map(([port]) => port);
  const set = [...timers].filter(([timer, { due }]) => owed.timers.get(timer)?.due !== due);
  return {
    seq,
    at: updated,
    input,
    value,
    status,
    ...(emitted.length > 0 && { emitted }),
    ...(asked.length > 0 && { asked }),
    ...(set.length > 0 && { timers: set.map(([timer, { due }]) => [timer, due] as const) }),
    digest: hash('sha256', JSON.stringify(content)).slice(0, 16),
  };
}

/** Whether a machine that rests can go on as this one, with its state and with all that it asked; one that is over can in any version. */
export function goesOn(of: DecidedMachine, resting: RestingMachine): boolean {
  const { machine } = of;
  if (resting.machine !== machine.id) return false;
  if (resting.snapshot.status !== 'active') return true;
  if (resting.version !== (machine.version ?? null)) return false;
  try {
    restored(machine, resting.snapshot);
  } catch {
    return false;
  }
  return [...resting.ports].every(([port, { src }]) => of.ports.get(port)?.includes(src) === true);
}

/** Where an input leads, and what is asked for on the way. */
function go(
  machine: AnyStateMachine,
  before: RestingMachine | null,
  input: MachineInput,
): readonly [AnyMachineSnapshot, readonly MachineAction[]] {
  try {
    if (before === null || isBegin(input)) {
      const machineInput = isBegin(input) ? input.input : undefined;
      const [next, actions] = initialTransition(machine, asJson(machineInput));
      if (next.status === 'error') throw next.error;
      return [next, readActions(actions)];
    }
    const at = restored(machine, before.snapshot);
    const [next, actions] = transition(machine, at, eventOf(before, input));
    return [next, readActions(actions)];
  } catch (cause) {
    throw machineFailed(machine.id, cause);
  }
}

/** An input with which a machine begins. */
type Begin = Extract<MachineInput, { readonly type: 'start' | 'restart' }>;

const isBegin = (input: MachineInput): input is Begin =>
  input.type === 'start' || input.type === 'restart';

/** The error of a machine that threw, or that ended with an error. */
export function machineFailed(machine: string, cause: unknown): EngineError {
  const reason = failureOf(cause).message;
  return new EngineError('MACHINE_FAILED', `Machine "${machine}" failed: ${reason}`, {
    detail: { machine, reason },
    cause,
  });
}

function eventOf(before: RestingMachine, input: Exclude<MachineInput, Begin>): EventObject {
  switch (input.type) {
    case 'event':
      return asJson(input.event);
    case 'done':
      return done(input.port, asJson(input.output));
    case 'error':
      return failed(input.port, errorOf(input.error));
    case 'fire':
      return asJson((before.timers.get(input.timer) as OwedTimer).event);
  }
}

/** A snapshot as XState goes on from it; throws where the machine lacks its state. */
function restored(machine: AnyStateMachine, snapshot: PersistedSnapshot): AnyMachineSnapshot {
  const plainSnapshot = asJson(snapshot) as unknown as Snapshot<unknown>;
  const at = createActor(machine, { snapshot: plainSnapshot }).getSnapshot() as AnyMachineSnapshot;
  if (at.status === 'error') throw at.error;
  return at;
}

function persisted(machine: AnyStateMachine, next: AnyMachineSnapshot): PersistedSnapshot {
  const { error, ...snapshot } = machine.getPersistedSnapshot(next) as unknown as PersistedSnapshot;
  return error === undefined ? snapshot : { ...snapshot, error: failureOf(error) };
}

/** Refuses what a step would keep and JSON does not give back, and actors that no state invokes. */
function checkStep(
  { machine: { id: machine }, ports }: DecidedMachine,
  { children, context, output }: AnyMachineSnapshot,
  asked: Owed & { readonly emitted: readonly EventObject[] },
): void {
  const stranger = Object.keys(children).find((child) => !ports.has(child));
  if (stranger !== undefined)
    throw unsupported(machine, `it spawned "${stranger}"`, { name: stranger });
  const parts: readonly (readonly [path: string, value: unknown])[] = [
    ['context', context],
    ['output', output],
    ...[...asked.ports].map(([port, { input }]) => [`input of ${port}`, input] as const),
    ...[...asked.timers].map(([timer, { event }]) => [`event of ${timer}`, event] as const),
    ...asked.emitted.map((event) => [`emitted ${event.type}`, event] as const),
  ];
  for (const [path, value] of parts) {
    const fault = notKept(value, path);
    if (fault !== null)
      throw unsupported(machine, `its ${fault.path} is ${fault.is}`, { path: fault.path });
  }
}
