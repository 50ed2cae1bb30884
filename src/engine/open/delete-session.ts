import { fail, isEngineError } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import { sessionKey, sessionRange } from '../../store/key.ts';
import { checkTables } from '../../store/level/damaged-tables.ts';
import type { RecordStore, Remains } from '../../store/store.ts';
import { eraseDocuments } from '../effects/documents/erase-documents.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { StoreContext } from './store-context.ts';

/** What became of a session that was deleted. */
export interface SessionDeletion {
  readonly session: string;
  /** Rows that it had in the store. */
  readonly rows: number;
  /** Files of checkpoint documents that it was taken out of. */
  readonly documents: readonly string[];
  /** What may hold its text still, and cannot be reached from here. */
  readonly left: readonly Remains[];
}

/** Deletes a session: its rows, their bytes, and its documents; throws `SESSION_NOT_FOUND`, and `BUSY` where somebody holds it. */
export async function deleteSession(context: StoreContext, id: string): Promise<SessionDeletion> {
  const { records, sessions, searches, documents: folder } = context;
  toSessionId(id);
  if (records.refusal !== undefined) throw records.refusal;
  return sessions.without(id, async (live) => {
    if (!(await isThere(records, id)))
      throw fail('SESSION_NOT_FOUND', `There is no session "${id}"`, { session: id });
    await checkTables(records);
    if (live !== undefined) await ended(live, context);
    await searches.end(id);
    // Documents go first: a deletion that is broken off here leaves a session that can be deleted again.
    const { files, unknown } = await eraseDocuments(folder, id);
    const { rows, left } = await records.erase(id);
    const remains = [...left, ...(folder === null ? [unknownFolder] : []), ...unknown, ...always];
    return { session: id, rows, documents: files, left: remains };
  });
}

/** Resolves when nothing of a session that was retired is written any more. */
async function ended(live: LiveSession, { effects }: StoreContext): Promise<void> {
  await live.written.catch(() => undefined);
  effects.pump(live);
  await effects.of(live).lookAtPage();
}

/** Whether a session has any row, be it damaged. */
async function isThere(records: RecordStore, id: string): Promise<boolean> {
  try {
    if ((await records.get('session', sessionKey(id))) !== undefined) return true;
    for (const kind of ['journal', 'entry', 'outbox'] as const)
      for await (const _ of records.range(kind, sessionRange(id, { limit: 1 }))) return true;
    return false;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return true;
    throw error;
  }
}

const unknownFolder: Remains = {
  kind: 'document',
  text: 'Checkpoint documents: the store was opened without their folder',
};

const always: readonly Remains[] = [
  { kind: 'backup', text: 'Backups, exported files, and the file that it was imported from' },
  { kind: 'session', text: 'Other sessions that say the same, as one that went on from it' },
];
