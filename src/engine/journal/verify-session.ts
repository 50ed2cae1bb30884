import { isDamage, isEngineError, type ErrorCode } from '../../core/values/error.ts';
import { entryId, ordinal, textId } from '../../core/values/id.ts';
import type { KnownLosses } from '../../core/state/fact.ts';
import { sessionKey, sessionRange } from '../../store/key.ts';
import {
  kinds,
  type Head,
  type KeyRange,
  type RecordKind,
  type RecordStore,
} from '../../store/store.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { apart, named, nothingNoted, type KnownRows } from './known-losses.ts';
import { load, readState } from './load.ts';
import { headerMissing } from './sessions/session-ids.ts';
import { decodeRecord } from './state-codec.ts';
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

interface RowsOptions {
  readonly head?: Head | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each row. */
  readonly onRow?: (() => void) | undefined;
}

/** Checks a session; `head` is how far it had come, where that is known. */
export async function verifySession(
  store: RecordStore,
  id: string,
  { head = [0, 0], signal, onRow }: RowsOptions = {},
): Promise<SessionCheck> {
  const damaged: DamagedRow[] = [];
  const walk: Walk = { store, id, signal, onRow, damaged };
  let [, last] = head;
  let noted: KnownLosses = nothingNoted;
  const journal = await countRows(walk, { kind: 'journal', last: head[0] }, (record) => {
    for (const fact of decodeRecord(record).facts) {
      if (fact.type === 'entry.appended') last = Math.max(last, ordinal(fact.entry));
      if (fact.type === 'entries.lost') last = Math.max(last, ordinal(fact.to));
      if (fact.type === 'losses.noted') noted = fact;
    }
  });
  const entries = await countRows(walk, { kind: 'entry', last });
  const lastText = await newestText(store, id);
  // Nothing refers to those behind the last that the state knows of: a salvage may leave some.
  const before = lastText === null ? largestNumber : lastText + 1;
  const texts = await countRows(walk, { kind: 'text', last: lastText ?? 0, before });
  const isLeft = journal.sound + entries.sound > 0;
  for (const kind of kinds) if (!numbered.has(kind)) await checkRows(walk, kind, isLeft);
  const refused = await refusalOf(store, id);
  const { found, known } = losses({ entries, journal, texts }, noted);
  const isWhole = Object.values(found).every(({ lost }) => lost.length === 0);
  return {
    id,
    isSound: isWhole && damaged.length === 0 && refused === undefined,
    ...found,
    ...(Object.values(known).some(({ length }) => length > 0) ? { known } : {}),
    damaged,
    ...(refused === undefined ? {} : { refused }),
  };
}

/** The rows of a session while they are checked. */
interface Walk extends Pick<RowsOptions, 'signal' | 'onRow'> {
  readonly store: RecordStore;
  readonly id: string;
  readonly damaged: DamagedRow[];
}

/** Counts rows of a kind, and gives `take` each. */
async function countRows(
  { store, id, signal, onRow, damaged }: Walk,
  stretch: {
    readonly kind: 'journal' | 'entry' | 'text';
    readonly last: number;
    readonly before?: number;
  },
  take?: (row: unknown) => void,
): Promise<SessionCheck['journal']> {
  const lost: LostRows[] = [];
  let sound = 0;
  await reading(stretch.kind, damaged, async () => {
    const onLost = (rows: LostRows): void => void lost.push(rows);
    const range = { after: 0, before: largestNumber, signal, onLost, ...stretch };
    for await (const [, row] of numberedRows(store, id, range)) {
      onRow?.();
      sound += 1;
      take?.(row);
    }
  });
  return { sound, lost };
}

/** Checks rows that have no numbers; of a session of which anything is left, its header must be there. */
function checkRows(
  { store, id, signal, onRow, damaged }: Walk,
  kind: RecordKind,
  isLeft: boolean,
): Promise<void> {
  return reading(kind, damaged, async () => {
    let isThere = kind !== 'session';
    for await (const { key, error } of rowsPastDamage(store, kind, rangeOf(kind, id, signal))) {
      onRow?.();
      isThere = true;
      if (error !== undefined) damaged.push({ kind, key, message: error.message });
    }
    if (!isThere && isLeft) damaged.push({ kind, message: headerMissing(id) });
  });
}

/** What was found of each kind, and what is known to be lost of it. */
function losses(
  { entries, journal, texts }: Record<keyof KnownRows, SessionCheck['journal']>,
  noted: KnownLosses,
) {
  const ofEntries = apart(entries.lost, noted.entries);
  const ofJournal = apart(journal.lost, noted.journal);
  const ofTexts = apart(texts.lost, noted.texts);
  return {
    found: {
      entries: { sound: entries.sound, lost: named(ofEntries.lost, entryId) },
      journal: { sound: journal.sound, lost: ofJournal.lost },
      texts: { sound: texts.sound, lost: named(ofTexts.lost, textId) },
    },
    known: {
      entries: named(ofEntries.known, entryId),
      journal: ofJournal.known,
      texts: named(ofTexts.known, textId),
    },
  };
}

/** The kinds whose rows are counted, and the one of no session. */
const numbered: ReadonlySet<RecordKind> = new Set(['meta', 'journal', 'entry', 'text']);

/** The newest text that the state of a session knows of; null where there is no state that can be read. */
async function newestText(store: RecordStore, id: string): Promise<number | null> {
  try {
    return (await readState(store, id))?.state.textCount ?? null;
  } catch (error) {
    if (isDamage(error)) return null;
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
    if (!isEngineError(error) || !isDamage(error)) throw error;
    return { code: error.code, message: error.message };
  }
}
