import type { StateValue } from 'xstate';
import { isEngineError } from '../../core/values/error.ts';
import { checkArgument } from '../../core/values/validation.ts';
import { machineOf, machinesRange } from '../../store/key.ts';
import { rowsPastDamage, type ReadRow } from '../../store/past-damage.ts';
import type { RecordStore, StoreHost } from '../../store/store.ts';
import type { StoreReader } from '../open/store-reader.ts';
import { machinePlace, readRecords } from './machine-host.ts';
import { nextDue, type MachineStatus, type RestingMachine } from './machine-record.ts';
import { loadMachine } from './machine-rows.ts';

/** One machine in a list. */
export interface MachineSummary {
  readonly id: string;
  /** The id of the machine that it is, and its version; empty where no row tells. */
  readonly machine: string;
  readonly version: string | null;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Where it rests; left out where a record of that is damaged. */
  readonly rests?: RestSummary;
  /** Why not all of it can be told. */
  readonly damage?: string;
}

/** Where a machine in a list rests. */
export interface RestSummary {
  /** When it came there, in milliseconds since 1970. */
  readonly updated: number;
  readonly value: StateValue;
  readonly status: MachineStatus;
  /** Calls of ports that owe an answer. */
  readonly asked: readonly string[];
  /** The timer that is due next; null where none is set. */
  readonly due: number | null;
}

/** The durable machines of a host, by id: those that are `active` are to be opened for their ports to be asked and their timers to fire. Only reads, also beside a process that writes there; of a folder that is none yet there are none. Rejects as `openStore`. */
export async function* durableMachines(
  host: string | StoreHost | StoreReader,
): AsyncGenerator<MachineSummary> {
  checkArgument('host', host, machinePlace);
  const held = await readRecords(host).catch((error: unknown) => {
    if (isEngineError(error, 'STORE_NOT_FOUND')) return null;
    throw error;
  });
  if (held === null) return;
  const { records } = held;
  try {
    for await (const row of rowsPastDamage(records, 'session', machinesRange))
      yield await summaryOf(records, row);
  } finally {
    await held.release();
  }
}

/** What is said of a machine by its header; where that is damaged, by where it rests. */
async function summaryOf(
  records: RecordStore,
  { key: rows, value, error }: ReadRow,
): Promise<MachineSummary> {
  const { resting, damage = error?.message } = await readResting(records, rows);
  const known = (value ?? resting ?? unknown) as MachineHeader;
  return {
    id: machineOf(rows),
    machine: known.machine,
    version: known.version,
    created: known.created,
    ...(resting === null ? {} : { rests: restOf(resting) }),
    ...(damage === undefined ? {} : { damage }),
  };
}

type MachineHeader = Pick<MachineSummary, 'machine' | 'version' | 'created'>;

/** What stands for a header that cannot be read, nor where the machine rests. */
const unknown: MachineHeader = { machine: '', version: null, created: 0 };

const restOf = ({ updated, snapshot, ports, timers }: RestingMachine): RestSummary => ({
  updated,
  value: snapshot.value,
  status: snapshot.status,
  asked: [...ports.keys()],
  due: nextDue(timers),
});

async function readResting(
  records: RecordStore,
  rows: string,
): Promise<{ readonly resting: RestingMachine | null; readonly damage?: string }> {
  try {
    return { resting: await loadMachine(records, rows) };
  } catch (error) {
    if (!isEngineError(error, 'RECORD_DAMAGED')) throw error;
    return { resting: null, damage: error.message };
  }
}
