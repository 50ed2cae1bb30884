import { fail, isEngineError } from '../../core/values/error.ts';
import {
  journalKey,
  machineOf,
  outboxKey,
  sentKey,
  seqRange,
  sessionKey,
  stateKey,
} from '../../store/key.ts';
import type { MachineHeader } from '../../store/salvage/salvage-machines.ts';
import type { Change, RecordStore } from '../../store/store.ts';
import type { MachineRecord, OwedPort, OwedTimer, RestingMachine } from './machine-record.ts';

// A machine has rows of the kinds that sessions have, under an id that no session can have: its header, a
// record for each step, where it rests, what it owes, and keys that were used.

/** Where a machine rests, as its row has it. */
interface RestingRow extends Omit<RestingMachine, 'ports' | 'timers'> {
  readonly ports: readonly (readonly [string, OwedPort])[];
  readonly timers: readonly (readonly [string, OwedTimer])[];
}

/** The only row of where a machine rests. */
const restingKey = (rows: string): string => stateKey(rows, 0);

/** Everything that a step writes, as one batch. */
export function batchOf(
  rows: string,
  before: RestingMachine | null,
  { record, after }: { readonly record: MachineRecord; readonly after: RestingMachine },
): Change[] {
  const { created, machine, version, ports, timers } = after;
  const { seq, input } = record;
  const resting: RestingRow = { ...after, ports: [...ports], timers: [...timers] };
  const changes: Change[] = [
    { type: 'put', kind: 'journal', key: journalKey(rows, seq), value: record },
    { type: 'put', kind: 'state', key: restingKey(rows), value: resting },
  ];
  if (input.type === 'start' || input.type === 'restart') {
    const value: MachineHeader = { created, machine, version };
    changes.push({ type: 'put', kind: 'session', key: sessionKey(rows), value });
  }
  if (input.type === 'event' && input.key !== undefined)
    changes.push({ type: 'put', kind: 'key', key: sentKey(rows, input.key), value: seq });
  return [...changes, ...owedChanges(rows, before, after)];
}

/** The outbox rows that a step adds, changes and removes. */
function owedChanges(rows: string, before: RestingMachine | null, after: RestingMachine): Change[] {
  const [old, owed] = [
    before === null ? new Map<string, unknown>() : owedBy(before),
    owedBy(after),
  ];
  const key = (name: string): string => outboxKey(rows, name);
  return [
    ...[...old.keys()]
      .filter((name) => !owed.has(name))
      .map((name) => ({ type: 'del', kind: 'outbox', key: key(name) }) as const),
    ...[...owed]
      .filter(([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value))
      .map(([name, value]) => ({ type: 'put', kind: 'outbox', key: key(name), value }) as const),
  ];
}

/** What a machine owes, by the names of its outbox rows. */
function owedBy({ ports, timers }: RestingMachine): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...[...ports].map(([port, { src, asked }]) => [`port ${port}`, { src, asked }] as const),
    ...[...timers].map(([timer, { due }]) => [`timer ${timer}`, { due }] as const),
  ]);
}

/** Reads where a machine rests; null where there is none. Throws `RECORD_DAMAGED`, also where its journal lost its end, or it is known to have lost any of it. */
export async function loadMachine(
  store: RecordStore,
  rows: string,
): Promise<RestingMachine | null> {
  // Before anything is read: what is written meanwhile goes beyond it.
  const [noted = 0] = store.heads?.()?.get(rows) ?? [];
  const header = await headerOf(store, rows);
  const row = (await store.get('state', restingKey(rows))) as RestingRow | undefined;
  const seq = row?.seq ?? 0;
  if (header !== undefined && (row === undefined || header.lost !== undefined)) {
    const message = `Rows of machine "${machineOf(rows)}" are gone: nobody can tell where it rests, or which keys were used`;
    throw fail('RECORD_DAMAGED', message, { kind: 'state', session: rows, after: seq });
  }
  const isWhole = seq === 0 || (await store.get('journal', journalKey(rows, seq))) !== undefined;
  if (seq < noted || !isWhole) {
    const end = isWhole ? `it had come to ${noted}` : 'its journal does not';
    const message = `The rows of machine "${machineOf(rows)}" end with step ${seq}, and ${end}`;
    throw fail('RECORD_DAMAGED', message, { kind: 'journal', session: rows, after: seq, noted });
  }
  return row === undefined
    ? null
    : { ...row, ports: new Map(row.ports), timers: new Map(row.timers) };
}

/** The header of a machine, as far as it can be read; undefined where there is none. */
async function headerOf(
  store: RecordStore,
  rows: string,
): Promise<Partial<MachineHeader> | undefined> {
  try {
    return (await store.get('session', sessionKey(rows))) as MachineHeader | undefined;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return {};
    throw error;
  }
}

/** The records of a machine after `after`, without a gap; throws `SEQUENCE_GAP`. */
export async function* readSteps(
  store: RecordStore,
  rows: string,
  after: number,
): AsyncGenerator<MachineRecord> {
  let last = after;
  for await (const [, value] of store.range('journal', seqRange(rows, { after }))) {
    const record = value as MachineRecord;
    if (record.seq !== last + 1)
      throw fail(
        'SEQUENCE_GAP',
        `Machine "${machineOf(rows)}" goes from step ${last} to ${record.seq}`,
        {
          session: rows,
          after: last,
          found: record.seq,
        },
      );
    last = record.seq;
    yield record;
  }
}

/** The step that an idempotency key was used for; undefined for a new key. */
export async function sentBefore(
  store: RecordStore,
  rows: string,
  key: string,
): Promise<number | undefined> {
  return (await store.get('key', sentKey(rows, key))) as number | undefined;
}
