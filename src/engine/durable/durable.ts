import { randomBytes } from 'node:crypto';
import type { AnyStateMachine } from 'xstate';
import { isObject } from '../../core/values/json.ts';
import {
  anything,
  callable,
  checkArgument,
  integer,
  objectOf,
  type Schema,
} from '../../core/values/validation.ts';
import { systemClock } from '../live/clock.ts';
import { isClock } from '../open/store-options.ts';
import { checkMachine } from './check-machine.ts';
import { goesOn, toDecided, type DecidedMachine } from './decide-machine.ts';
import type { DurableMachine, DurableOptions } from './durable-machine.ts';
import { checkKept } from './kept-json.ts';
import { LiveMachine } from './live-machine.ts';
import { toHandle } from './machine-handle.ts';
import { holdRecords, machinePlace, type HeldRecords } from './machine-host.ts';
import type { MachineInput, RestingMachine } from './machine-record.ts';
import type { PortBody } from './port-runs.ts';
import { machineChanged, stillOpen } from './refusals.ts';
import { holdMachine, type HeldMachine } from './shared-machines.ts';

const idPattern = /^[0-9A-Za-z_.-]{1,64}$/;

/** A machine, of whichever copy of XState. */
const machineSchema: Schema = {
  holds: (value) => {
    const { root, implementations, provide } = Object(value) as Partial<AnyStateMachine>;
    return isObject(root) && isObject(implementations) && typeof provide === 'function';
  },
  takes: 'a machine of XState v5, as setup(…).createMachine(…) gives it',
};

const durableOptions = objectOf<DurableOptions<AnyStateMachine>>(
  {
    host: machinePlace,
    id: {
      holds: (value) => typeof value === 'string' && idPattern.test(value),
      takes: '1 to 64 letters, digits, dots, underscores or dashes',
    },
    ports: { type: 'object', takes: 'bodies, by the names of the ports' },
    input: anything,
    clock: { holds: isClock, takes: '{ now, setTimeout, clearTimeout }' },
    maxQueued: integer(1),
    restart: callable,
  },
  ['host', 'id', 'ports'],
);

/**
 * Runs a machine of XState so that it outlives its process: each step is journaled in one batch with what it waits for, and only
 * then ports are asked and listeners told. Opened again, it goes on where it rests: ports that owe an answer are asked
 * again with the same key, timers fire when they are due. Rejects with `MACHINE_UNSUPPORTED` where it does what cannot be kept,
 * `MACHINE_CHANGED` where another version of it rests in the store, `OPTION_INVALID`, and as `openStore`.
 */
export async function durable<const Machine extends AnyStateMachine>(
  machine: Machine,
  options: DurableOptions<Machine>,
): Promise<DurableMachine<Machine>> {
  checkArgument('machine', machine, machineSchema);
  checkArgument('options', options, durableOptions);
  const { id, clock = systemClock, maxQueued = 10_000 } = options;
  const ports = options.ports as Readonly<Record<string, PortBody>>;
  checkMachine(machine, ports);
  checkKept('input', options.input);
  const of = toDecided(machine, Object.keys(ports));
  const held = await holdRecords(options.host);
  if (held.records.refusal !== undefined) {
    await held.release();
    throw held.records.refusal;
  }
  const open = async (): Promise<LiveMachine> => {
    const live = new LiveMachine(id, { of, store: held.records, clock, ports, maxQueued });
    try {
      await live.open(({ isNew, state }) =>
        isNew
          ? begin('start', options.input)
          : goesOn(of, state)
            ? null
            : begin('restart', restartInput(of, state, options)),
      );
      return live;
    } catch (error) {
      await live.end(error);
      throw error;
    }
  };
  try {
    const shared = await holdMachine(held.records, id, open);
    const { isShared, live } = shared;
    await checkHeld(held, shared);
    if (!isShared || goesOn(of, live.state)) return toHandle<Machine>(shared, of, held);
    await shared.release(null);
    throw options.restart === undefined
      ? machineChanged(of, id, live.state)
      : stillOpen(id, live.state, shared.handles);
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** Gives a machine back that was opened while its store closed, and throws `STORE_CLOSED`. */
async function checkHeld({ check }: HeldRecords, machine: HeldMachine): Promise<void> {
  try {
    check?.();
  } catch (error) {
    await machine.release(error);
    throw error;
  }
}

/** The input with which a machine begins; what is drawn tells it from another one that has its id later or elsewhere. */
const begin = (type: 'start' | 'restart', input: unknown): MachineInput => ({
  type,
  run: randomBytes(9).toString('base64url'),
  ...(input !== undefined && { input }),
});

/** What a machine begins anew with; throws `MACHINE_CHANGED` where nobody says it. */
function restartInput<Machine extends AnyStateMachine>(
  of: DecidedMachine,
  resting: RestingMachine,
  { id, restart }: DurableOptions<Machine>,
): unknown {
  if (restart === undefined) throw machineChanged(of, id, resting);
  const { machine, version, snapshot } = resting;
  const input: unknown = restart({
    machine,
    version,
    value: snapshot.value,
    context: snapshot.context,
  });
  checkKept('restart', input);
  return input;
}
