import { isEngineError } from '../../../core/values/error.ts';
import { framesKey, parseJournalKey } from '../../../store/key.ts';
import { readFrames, type FramesAt } from '../../../store/search/frames-row.ts';
import type { RecordStore } from '../../../store/store.ts';
import { firstBehind } from './frame-records.ts';
import type { FrameRecords } from '../recall-filter.ts';
import type { StoredLog } from './stored-frames.ts';

/** The frames of a session whose header is `created`; as its index has them where that is of its last record, elsewhere read from its journal. */
export async function framesOf(
  records: RecordStore,
  created: number,
  log: StoredLog,
): Promise<FrameRecords | undefined> {
  const { session, last, upTo } = log;
  const read = async (): Promise<FrameRecords | undefined> =>
    (await import('./stored-frames.ts')).storedFrames(records, log);
  const seq = last === '' ? 0 : parseJournalKey(last).seq;
  const find = await packedIn(records, { session, created, seq });
  if (find === null) return read();
  return {
    find: async (terms) => [find(terms, firstBehind(upTo))],
    isMeant: () => true,
    read: async (n) => (await read())?.read(n) ?? null,
  };
}

/** What the index has of the frames; null where that is of another state, or damaged. */
async function packedIn(
  records: RecordStore,
  at: FramesAt,
): Promise<ReturnType<typeof readFrames>> {
  try {
    return readFrames(at, await records.get('search', framesKey(at.session)));
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return null;
    throw error;
  }
}
