import { setTimeout as sleep } from 'node:timers/promises';
import { isEngineError, openStore, type Store } from '../../index.ts';
import { retryWhileInUse } from '../sessions/store/open-store.ts';

/** The window of a session that is recorded beside an agent, in tokens: what is handed back of it has to fit into what the agent takes of a hook. */
const window = 5_000;

/** The store of a project, to write; waits about two seconds where another process has it, then rejects with `STORE_IN_USE`. */
export function storeToRecord(folder: string): Promise<Store> {
  return retryWhileInUse(() => openStore(folder, { command: 'hook' }), { wait: (ms) => sleep(ms) });
}

/** Takes what is new in an agent's own session file into a store. Its system prompt is the agent's to send. */
export async function takeIn(
  store: Store,
  transcript: string,
  signal?: AbortSignal,
): Promise<void> {
  const options = { window, system: '' };
  await store.import(transcript, signal === undefined ? options : { ...options, signal });
}

/**
 * The same in a process of its own, for which nobody waits: it waits for the store for some `patience` in
 * milliseconds, since after the last event of a session there is none that would do it.
 */
export async function takeInto(
  folder: string,
  transcript: string,
  patience: number,
): Promise<void> {
  await using store = await patientStore(folder, Date.now() + patience);
  await takeIn(store, transcript);
}

async function patientStore(folder: string, until: number): Promise<Store> {
  try {
    return await storeToRecord(folder);
  } catch (error) {
    if (!isEngineError(error, 'STORE_IN_USE') || Date.now() >= until) throw error;
  }
  return patientStore(folder, until);
}
