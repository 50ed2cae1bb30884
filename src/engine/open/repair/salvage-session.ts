import { isDamage } from '../../../core/values/error.ts';
import { entryId } from '../../../core/values/id.ts';
import type { State } from '../../../core/state/state.ts';
import {
  entryKey,
  outboxKey,
  parseOutboxKey,
  parseEntryKey,
  seqRange,
  sessionKey,
  sessionRange,
} from '../../../store/key.ts';
import type { Change, RecordStore } from '../../../store/store.ts';
import { toIncoming } from '../../commands/append-command.ts';
import { load, type EntryRow } from '../../journal/load.ts';
import { lossesToNote } from '../../journal/known-losses.ts';
import { readHeader } from '../../journal/sessions/session-header.ts';
import { verifySession } from '../../journal/verify-session.ts';
import { isRedaction } from '../../commands/redact.ts';
import type { LiveSession } from '../../live/live-session.ts';
import type { SessionWriter } from '../../live/session-access.ts';
import { newestSoundState } from './sound-state.ts';

// A session that can be opened stays as it is. Of one that cannot, the newest state is kept that has all
// it needs, and what was said after it is appended again, each entry under its own id: what was decided
// since (frames, goals, checkpoints) cannot be told without what is lost, but nothing that was said is.
// Either way ids that were given out are never given again.

/** A session whose window nobody knows any more gets this one, in tokens. */
const windowUnknown = 32_768;

/** What is to be appended again. */
type Said = readonly (readonly [n: number, row: EntryRow])[];

/** A session as it is taken up again. */
export interface Rebuilding {
  /** The record of the journal after which entries are appended again; 0 where the session is begun anew. */
  readonly after: number;
  readonly said: Said;
}

/** Takes out of the store what a session that cannot be opened cannot go on with; null where it can be opened. */
export async function cutSession(store: RecordStore, id: string): Promise<Rebuilding | null> {
  const opened = await load(store, id).catch((error: unknown) => {
    if (isDamage(error)) return null;
    throw error;
  });
  if (opened !== null) {
    await store.commit(await rowsBeside(store, opened.state));
    return null;
  }
  const found = await newestSoundState(store, id);
  const { state, base } = found ?? { state: null, base: 0 };
  const [seq, entries] = [state?.seq ?? 0, state?.entryCount ?? 0];
  const said: [number, EntryRow][] = [];
  const gone: Change[] = [];
  for await (const [key, row] of store.range('entry', seqRange(id, { after: entries }))) {
    const { n } = parseEntryKey(key);
    said.push([n, row as EntryRow]);
    gone.push({ type: 'del', kind: 'entry', key: entryKey(id, n) });
  }
  // A copy behind the one that leads there cannot be read, or leads nowhere.
  for (const [kind, after] of [
    ['journal', seq],
    ['state', base],
  ] as const)
    for await (const [key] of store.range(kind, seqRange(id, { after })))
      gone.push({ type: 'del', kind, key });
  for await (const [key] of store.range('search', sessionRange(id)))
    gone.push({ type: 'del', kind: 'search', key });
  await store.commit(gone);
  if (state !== null) await store.commit(await rowsBeside(store, state));
  return { after: seq, said };
}

/** The changes after which a session has the header of its state, and the outbox what that owes, and nothing else. */
async function rowsBeside(store: RecordStore, state: State): Promise<Change[]> {
  const { session, created, options } = state;
  const { rest: _, ...header } = (await readHeader(store, session)) ?? {};
  const value = { ...header, created, window: options.window };
  const changes: Change[] = [{ type: 'put', kind: 'session', key: sessionKey(session), value }];
  for await (const [key] of store.range('outbox', sessionRange(session)))
    if (!isRedaction(parseOutboxKey(key).effect))
      changes.push({ type: 'del', kind: 'outbox', key });
  const put = (name: string, value: string): void =>
    void changes.push({ type: 'put', kind: 'outbox', key: outboxKey(session, name), value });
  for (const key of state.outbox.keys()) put(key, 'effect');
  for (const key of state.timers.keys()) put(`timer ${key}`, 'timer');
  for (const { key } of state.documents.pending) put(`document ${key}`, 'document');
  return changes;
}

/** Appends again what was said, and leaves out the ids of what is lost, up to the newest that was given out. */
export async function rebuildSession(
  live: LiveSession,
  { said, newest }: { readonly said: Said; readonly newest: number },
): Promise<void> {
  const inTurn = (work: (writer: SessionWriter) => Promise<unknown>): Promise<unknown> =>
    live.inTurn(work);
  for (const [n, row] of said)
    await inTurn(async (writer) => {
      leaveOut(writer, n - 1);
      const { entries, count } = await toIncoming(writer, [row.message], undefined);
      await writer.stepInParts({ type: 'append', entries }, { at: row.at, count });
    });
  await inTurn(async (writer) => leaveOut(writer, newest));
  await live.written;
}

/** Notes in a session what of it is gone, so that nobody looks for it again. */
export async function noteLosses(live: LiveSession, store: RecordStore): Promise<void> {
  const known = lossesToNote(await verifySession(store, live.id));
  if (known === null) return;
  await live.inTurn(async (writer) =>
    writer.step({ type: 'lose', to: entryId(writer.state.entryCount), known }),
  );
  await live.written;
}

/** The window of a session that is begun anew, in tokens. */
export async function windowOf(store: RecordStore, id: string): Promise<number> {
  return (await readHeader(store, id))?.window ?? windowUnknown;
}

function leaveOut(writer: SessionWriter, to: number): void {
  if (writer.state.entryCount < to) writer.step({ type: 'lose', to: entryId(to) });
}
