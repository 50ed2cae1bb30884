import { fail } from '../../core/values/error.ts';
import { ordinal } from '../../core/values/id.ts';
import type { State } from '../../core/state/state.ts';
import { journalKey, seqRange } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { decodeRecord } from '../journal/state-codec.ts';
import { readCopy } from '../journal/state-copies.ts';
import { foldRecord } from '../journal/fold.ts';
import { readJournal } from '../journal/load.ts';
import type { JournalRecord } from '../../core/state/input.ts';

// An old state is read without the beginning of the journal: from the state copy
// before it, and the records between. The record of a moment is found by bisection:
// the numbers of turns and entries only grow along the journal. Times of entries,
// as an import takes them from its file, may not.

/** The state after record `seq`; throws `MOMENT_NOT_FOUND` where there is none, `SEQUENCE_GAP`. */
export async function stateAt(store: RecordStore, session: string, seq: number): Promise<State> {
  let state = (await readCopy(store, session, seq))?.state ?? null;
  if (state?.seq === seq) return state;
  for await (const record of readJournal(store, session, state?.seq ?? 0)) {
    if (record.seq > seq) break;
    state = foldRecord(state, record);
  }
  if (state?.seq === seq) return state;
  throw noMoment(session, { seq }, `record ${seq}`);
}

/** The record `seq`; throws `MOMENT_NOT_FOUND`. */
export async function recordAt(
  store: RecordStore,
  session: string,
  seq: number,
): Promise<JournalRecord> {
  const row = await store.get('journal', journalKey(session, seq));
  if (row === undefined) throw noMoment(session, { seq }, `record ${seq}`);
  return decodeRecord(row);
}

/** The error for a moment that a session does not have; `what` names it in words. */
export function noMoment(session: string, moment: object, what: string): Error {
  return fail('MOMENT_NOT_FOUND', `Session "${session}" has no ${what}`, {
    session,
    ...moment,
  });
}

/** The first record from 1 to `last` that `isReached` is true of, as it is of all after; null for none. */
export async function firstRecord(
  last: number,
  isReached: (seq: number) => Promise<boolean>,
): Promise<number | null> {
  let low = 1;
  let high = last + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low > last ? null : low;
}

/** The records after `after`, up to and with `to`; throws `SEQUENCE_GAP`. */
export async function* recordsBetween(
  store: RecordStore,
  session: string,
  { after, to }: { readonly after: number; readonly to: number },
): AsyncGenerator<JournalRecord> {
  if (to <= after) return;
  for await (const record of readJournal(store, session, after)) {
    yield record;
    if (record.seq === to) return;
  }
}

/** The record that appended entry `n`; null for none. */
export async function recordOfEntry(
  store: RecordStore,
  session: string,
  { n, last }: { readonly n: number; readonly last: number },
): Promise<number | null> {
  return firstRecord(last, async (seq) => (await entriesAt(store, session, seq)) >= n);
}

/** How many entries the log has after record `seq`. */
async function entriesAt(store: RecordStore, session: string, seq: number): Promise<number> {
  const back = seqRange(session, { before: seq + 1, reverse: true });
  for await (const [, value] of store.range('journal', back)) {
    const appended = decodeRecord(value).facts.findLast((fact) => fact.type === 'entry.appended');
    if (appended !== undefined) return ordinal(appended.entry);
  }
  return 0;
}
