import type { StateValue } from 'xstate';
import { isEngineError } from '../../core/values/error.ts';
import { checkArgument } from '../../core/values/validation.ts';
import { machineOf, machinesRange } from '../../store/key.ts';
import type { RecordStore, StoreHost } from '../../store/store.ts';
import type { Store } from '../open/open-store.ts';
import { machinePlace, holdRecords } from './machine-host.ts';
import { nextDue, type MachineStatus } from './machine-record.ts';
import { loadMachine } from './machine-rows.ts';

/** One machine in a list. */
export interface MachineSummary {
  readonly id: string;
  /** The id of the machine that it is, and its version. */
  readonly machine: string;
  readonly version: string | null;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Where it rests; left out where a record of that is damaged. */
  readonly rests?: RestSummary;
  /** Why it cannot be told where it rests. */
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

/** The durable machines of a host, by id: those that are `active` are to be opened for their ports to be asked and their timers to fire. Rejects as `openStore`. */
export async function* durableMachines(
  host: string | StoreHost | Store,
): AsyncGenerator<MachineSummary> {
  checkArgument('host', host, machinePlace);
  const held = await holdRecords(host);
  const { records } = held;
  try {
    for await (const [rows, header] of records.range('session', machinesRange))
      yield {
        id: machineOf(rows),
        ...(header as Pick<MachineSummary, 'machine' | 'version' | 'created'>),
        ...(await restOf(records, rows)),
      };
  } finally {
    await held.release();
  }
}

async function restOf(
  records: RecordStore,
  rows: string,
): Promise<Pick<MachineSummary, 'rests' | 'damage'>> {
  try {
    const resting = await loadMachine(records, rows);
    if (resting === null) return {};
    const { updated, snapshot, ports, timers } = resting;
    const { value, status } = snapshot;
    return { rests: { updated, value, status, asked: [...ports.keys()], due: nextDue(timers) } };
  } catch (error) {
    if (!isEngineError(error, 'RECORD_DAMAGED')) throw error;
    return { damage: error.message };
  }
}
