import { handedBackText } from '../../adapters/handed-back-text.ts';
import { isEngineError, openStore, type Session, type Store } from '../../index.ts';
import type { HookEvent } from './hook-event.ts';
import { storeToRecord, takeIn } from './take-in.ts';

/** How long taking in what is new may hold up the agent, in milliseconds; what is not in then comes later. */
const patience = 8_000;

/** What stands for the work until now, for an agent that has just compacted its context. Where that cannot be had, where to read it. */
export async function handedBack(event: HookEvent, folder: string): Promise<string> {
  try {
    await using store = await newestStore(event, folder);
    const session = await openIfThere(store, event.session);
    if (session !== null) return await handedBackText(session);
  } catch (error) {
    if (!isEngineError(error)) throw error;
  }
  return `Flamestack could not read its log of this session now. All of it is in ${JSON.stringify(event.transcript)}, a line of JSON for each message: look there for what the summary leaves open.`;
}

/** The store with all that the transcript has by now; as it is, where another process writes to it. */
async function newestStore({ transcript }: HookEvent, folder: string): Promise<Store> {
  try {
    const store = await storeToRecord(folder);
    const signal = AbortSignal.timeout(patience);
    await takeIn(store, transcript, signal).catch((error: unknown) =>
      ignoreUnless(error, signal.aborted),
    );
    return store;
  } catch (error) {
    if (!isEngineError(error, 'STORE_IN_USE')) throw error;
    return openStore(folder, { readOnly: true });
  }
}

function ignoreUnless(error: unknown, isLate: boolean): void {
  if (!isLate && !isEngineError(error)) throw error;
}

async function openIfThere(store: Store, id: string): Promise<Session | null> {
  for await (const one of store.sessions()) if (one.id === id) return store.open(id);
  return null;
}
