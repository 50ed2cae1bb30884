import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../index.ts';
import { retryWhileInUse } from '../cli/sessions/store/open-store.ts';

// A store belongs to one process at a time. An agent works for hours and needs its store for moments, between
// which a second window of it, or a person at the command line, may have it.

/** A store that is open while it is used, and a moment longer. */
export interface StoreLease {
  /** Gives `work` the store; waits about two seconds where another process has it, then rejects with `STORE_IN_USE`. */
  use<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Keeps the store open from its next use on, until the function that it gives is called. */
  hold(): () => void;
  /** Closes it once nobody uses it. */
  close(): Promise<void>;
}

/** How long a store stays open that nobody uses, in milliseconds: what comes in a batch finds it open. */
const linger = 250;

/** A lease on the store at a location; one in memory is never closed before the lease is. */
export function leaseStore(location: string): StoreLease {
  let open: Promise<Store> | null = null;
  let users = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const shut = async (): Promise<void> => {
    clearTimeout(timer);
    const store = open;
    open = null;
    await (await store?.catch(() => null))?.close();
  };
  let closing: Promise<void> = Promise.resolve();
  const leave = (): void => {
    users -= 1;
    if (users > 0 || location === ':memory:') return;
    timer = setTimeout(() => (closing = shut()), linger);
  };
  const enter = async (): Promise<Store> => {
    users += 1;
    clearTimeout(timer);
    await closing;
    open ??= retryWhileInUse(() => openStore(location, { command: 'agent' }), {
      wait: (ms) => sleep(ms),
    });
    const opening = open;
    return opening.catch((error: unknown) => {
      if (open === opening) open = null;
      throw error;
    });
  };
  return {
    async use(work) {
      try {
        return await work(await enter());
      } finally {
        leave();
      }
    },
    hold() {
      users += 1;
      let held = true;
      return () => {
        if (held) leave();
        held = false;
      };
    },
    async close() {
      await (closing = closing.then(shut));
    },
  };
}
