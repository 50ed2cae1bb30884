import { frameTable } from '../../../machines/lifecycle.ts';
import { fail, isDamage, isEngineError } from '../../core/values/error.ts';
import { entryId, ordinal, type TextId } from '../../core/values/id.ts';
import { members } from '../../core/values/persistent-vector.ts';
import type { Message } from '../../core/messages/message.ts';
import type { State } from '../../core/state/state.ts';
import { entryKey, journalKey, parseEntryKey, seqRange, textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { newBodies, referencesOf, type BodyCache } from './body-cache.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { readHeader, type SessionHeader } from './sessions/session-header.ts';
import { decodeRecord } from './state-codec.ts';
import { newCopies, readCopy, type StateCopies } from './state-copies.ts';
import { foldRecord } from './fold.ts';
import type { JournalRecord } from '../../core/state/input.ts';

/** The row of an entry. */
export interface EntryRow {
  readonly frame: string;
  readonly at: number;
  readonly tokens: number;
  readonly message: Message;
  /** Of a message whose text was taken out: the hash of what it was, so that a host's list still matches. */
  readonly redacted?: string;
}

/** The state of a session as the store has it. */
interface StoredState {
  readonly state: State;
  readonly copies: StateCopies;
  /** Facts since the last full copy of the state. */
  readonly sinceCopy: number;
}

/** A session read from the store. */
export interface LoadedSession extends StoredState {
  readonly bodies: BodyCache;
  /** Null where it cannot be read. */
  readonly header: SessionHeader | null;
}

/**
 * Reads a session; null if there is none. Throws `SEQUENCE_GAP` and `RECORD_DAMAGED`, also where the journal
 * lost its end: a session that went on from there would give out its ids again.
 */
export async function load(store: RecordStore, session: string): Promise<LoadedSession | null> {
  try {
    return await loadOnce(store, session);
  } catch (error) {
    // Another process may have put a newer copy in place of the one that was being read.
    if (!isEngineError(error, 'RECORD_DAMAGED')) throw error;
    return loadOnce(store, session);
  }
}

async function loadOnce(store: RecordStore, session: string): Promise<LoadedSession | null> {
  // Before anything is read: what is written meanwhile goes beyond it.
  const [noted = 0] = store.heads?.()?.get(session) ?? [];
  const stored = await readState(store, session);
  await checkEnd(store, session, { seq: 0, entryCount: 0, ...stored?.state, noted });
  if (stored === null) return null;
  const header = await readHeader(store, session);
  return { ...stored, header, bodies: await hydrate(store, stored.state) };
}

/** Refuses a journal that ends before what was noted, or before the record which wrote the newest entry. */
async function checkEnd(
  store: RecordStore,
  session: string,
  { seq, entryCount, noted }: Pick<State, 'seq' | 'entryCount'> & { readonly noted: number },
): Promise<void> {
  if (noted > seq) {
    const message = `The journal of session "${session}" ends with record ${seq}, and had come to ${noted}`;
    throw fail('RECORD_DAMAGED', message, { kind: 'journal', session, after: seq, noted });
  }
  const beyond = seqRange(session, { after: entryCount, reverse: true, limit: 1 });
  for await (const { key } of rowsPastDamage(store, 'entry', beyond)) {
    // Somebody may have written both since.
    if ((await store.get('journal', journalKey(session, seq + 1))) !== undefined) return;
    const newest = entryId(parseEntryKey(key).n);
    const message = `The journal of session "${session}" ends with record ${seq}, and entry ${newest} came later: its records from ${seq + 1} on are missing`;
    throw fail('RECORD_DAMAGED', message, { kind: 'journal', session, after: seq, entry: newest });
  }
}

/**
 * Reads the state of a session: the newest copy of it, and the journal after that. Where the machines of another
 * version made the copy, the whole journal is folded instead, if it is all there. Null if there is none. Throws
 * `SEQUENCE_GAP` where a record is missing, `RECORD_DAMAGED` where a frame has a status that there is not.
 */
export async function readState(store: RecordStore, session: string): Promise<StoredState | null> {
  const newest = await readCopy(store, session);
  const base = newest?.state ?? null;
  const folded =
    newest?.isCurrent === false
      ? await foldAfter(store, session, null).catch((error: unknown) => {
          if (isEngineError(error) && !isDamage(error)) throw error;
          return foldAfter(store, session, base);
        })
      : await foldAfter(store, session, base);
  if (folded === null) return null;
  checkStatuses(folded.state);
  return { ...folded, copies: newest?.copies ?? newCopies() };
}

/** The state of a session by its newest copy, whichever machines made it, and the journal after that. Null if there is none. Throws `SEQUENCE_GAP` and `RECORD_DAMAGED`. */
export async function readNewest(store: RecordStore, session: string): Promise<State | null> {
  const newest = await readCopy(store, session);
  return (await foldAfter(store, session, newest?.state ?? null))?.state ?? null;
}

/** The journal after a state, folded into it. */
async function foldAfter(
  store: RecordStore,
  session: string,
  base: State | null,
): Promise<Pick<StoredState, 'state' | 'sinceCopy'> | null> {
  let state = base;
  let sinceCopy = 0;
  for await (const record of readJournal(store, session, base?.seq ?? 0)) {
    state = foldRecord(state, record);
    sinceCopy += record.facts.length;
  }
  return state && { state, sinceCopy };
}

/** Refuses a state with a frame whose status the frame machine does not have. */
function checkStatuses({ session, frames }: State): void {
  const strange = members(frames).find(({ status }) => !Object.hasOwn(frameTable, status));
  if (strange === undefined) return;
  const { id: frame, status } = strange;
  const message = `Frame ${frame} of session "${session}" has the status "${status}", which there is not`;
  throw fail('RECORD_DAMAGED', message, { session, frame, status });
}

/** The records of a session after `seq`, without a gap. */
export async function* readJournal(
  store: RecordStore,
  session: string,
  after: number,
): AsyncGenerator<JournalRecord> {
  let last = after;
  for await (const [, value] of store.range('journal', seqRange(session, { after }))) {
    const record = decodeRecord(value);
    if (record.seq !== last + 1)
      throw fail('SEQUENCE_GAP', `Session "${session}" goes from record ${last} to ${record.seq}`, {
        session,
        after: last,
        found: record.seq,
      });
    last = record.seq;
    yield record;
  }
}

/** Reads the bodies that a state refers to into `bodies`; throws `RECORD_DAMAGED`. */
export async function hydrate(
  store: RecordStore,
  state: State,
  bodies: BodyCache = newBodies(),
): Promise<BodyCache> {
  const { messages, texts, shorts } = referencesOf(state);
  const positions = [...messages];
  const ids = [...new Set([...texts, ...shorts])];
  const [rows, found] = await Promise.all([
    store.getMany(
      'entry',
      positions.map((n) => entryKey(state.session, n)),
    ),
    store.getMany(
      'text',
      ids.map((id) => textKey(state.session, ordinal(id))),
    ),
  ]);
  positions.forEach((n, index) =>
    bodies.putMessage(n, (requireRow(rows[index], entryId(n), state) as EntryRow).message),
  );
  ids.forEach((id: TextId, index) =>
    bodies.putText(id, requireRow(found[index], id, state) as string),
  );
  return bodies;
}

/** A text that a state names; throws `RECORD_DAMAGED`. */
export async function readText(
  { store, state }: { readonly store: RecordStore; readonly state: State },
  id: TextId,
): Promise<string> {
  const row = await store.get('text', textKey(state.session, ordinal(id)));
  return requireRow(row, id, state) as string;
}

function requireRow(row: unknown, id: string, state: State): unknown {
  if (row !== undefined) return row;
  throw fail('RECORD_DAMAGED', `Record ${id} of session "${state.session}" is missing`, {
    session: state.session,
    record: id,
  });
}
