import { fail, isEngineError, type EngineError } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import { parseEntryKey, parseJournalKey, seqRange } from '../../store/key.ts';
import type { RecordKind, RecordStore } from '../../store/store.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';

// Entries are numbered without a gap, and so are records of the journal and texts; what is missing between two
// rows, or before the end that the state knows of, was lost. LevelDB drops damaged rows in silence: who
// reads a stretch has to count.

/** Entries of a log that cannot be read. */
export interface LostEntries {
  /** The first and the last of them. */
  readonly from: string;
  readonly to: string;
  /** Whether their rows are not there, or do not match their checksums. */
  readonly reason: 'missing' | 'changed';
}

/** Hears of what is left out; where nobody does, reading ends with `RECORD_DAMAGED`. */
export type OnLost = (lost: LostEntries) => void;

/** Numbered rows that cannot be read. */
export interface LostRows {
  /** The first and the last of them. */
  readonly from: number;
  readonly to: number;
  readonly reason: 'missing' | 'changed';
}

/** A row that is damaged; without a key where all after the last one of its kind are. */
export interface DamagedRow {
  readonly kind: RecordKind;
  readonly key?: string;
  readonly message: string;
}

/** Behind all numbers that rows may have. */
export const largestNumber = 10 ** 12 - 1;

/** A stretch of rows to read; numbers, both ends outside. */
interface Stretch {
  readonly after: number;
  readonly before: number;
  /** The newest row that there must be; 0 where nobody knows. */
  readonly last: number;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The entry rows of a stretch by their positions. What is lost is told, or rejects with `RECORD_DAMAGED`. */
export function wholeRows(
  store: RecordStore,
  session: string,
  { onLost, ...stretch }: Stretch & { readonly onLost?: OnLost | undefined },
): AsyncGenerator<readonly [n: number, row: unknown]> {
  return numberedRows(store, session, {
    ...stretch,
    kind: 'entry',
    onLost({ from, to, reason }, error) {
      const lost = { from: entryId(from), to: entryId(to), reason };
      if (onLost === undefined) throw error ?? entriesMissing(session, lost);
      onLost(lost);
    },
  });
}

/** The rows of a stretch by their numbers; `onLost` hears of those that are lost, in order. */
export async function* numberedRows(
  store: RecordStore,
  session: string,
  range: Stretch & {
    readonly kind: 'entry' | 'journal' | 'text';
    readonly onLost: (lost: LostRows, error?: EngineError) => void;
  },
): AsyncGenerator<readonly [n: number, row: unknown]> {
  const { kind, after, before, last, reverse = false, signal, onLost } = range;
  const end = Math.min(before - 1, last);
  const step = reverse ? -1 : 1;
  // The number that comes next, and the last that must come; those beyond `last` may be there, too.
  let next = reverse ? end : after + 1;
  const final = reverse ? after + 1 : end;
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  const leaveOut = (until: number): void => {
    const [from, to] = reverse ? [until + 1, next] : [next, until - 1];
    if (from <= to) onLost({ from, to, reason: 'missing' });
  };
  const walk = { after, before, reverse, ...(signal === undefined ? {} : { signal }) };
  for await (const { key, value, error } of rowsPastDamage(store, kind, seqRange(session, walk))) {
    const n = numberOf(kind, key);
    // The key of a damaged row may be damaged as well: then its place is found to be empty.
    if (error !== undefined && n !== next) continue;
    if (n === null) continue;
    leaveOut(n);
    next = n + step;
    if (error !== undefined) {
      onLost({ from: n, to: n, reason: 'changed' }, error);
      continue;
    }
    yield [n, value];
    left -= 1;
    if (left <= 0) return;
  }
  leaveOut(final + step);
}

/** The number in a key; null where it is none. */
function numberOf(kind: 'entry' | 'journal' | 'text', key: string): number | null {
  try {
    return kind === 'journal' ? parseJournalKey(key).seq : parseEntryKey(key).n;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return null;
    throw error;
  }
}

/** The error for entries whose rows are not there. */
export function entriesMissing(
  session: string,
  { from, to }: Pick<LostEntries, 'from' | 'to'>,
): EngineError {
  const which = from === to ? `Entry ${from}` : `Entries ${from} to ${to}`;
  const are = from === to ? 'is' : 'are';
  return fail('RECORD_DAMAGED', `${which} of session "${session}" ${are} missing in the store`, {
    kind: 'entry',
    session,
    missing: [from, to],
  });
}
