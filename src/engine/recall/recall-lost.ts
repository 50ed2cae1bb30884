import { isEngineError } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import { sharedSpans } from '../../core/values/span.ts';
import { entryKey } from '../../store/key.ts';
import type { EntryRow } from '../journal/load.ts';
import { entriesMissing, wholeRows, type LostEntries } from '../journal/whole-rows.ts';
import type { Log, MatchedLog } from './recall-filter.ts';

/** Hears of entries of a log that cannot be read. */
export type OnLostIn = (lost: LostEntries, log: MatchedLog) => void;

/** {@link OnLostIn} where nobody listens: throws `RECORD_DAMAGED`. */
export const refuseLost: OnLostIn = (lost, { session }) => {
  throw entriesMissing(session, lost);
};

/** Tells what an index could not read of the part of a log that is searched. */
export async function tellLost(log: Log, onLost: OnLostIn): Promise<void> {
  const { index, within, store, session } = log;
  const spans = within === undefined ? index.lost : sharedSpans(index.lost, within);
  const tell = (lost: LostEntries): void => onLost(lost, log);
  for (const [first, last] of spans) {
    const range = { after: first - 1, before: last + 1, last, onLost: tell };
    for await (const _ of wholeRows(store, session, range));
  }
}

/** The row of an entry that was found; null where it was lost since it was indexed, which is told. */
export async function readMatched(
  log: MatchedLog,
  n: number,
  onLost: OnLostIn,
): Promise<EntryRow | null> {
  const lost = { from: entryId(n), to: entryId(n) };
  try {
    const row = await log.store.get('entry', entryKey(log.session, n));
    if (row !== undefined) return row as EntryRow;
    onLost({ ...lost, reason: 'missing' }, log);
  } catch (error) {
    if (!isEngineError(error, 'RECORD_DAMAGED') || error.detail.key === undefined) throw error;
    onLost({ ...lost, reason: 'changed' }, log);
  }
  return null;
}
