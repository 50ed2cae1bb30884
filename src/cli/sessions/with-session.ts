import type { Session } from '../../index.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { openWaiting } from './open-store.ts';
import { latestFirst, pickSession } from './pick.ts';

/** Opens the session that a person means, gives it to `work`, and closes the store whatever comes of it. */
export async function withSession<T>(
  call: CommandCall,
  said: string | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const store = await openWaiting(storeFolder(call), { create: false, signal: call.io.signal });
  try {
    const { id } = pickSession(await latestFirst(store), said);
    await using session = await store.open(id);
    return await work(session);
  } finally {
    await store.close();
  }
}
