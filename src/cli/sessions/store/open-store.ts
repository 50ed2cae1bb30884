import { setTimeout as sleep } from 'node:timers/promises';
import { isEngineError, openStore, type Store, type StoreOptions } from '../../../index.ts';
import { storeFolder, type CommandCall } from '../../call/call.ts';

/** How long a store that is open elsewhere is waited for, in milliseconds: the waits between the tries. */
const waits: readonly number[] = [50, 100, 150, 200, 300, 400, 400, 400];

/** The store of a call, for reading: as it is now, whoever has it open. */
export function openToRead(call: CommandCall): Promise<Store> {
  return openStore(storeFolder(call), { readOnly: true });
}

/**
 * `openStore`, which tries again for about two seconds where another process
 * has the store: most commands are over by then. Rejects on abort with an
 * `AbortError`.
 */
export function openWaiting(
  location: string,
  call: CommandCall,
  options: StoreOptions = {},
): Promise<Store> {
  const { command, io } = call;
  return retryWhileInUse(() => openStore(location, { command, ...options }), {
    wait: (ms) => sleep(ms, undefined, { signal: io.signal }),
  });
}

/** What `open` gives, tried again after each wait as long as it rejects with `STORE_IN_USE`. */
export async function retryWhileInUse<T>(
  open: () => Promise<T>,
  { wait }: { readonly wait: (ms: number) => Promise<unknown> },
): Promise<T> {
  for (const ms of waits) {
    try {
      return await open();
    } catch (error) {
      if (!isEngineError(error, 'STORE_IN_USE')) throw error;
    }
    await wait(ms);
  }
  return open();
}
