import type { OnFault } from '../recorded-call.ts';
import type { Session, SessionOptions, Store } from '../../index.ts';

/** The sessions of a store by thread; few are open at once. */
export interface ThreadSessions {
  /** Gives `work` the session of a thread; null where it cannot be opened. */
  use<T>(thread: string, work: (session: Session | null) => Promise<T>): Promise<T>;
}

/** A session that is open, and how many work with it. */
interface OpenSession {
  readonly session: Promise<Session | null>;
  users: number;
}

/** The sessions of a store, of which about `most` stay open: that which nobody worked with for the longest is closed. */
export function threadSessions(
  store: Store,
  {
    most,
    options,
    onFault,
  }: { readonly most: number; readonly options: SessionOptions; readonly onFault: OnFault },
): ThreadSessions {
  const open = new Map<string, OpenSession>();
  const opened = async (thread: string): Promise<Session | null> => {
    try {
      return await store.open(thread, options);
    } catch (error) {
      onFault(error);
      return null;
    }
  };
  const enter = (thread: string): OpenSession => {
    const known = open.get(thread) ?? { session: opened(thread), users: 0 };
    open.delete(thread);
    open.set(thread, known);
    known.users += 1;
    return known;
  };
  const closeOld = async (): Promise<void> => {
    for (const [thread, { session, users }] of open) {
      if (open.size <= most) return;
      if (users > 0) continue;
      open.delete(thread);
      await (await session)?.close().catch(onFault);
    }
  };
  return {
    async use(thread, work) {
      const entered = enter(thread);
      try {
        const session = await entered.session;
        if (session === null) open.delete(thread);
        return await work(session);
      } finally {
        entered.users -= 1;
        await closeOld();
      }
    },
  };
}
