import { setTimeout as sleep } from 'node:timers/promises';
import { isEngineError, openStore, type Store, type StoreOptions } from '../../index.ts';

/** How long a store that is open elsewhere is waited for, in milliseconds: the waits between the tries. */
const waits: readonly number[] = [50, 100, 150, 200, 300, 400, 400, 400];

/**
 * `openStore`, which tries again for about two seconds where another process
 * has the store: most commands are over by then. Rejects on abort with an
 * `AbortError`.
 */
export function openWaiting(
  location: string,
  options: StoreOptions & { readonly signal: AbortSignal },
): Promise<Store> {
  const { signal, ...given } = options;
  return retryWhileInUse(() => openStore(location, given), {
    wait: (ms) => sleep(ms, undefined, { signal }),
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
