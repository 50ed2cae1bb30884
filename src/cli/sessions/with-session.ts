import type { Session, Store } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { openWaiting } from './open-store.ts';
import { latestFirst, pickSession } from './pick.ts';

/** Opens the store, which must be there, gives it to `work`, and closes it whatever comes of it. */
export async function withStore<T>(
  call: CommandCall,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { signal } = call.io;
  const store = await openWaiting(storeFolder(call), { create: false, signal });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Opens the session that a person means, gives it to `work`, and closes the store whatever comes of it. */
export function withSession<T>(
  call: CommandCall,
  said: string | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withStore(call, async (store) => {
    const { id } = pickSession(await latestFirst(store), said);
    await using session = await store.open(id);
    return await work(session);
  });
}
