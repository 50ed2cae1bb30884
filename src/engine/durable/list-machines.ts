import type { StateValue } from 'xstate';
import { checkArgument } from '../../core/values/validation.ts';
import { machineOf, machinesRange } from '../../store/key.ts';
import type { StoreHost } from '../../store/store.ts';
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
  readonly updated: number;
  readonly value: StateValue;
  readonly status: MachineStatus;
  /** Calls of ports that owe an answer. */
  readonly asked: readonly string[];
  /** The timer that is due next; null where none is set. */
  readonly due: number | null;
}

/** The durable machines of a host, by id: those that are `active` are to be opened for their ports to be asked and their timers to fire. Rejects as `openStore`, and with `RECORD_DAMAGED`. */
export async function* durableMachines(
  host: string | StoreHost | Store,
): AsyncGenerator<MachineSummary> {
  checkArgument('host', host, machinePlace);
  const held = await holdRecords(host);
  const { records } = held;
  try {
    for await (const [rows] of records.range('session', machinesRange)) {
      const resting = await loadMachine(records, rows);
      if (resting === null) continue;
      const { machine, version, created, updated, snapshot, ports, timers } = resting;
      yield {
        id: machineOf(rows),
        machine,
        version,
        created,
        updated,
        value: snapshot.value,
        status: snapshot.status,
        asked: [...ports.keys()],
        due: nextDue(timers),
      };
    }
  } finally {
    await held.release();
  }
}
