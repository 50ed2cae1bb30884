import type { PositionSpan } from '../../core/values/span.ts';
import { deletion } from '../erase-session.ts';
import {
  isMachine,
  machineOf,
  machinesRange,
  outboxKey,
  parseJournalKey,
  sentKey,
  seqRange,
  sessionKey,
  stateKey,
} from '../key.ts';
import type { Change, Head, Heads, RecordStore } from '../store.ts';

// Where a machine rests is no fold of its journal: without that row, or behind it, nobody can say how it goes on. And
// of a step that is lost nobody knows the key. So such a machine is kept as it is left, marked in its header: it is
// never begun anew under its id, with numbers of steps and keys of ports that were used.

/** What was salvaged of a durable machine, and what is lost of it. */
export interface SalvagedMachine {
  readonly id: string;
  /** Steps that can be read, and those that cannot, by their numbers. */
  readonly journal: {
    readonly sound: number;
    readonly lost: readonly {
      readonly from: number;
      readonly to: number;
      readonly reason: 'missing';
    }[];
  };
  /** Whether it can be opened; else it is to be begun under another id. */
  readonly goesOn: boolean;
}

/** The header of a machine. */
export interface MachineHeader {
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly machine: string;
  readonly version: string | null;
  /** Steps that are gone for good; there where a salvage found that it cannot go on. */
  readonly lost?: readonly PositionSpan[];
}

/** Where a machine rests, as far as it is looked at here. */
type Resting = MachineHeader & { readonly seq: number };
/** The same of its steps. */
interface Step {
  readonly input: { readonly type: string; readonly key?: string };
}

/** Makes up what can be told of the rows of each machine, and marks those of which some are lost; `heads` is how far they had come. */
export async function salvageMachines(
  store: RecordStore,
  heads: Heads,
): Promise<readonly SalvagedMachine[]> {
  const ids = new Set([...heads.keys()].filter(isMachine));
  for (const kind of ['session', 'journal', 'state'] as const)
    for await (const [key] of store.range(kind, machinesRange)) ids.add(key.split(':')[0]!);
  const machines: SalvagedMachine[] = [];
  for (const rows of [...ids].sort()) {
    // One that was being deleted stays so: the next opening goes on with that.
    if ((await store.get('outbox', outboxKey(rows, deletion))) !== undefined) continue;
    machines.push(await salvageMachine(store, rows, heads.get(rows)));
  }
  return machines;
}

async function salvageMachine(
  store: RecordStore,
  rows: string,
  [noted]: Head = [0, 0],
): Promise<SalvagedMachine> {
  const header = (await store.get('session', sessionKey(rows))) as MachineHeader | undefined;
  const rest = (await store.get('state', stateKey(rows, 0))) as Resting | undefined;
  const changes: Change[] = [];
  const lost: PositionSpan[] = [];
  let [sound, last] = [0, 0];
  for await (const [key, value] of store.range('journal', seqRange(rows))) {
    const { seq } = parseJournalKey(key);
    if (seq > last + 1) lost.push([last + 1, seq - 1]);
    [sound, last] = [sound + 1, seq];
    const { input } = value as Step;
    if (input.type === 'event' && input.key !== undefined)
      changes.push({ type: 'put', kind: 'key', key: sentKey(rows, input.key), value: seq });
  }
  const newest = Math.max(last, noted, rest?.seq ?? 0, header?.lost?.at(-1)?.[1] ?? 0);
  if (newest > last) lost.push([last + 1, newest]);
  const goesOn = lost.length === 0 && rest?.seq === newest && header?.lost === undefined;
  const unknown = { created: 0, machine: '', version: null };
  const { created, machine, version } = rest ?? header ?? unknown;
  const value: MachineHeader = { created, machine, version, ...(goesOn ? {} : { lost }) };
  await store.commit([...changes, { type: 'put', kind: 'session', key: sessionKey(rows), value }]);
  const lostRanges = lost.map(([from, to]) => ({ from, to, reason: 'missing' as const }));
  return { id: machineOf(rows), journal: { sound, lost: lostRanges }, goesOn };
}
