import { fail, isEngineError, type EngineError } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import { parseEntryKey, seqRange } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { rowsPastDamage, type ReadRow } from './past-damage.ts';

// Entries are numbered without a gap, so what is missing between two rows, or before the end that the
// state knows of, was lost. LevelDB drops damaged rows in silence: who reads a stretch has to count.

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

/** A stretch of entries to read; positions, both ends outside. */
export interface WholeRange {
  readonly after: number;
  readonly before: number;
  /** The newest entry that there must be; 0 where nobody knows. */
  readonly last: number;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLost?: OnLost | undefined;
}

/** The entry rows of a stretch by their positions. What is lost is told, or rejects with `RECORD_DAMAGED`. */
export async function* wholeRows(
  store: RecordStore,
  session: string,
  range: WholeRange,
): AsyncGenerator<readonly [n: number, row: unknown]> {
  const { after, before, last, reverse = false, limit = Number.POSITIVE_INFINITY, signal } = range;
  const tell: OnLost = (lost) => {
    if (range.onLost === undefined) throw entriesMissing(session, lost);
    range.onLost(lost);
  };
  const end = Math.min(before - 1, last);
  const step = reverse ? -1 : 1;
  // The position that comes next, and the last that must come; those beyond `last` may be there, too.
  let next = reverse ? end : after + 1;
  const final = reverse ? after + 1 : end;
  let left = limit;
  const leftOut = (until: number): void => {
    const [from, to] = reverse ? [until + 1, next] : [next, until - 1];
    if (from <= to) tell({ from: entryId(from), to: entryId(to), reason: 'missing' });
  };
  const walk = seqRange(session, {
    after,
    before,
    reverse,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const row of rowsPastDamage(store, 'entry', walk)) {
    if (row.error !== undefined) {
      if (range.onLost === undefined) throw row.error;
      // The key of a damaged row may be damaged as well: then its place is found to be empty.
      if (positionOf(row) !== next) continue;
      tell({ from: entryId(next), to: entryId(next), reason: 'changed' });
      next += step;
      continue;
    }
    const { n } = parseEntryKey(row.key);
    leftOut(n);
    next = n + step;
    yield [n, row.value];
    left -= 1;
    if (left <= 0) return;
  }
  leftOut(final + step);
}

/** The position of a row; null where its key is none. */
function positionOf({ key }: ReadRow): number | null {
  try {
    return parseEntryKey(key).n;
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
