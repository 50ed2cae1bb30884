import { isEngineError, type Session, type Store } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { openToRead, openWaiting } from '../sessions/open-store.ts';

/** Where a served session is looked for. */
export interface Served {
  /** The session that was named when the server was started. */
  readonly session: string | undefined;
  readonly call: CommandCall;
}

/** The session into which what is noted goes where nothing is recorded yet. */
const ownSession = 'notes';

/** Gives `work` the session for reading, and the store; null where nothing is recorded. */
export async function reading<T>(
  served: Served,
  said: string | undefined,
  work: (session: Session, store: Store) => Promise<T>,
): Promise<T | null> {
  try {
    await using store = await openToRead(served.call);
    const id = await idIn(store, served, said);
    return id === null ? null : await work(await store.open(id), store);
  } catch (error) {
    if (isEngineError(error, 'STORE_NOT_FOUND')) return null;
    throw error;
  }
}

/** Gives `work` the session for writing, which is begun where there is none. */
export async function writing<T>(
  served: Served,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await using store = await openWaiting(storeFolder(served.call), served.call);
  const known = await idIn(store, served, undefined);
  const session = await store.open(
    known ?? served.session ?? ownSession,
    known === null ? begun : {},
  );
  return await work(session);
}

/** The window of a session that agents keep by hand, in tokens. */
const begun = { window: 32_768 };

/** The session that is meant: named in the call, when the server was started, or by the agent; else the latest. Null for none. */
async function idIn(
  store: Store,
  { session, call }: Served,
  said: string | undefined,
): Promise<string | null> {
  const sessions = await latestFirst(store);
  if (said !== undefined) return pickSession(sessions, said).id;
  if (session !== undefined) return sessions.find(({ id }) => id === session)?.id ?? null;
  const own = call.io.env['CLAUDE_CODE_SESSION_ID'];
  return (sessions.find(({ id }) => id === own) ?? sessions[0])?.id ?? null;
}
