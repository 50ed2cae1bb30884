import type { Session, SessionSummary, Store } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { openToRead, openWaiting } from './store/open-store.ts';
import { chooseSession } from './choose-session.ts';
import { withWhatIsThere } from './not-there.ts';
import { latestFirst } from './pick.ts';

/** Opens the store, which must be there, for reading, gives it to `work`, and closes it whatever comes of it. */
export async function readStore<T>(
  call: CommandCall,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  await using store = await openToRead(call);
  return await work(store);
}

/** What is done with a session, which is listed so among those of the store. */
type SessionWork<T> = (
  session: Session,
  listed: SessionSummary,
  sessions: readonly SessionSummary[],
) => Promise<T>;

/** Opens the session that a person means for reading, gives it to `work`, and closes the store whatever comes of it. */
export function readSession<T>(
  call: CommandCall,
  said: string | undefined,
  work: SessionWork<T>,
): Promise<T> {
  return readStore(call, (store) => inSession(store, said, { call, work }));
}

/** Opens the session that a person means for a command that may change it, gives it to `work`, and closes the store whatever comes of it. */
export async function withSession<T>(
  call: CommandCall,
  said: string | undefined,
  work: SessionWork<T>,
): Promise<T> {
  await using store = await openWaiting(storeFolder(call), call, { create: false });
  return await inSession(store, said, { call, work });
}

async function inSession<T>(
  store: Store,
  said: string | undefined,
  { call, work }: { readonly call: CommandCall; readonly work: SessionWork<T> },
): Promise<T> {
  const sessions = await latestFirst(store);
  const listed = await chooseSession(sessions, said, call);
  return inListed(store, listed, (session) => work(session, listed, sessions));
}

async function inListed<T>(
  store: Store,
  listed: SessionSummary,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await using session = await store.open(listed.id);
  try {
    return await work(session);
  } catch (error) {
    throw withWhatIsThere(error, session);
  }
}
