import { fail } from '../../core/values/error.ts';
import { entryId, ordinal, toEntryId } from '../../core/values/id.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import { entryKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { EntryRow } from './load.ts';
import { entriesMissing, wholeRows, type OnLost } from './whole-rows.ts';

/** Which entries of a log to read; positions, both ends outside. */
export interface LogRange {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** The newest entry that there must be; 0 where nobody knows. */
  readonly last: number;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Only entries of these spans, oldest first. */
  readonly within?: readonly PositionSpan[] | undefined;
  /** Hears of entries that cannot be read, and are left out. */
  readonly onLost?: OnLost | undefined;
}

/** Entries of a session's log, as they came in. Holds one page in memory at a time. Throws `RECORD_DAMAGED` where entries cannot be read and nobody hears of it. */
export async function* readLog(
  store: RecordStore,
  session: string,
  range: LogRange,
): AsyncGenerator<LogEntry> {
  const { last, reverse, signal, onLost } = range;
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  for (const span of spansToRead(range)) {
    if (left <= 0) return;
    const walk = { ...span, last, reverse, signal, onLost, limit: left };
    for await (const [n, row] of wholeRows(store, session, walk)) {
      yield toLogEntry(n, row as EntryRow);
      left -= 1;
    }
  }
}

/** The parts of the log to read, in reading order. */
function spansToRead(range: LogRange): readonly { after: number; before: number }[] {
  const after = range.after ?? 0;
  const before = range.before ?? Number.MAX_SAFE_INTEGER;
  const whole = { after, before: Math.min(before, 10 ** 12 - 1) };
  if (range.within === undefined) return [whole];
  const parts = range.within
    .map(([first, last]) => ({
      after: Math.max(after, first - 1),
      before: Math.min(whole.before, last + 1),
    }))
    .filter((part) => part.before - part.after > 1);
  return range.reverse === true ? parts.reverse() : parts;
}

/** The entry `id`, byte for byte; `last` is the newest that there must be. Throws `ENTRY_NOT_FOUND`, and `RECORD_DAMAGED` where it was lost. */
export async function readEntry(
  store: RecordStore,
  { session, last }: { readonly session: string; readonly last: number },
  id: string,
): Promise<LogEntry> {
  const n = ordinal(toEntryId(id));
  const row = await store.get('entry', entryKey(session, n));
  if (row !== undefined) return toLogEntry(n, row as EntryRow);
  if (n >= 1 && n <= last) throw entriesMissing(session, { from: id, to: id });
  throw fail('ENTRY_NOT_FOUND', `There is no entry "${id}" in session "${session}"`, {
    entry: id,
    session,
  });
}

function toLogEntry(n: number, row: EntryRow): LogEntry {
  const { frame, at, tokens, message } = row;
  return { ...message, id: entryId(n), frame, at, tokens };
}
