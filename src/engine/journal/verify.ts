import { fail, isEngineError, type EngineError, type ErrorCode } from '../../core/values/error.ts';
import { entryId, ordinal, textId, toSessionId } from '../../core/values/id.ts';
import type { KnownLosses } from '../../core/state/fact.ts';
import { callable, objectOf, signal, text } from '../../core/values/validation.ts';
import { machineOf, sessionKey, sessionRange } from '../../store/key.ts';
import { checkTables } from '../../store/level/damaged-tables.ts';
import type { FileDamage } from '../../store/store.ts';
import {
  kinds,
  type Head,
  type Heads,
  type KeyRange,
  type RecordKind,
  type RecordStore,
} from '../../store/store.ts';
import { load, readState } from './load.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { decodeRecord } from './state-codec.ts';
import { apart, named, nothingNoted, type KnownRows } from './known-losses.ts';
import {
  headerMissing,
  machineHeads,
  machineIds,
  sessionHeads,
  sessionIds,
} from './sessions/session-ids.ts';
import { verifyMachine } from './verify-machine.ts';
import {
  largestNumber,
  numberedRows,
  type DamagedRow,
  type LostEntries,
  type LostRows,
} from './whole-rows.ts';

// A check reads every row of a session and goes on past each that is damaged: it is to say all that is
// lost, and what is left.

/** What a check of a session found, or of a durable machine. */
export interface SessionCheck {
  readonly id: string;
  /** Set where it is a durable machine: that has a journal, and neither entries nor texts. */
  readonly isMachine?: true;
  /** Whether nothing is lost but what is known to be, and the session can be opened. */
  readonly isSound: boolean;
  /** Entries that can be read, and those that cannot. */
  readonly entries: { readonly sound: number; readonly lost: readonly LostEntries[] };
  /** The same of the records of its journal, by sequence number. */
  readonly journal: { readonly sound: number; readonly lost: readonly LostRows[] };
  /** The same of its texts (results, checkpoints, shortened messages, prompts), by their ids. */
  readonly texts: { readonly sound: number; readonly lost: readonly LostEntries[] };
  /** What is gone for good, as a salvage noted it; left out where nothing is. */
  readonly known?: KnownRows;
  /** Other rows that do not match their checksums, or could not be read. */
  readonly damaged: readonly DamagedRow[];
  /** Why the session cannot be opened; left out where it can. */
  readonly refused?: { readonly code: ErrorCode; readonly message: string };
}

/** What is checked, and who hears of it meanwhile. */
export interface VerifyOptions {
  /** One session only, by its id. */
  readonly session?: string;
  readonly signal?: AbortSignal;
  /** Hears of files that are damaged in a way that no record may tell; of all sessions only. */
  readonly onFile?: (damage: FileDamage) => void;
  /** Called about every thousand rows. */
  readonly onProgress?: (progress: { readonly session: string; readonly rows: number }) => void;
}

/** The checks of these options. */
export const verifyOptions = objectOf<VerifyOptions>({
  session: text,
  signal,
  onFile: callable,
  onProgress: callable,
});

const rowsPerReport = 1_000;

/**
 * Checks each session and each machine, or one session; throws `SESSION_NOT_FOUND` where nothing is left of that, behind the last
 * one `STORE_DAMAGED` where there may be others, and before the first where a table is damaged, whose rows only salvage reads.
 */
export async function* verifySessions(
  store: RecordStore,
  options: VerifyOptions,
): AsyncGenerator<SessionCheck> {
  const { session, onFile } = options;
  const tell = session === undefined ? onFile : undefined;
  await checkTables(store, tell);
  const damage: EngineError[] = [];
  const ids =
    session === undefined
      ? await sessionIds(store, (error) => damage.push(error))
      : [toSessionId(session)];
  const heads: Heads = sessionHeads(store.heads?.() ?? new Map());
  for (const id of new Set([...ids, ...(session === undefined ? heads.keys() : [])])) {
    const head = heads.get(id);
    const check = await verifySession(
      store,
      id,
      head === undefined ? options : { ...options, head },
    );
    if (session !== undefined && isEmpty(check))
      throw fail('SESSION_NOT_FOUND', `There is no session "${id}"`, { session: id });
    yield check;
  }
  if (session === undefined) yield* verifyMachines(store, options, (error) => damage.push(error));
  for (const error of damage) throw error;
}

async function* verifyMachines(
  store: RecordStore,
  { signal, onProgress }: VerifyOptions,
  onDamage: (error: EngineError) => void,
): AsyncGenerator<SessionCheck> {
  const heads = machineHeads(store.heads?.() ?? new Map());
  for (const rows of new Set([...(await machineIds(store, onDamage)), ...heads.keys()])) {
    const onRow = rowCounter(machineOf(rows), onProgress);
    const head = heads.get(rows);
    const found = await verifyMachine(store, rows, { head, signal, onRow });
    const { journal, known, damaged } = found;
    yield {
      id: machineOf(rows),
      isMachine: true,
      isSound: journal.lost.length + damaged.length === 0,
      entries: { sound: 0, lost: [] },
      journal,
      texts: { sound: 0, lost: [] },
      ...(known === undefined ? {} : { known: { entries: [], journal: known, texts: [] } }),
      damaged,
    };
  }
}

/** Counts rows, and says so about every thousand. */
function rowCounter(session: string, onProgress: VerifyOptions['onProgress']): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    if (rows % rowsPerReport === 0) onProgress?.({ session, rows });
  };
}

const isEmpty = ({ isSound, entries, journal, damaged }: SessionCheck): boolean =>
  isSound && entries.sound + journal.sound + damaged.length === 0;

/** Checks a session; `head` is how far it had come, where that is known. */
export async function verifySession(
  store: RecordStore,
  id: string,
  { signal, onProgress, head = [0, 0] }: VerifyOptions & { readonly head?: Head },
): Promise<SessionCheck> {
  const damaged: DamagedRow[] = [];
  const count = rowCounter(id, onProgress);
  const walk = { after: 0, before: largestNumber, ...(signal === undefined ? {} : { signal }) };
  const journal = { sound: 0, lost: [] as LostRows[] };
  let last = head[1];
  let noted: KnownLosses = nothingNoted;
  await reading('journal', damaged, async () => {
    const onLost = (lost: LostRows): void => void journal.lost.push(lost);
    const range = { ...walk, kind: 'journal', last: head[0], onLost } as const;
    for await (const [, value] of numberedRows(store, id, range)) {
      count();
      journal.sound += 1;
      for (const fact of decodeRecord(value).facts) {
        if (fact.type === 'entry.appended') last = Math.max(last, ordinal(fact.entry));
        if (fact.type === 'entries.lost') last = Math.max(last, ordinal(fact.to));
        if (fact.type === 'losses.noted') noted = fact;
      }
    }
  });
  const entries = { sound: 0, lost: [] as LostRows[] };
  await reading('entry', damaged, async () => {
    const onLost = (lost: LostRows): void => void entries.lost.push(lost);
    const range = { ...walk, kind: 'entry', last, onLost } as const;
    for await (const _ of numberedRows(store, id, range)) {
      count();
      entries.sound += 1;
    }
  });
  const texts = { sound: 0, lost: [] as LostRows[] };
  const lastText = await newestText(store, id);
  await reading('text', damaged, async () => {
    const onLost = (lost: LostRows): void => void texts.lost.push(lost);
    // Nothing refers to those behind the last that the state knows of: a salvage may leave some.
    const before = lastText === null ? largestNumber : lastText + 1;
    const range = { ...walk, before, kind: 'text', last: lastText ?? 0, onLost } as const;
    for await (const _ of numberedRows(store, id, range)) {
      count();
      texts.sound += 1;
    }
  });
  for (const kind of kinds) {
    if (numbered.has(kind)) continue;
    await reading(kind, damaged, async () => {
      let isThere = kind !== 'session';
      for await (const { key, error } of rowsPastDamage(store, kind, rangeOf(kind, id, signal))) {
        count();
        isThere = true;
        if (error !== undefined) damaged.push({ kind, key, message: error.message });
      }
      const isLeft = journal.sound + entries.sound > 0;
      if (!isThere && isLeft) damaged.push({ kind, message: headerMissing(id) });
    });
  }
  const refused = await refusalOf(store, id);
  const rows = {
    entries: apart(entries.lost, noted.entries),
    journal: apart(journal.lost, noted.journal),
    texts: apart(texts.lost, noted.texts),
  };
  const found = {
    entries: { sound: entries.sound, lost: named(rows.entries.lost, entryId) },
    journal: { sound: journal.sound, lost: rows.journal.lost },
    texts: { sound: texts.sound, lost: named(rows.texts.lost, textId) },
  };
  const known = {
    entries: named(rows.entries.known, entryId),
    journal: rows.journal.known,
    texts: named(rows.texts.known, textId),
  };
  const isWhole = Object.values(found).every(({ lost }) => lost.length === 0);
  const isSound = isWhole && damaged.length === 0 && refused === undefined;
  return {
    id,
    isSound,
    ...found,
    ...(Object.values(known).some(({ length }) => length > 0) ? { known } : {}),
    damaged,
    ...(refused === undefined ? {} : { refused }),
  };
}

/** The kinds whose rows are counted, and the one of no session. */
const numbered: ReadonlySet<RecordKind> = new Set(['meta', 'journal', 'entry', 'text']);

/** The newest text that the state of a session knows of; null where there is no state that can be read. */
async function newestText(store: RecordStore, id: string): Promise<number | null> {
  try {
    return (await readState(store, id))?.state.textCount ?? null;
  } catch (error) {
    if (isEngineError(error)) return null;
    throw error;
  }
}

/** The rows of a session within a kind. */
function rangeOf(kind: RecordKind, id: string, signal: AbortSignal | undefined): KeyRange {
  const stop = signal === undefined ? {} : { signal };
  if (kind !== 'session') return sessionRange(id, stop);
  return { gte: sessionKey(id), lte: sessionKey(id), ...stop };
}

/** Reads rows of a kind; where the store cannot, that is noted, and the check goes on with the next. */
async function reading(
  kind: RecordKind,
  damaged: DamagedRow[],
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isEngineError(error, 'STORE_DAMAGED')) throw error;
    damaged.push({ kind, message: error.message });
  }
}

async function refusalOf(store: RecordStore, id: string): Promise<SessionCheck['refused']> {
  try {
    await load(store, id);
    return undefined;
  } catch (error) {
    if (isEngineError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}
