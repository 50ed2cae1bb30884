import { isEngineError, openStore, type Session, type Store } from '../../index.ts';
import { latestFirst, pickSession } from '../../cli/sessions/pick.ts';
import { leaseStore } from '../store-lease.ts';

/** A store that is served, and the session of it. */
export interface Served {
  readonly store: ServedStore;
  /** The session that was named when the server was started. */
  readonly session?: string | undefined;
  /** The session that the agent says is its own; served where it is recorded. */
  readonly own?: string | undefined;
  /** Whether answers come in parts, too. */
  readonly structured?: boolean | undefined;
}

/** A store that is open for moments. Several servers may share one. */
export interface ServedStore {
  /** Gives `work` the store as it is now, whoever has it open. */
  read<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Gives `work` the store to write; waits about two seconds for another process. */
  write<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/** The store at a location, opened when it is needed; or one that is open, and stays so. */
export function servedStore(store: string | Store): ServedStore {
  if (typeof store !== 'string') {
    const use: ServedStore['read'] = (work) => work(store);
    return { read: use, write: use, close: async () => undefined };
  }
  const lease = leaseStore(store);
  const use: ServedStore['read'] = (work) => lease.use(work);
  const look: ServedStore['read'] = async (work) => {
    await using open = await openStore(store, { readOnly: true });
    return await work(open);
  };
  return { read: store === ':memory:' ? use : look, write: use, close: () => lease.close() };
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
    return await served.store.read(async (store) => {
      const id = await idIn(store, served, said);
      if (id === null) return null;
      await using session = await store.open(id);
      return await work(session, store);
    });
  } catch (error) {
    if (isEngineError(error, 'STORE_NOT_FOUND')) return null;
    throw error;
  }
}

/** Gives `work` the session for writing, which is begun where there is none. */
export function writing<T>(served: Served, work: (session: Session) => Promise<T>): Promise<T> {
  return served.store.write(async (store) => {
    const known = await idIn(store, served, undefined);
    await using session = await store.open(
      known ?? served.session ?? ownSession,
      known === null ? begun : {},
    );
    return await work(session);
  });
}

/** The window of a session that agents keep by hand, in tokens. */
const begun = { window: 32_768 };

/** The session that is meant: named in the call, when the server was started, or by the agent; else the latest. Null for none. */
async function idIn(
  store: Store,
  { session, own }: Served,
  said: string | undefined,
): Promise<string | null> {
  const sessions = await latestFirst(store);
  if (said !== undefined) return pickSession(sessions, said).id;
  if (session !== undefined) return sessions.find(({ id }) => id === session)?.id ?? null;
  return (sessions.find(({ id }) => id === own) ?? sessions[0])?.id ?? null;
}
