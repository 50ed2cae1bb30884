import { outboxKey, sessionKey, sessionRange } from './key.ts';
import { kinds, type Change, type Erasure, type KeyRange, type RecordKind } from './store.ts';

// A session goes in many batches: its own row first, so that no list knows it any more, and with that a
// mark in the outbox. Who finds the mark when the store is opened goes on where a crash broke off. It is
// taken away when the bytes of all other kinds are gone, too.

/** What the mark of a session that is being deleted is called in the outbox. */
export const deletion = 'delete';

/** Rows of a batch. */
const batchRows = 1_000;

/** The records that a session is deleted from. */
interface ErasedRecords {
  keys(kind: RecordKind, range: KeyRange): Promise<readonly string[]>;
  commit(changes: readonly Change[]): Promise<void>;
  /** Makes the bytes of deleted rows of these kinds go; gives what of them is left. */
  reclaim(kinds: readonly RecordKind[]): Promise<Erasure['left']>;
}

/** Deletes all rows of a session, damaged ones too, and their bytes; a second time it goes on where the first broke off. */
export async function eraseSession(records: ErasedRecords, session: string): Promise<Erasure> {
  const mark = { kind: 'outbox', key: outboxKey(session, deletion) } as const;
  const own = { kind: 'session', key: sessionKey(session) } as const;
  const found = await records.keys('session', { gte: own.key, lte: own.key });
  await records.commit([
    { type: 'put', ...mark, value: deletion },
    { type: 'del', ...own },
  ]);
  let rows = found.length;
  for (const kind of kinds) {
    if (kind === 'meta' || kind === 'session') continue;
    for (;;) {
      const all = await records.keys(kind, sessionRange(session, { limit: batchRows }));
      const keys = kind === 'outbox' ? all.filter((key) => key !== mark.key) : all;
      if (keys.length === 0) break;
      await records.commit(keys.map((key) => ({ type: 'del', kind, key })));
      rows += keys.length;
    }
  }
  const left = await records.reclaim(kinds.filter((kind) => kind !== 'meta' && kind !== 'outbox'));
  if (left.some(({ kind }) => kind === 'read')) return { rows, left };
  await records.commit([{ type: 'del', ...mark }]);
  await records.reclaim(['outbox']);
  return { rows, left };
}
