import { isEngineError } from '../../core/values/error.ts';
import { sessionKey, sessionRange, stateKey } from '../../store/key.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { kinds, type Head, type RecordKind, type RecordStore } from '../../store/store.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import { apart } from './known-losses.ts';
import { largestNumber, numberedRows, type DamagedRow, type LostRows } from './whole-rows.ts';

// The row of where a durable machine rests is written anew by each step, with the record of that step. So it
// says how far the journal goes, and the journal how far the row has come.

/** What a check of a machine found. */
interface MachineCheck {
  readonly journal: { readonly sound: number; readonly lost: readonly LostRows[] };
  /** Steps that a salvage noted as gone for good; left out where it noted none. Such a machine is not opened any more. */
  readonly known?: readonly LostRows[];
  /** Other rows that do not match their checksums, or that must be there. */
  readonly damaged: readonly DamagedRow[];
}

/** Checks each row of a machine, past those that are damaged; `head` is how far it had come, where that is known. */
export async function verifyMachine(
  store: RecordStore,
  rows: string,
  options: {
    readonly head?: Head | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Called for each row. */
    readonly onRow: () => void;
  },
): Promise<MachineCheck> {
  const { head: [noted] = [0], signal, onRow } = options;
  const stop = signal === undefined ? {} : { signal };
  const damaged: DamagedRow[] = [];
  const rests = (await readable<{ seq: number }>(store, 'state', stateKey(rows, 0)))?.seq ?? null;
  const gone = (
    await readable<{ lost?: readonly PositionSpan[] }>(store, 'session', sessionKey(rows))
  )?.lost;
  const journal = { sound: 0, lost: [] as LostRows[] };
  let newest = 0;
  const onLost = (lost: LostRows): void => void journal.lost.push(lost);
  const range = { after: 0, before: largestNumber, last: Math.max(noted, rests ?? 0), ...stop };
  for await (const [seq] of numberedRows(store, rows, { ...range, kind: 'journal', onLost })) {
    onRow();
    journal.sound += 1;
    newest = seq;
  }
  for (const kind of kinds) {
    if (kind === 'meta' || kind === 'journal') continue;
    const own = sessionKey(rows);
    const stretch = kind === 'session' ? { gte: own, lte: own } : sessionRange(rows);
    let isThere = false;
    for await (const { key, error } of rowsPastDamage(store, kind, { ...stretch, ...stop })) {
      onRow();
      isThere = true;
      if (error !== undefined) damaged.push({ kind, key, message: error.message });
    }
    if (gone !== undefined) continue;
    if (!isThere && (kind === 'session' || kind === 'state'))
      damaged.push({ kind, message: `The record "${rows}" of the kind ${kind} is missing` });
    else if (kind === 'state' && rests !== null && rests < newest)
      damaged.push({
        kind,
        message: `It rests after step ${rests}, and its journal has ${newest}`,
      });
  }
  if (gone === undefined) return { journal, damaged };
  const { lost, known } = apart(journal.lost, gone);
  return { journal: { sound: journal.sound, lost }, known, damaged };
}

/** A row; undefined where it is not there, or cannot be read. */
async function readable<Row>(
  store: RecordStore,
  kind: RecordKind,
  key: string,
): Promise<Row | undefined> {
  try {
    return (await store.get(kind, key)) as Row | undefined;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return undefined;
    throw error;
  }
}
