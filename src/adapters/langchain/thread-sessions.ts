import type { Session, SessionOptions, Store } from '../../index.ts';

/** The sessions of a store by thread; few are open at once. */
export interface ThreadSessions {
  /** Gives `work` the session of a thread. */
  use<T>(thread: string, work: (session: Session) => Promise<T>): Promise<T>;
}

/** A session that is open, and how many work with it. */
interface OpenSession {
  readonly session: Promise<Session>;
  users: number;
}

/** The sessions of a store, of which about `most` stay open: that which nobody worked with for the longest is closed. */
export function threadSessions(
  store: Store,
  { most, options }: { readonly most: number; readonly options: SessionOptions },
): ThreadSessions {
  const open = new Map<string, OpenSession>();
  const enter = (thread: string): OpenSession => {
    const known = open.get(thread) ?? { session: store.open(thread, options), users: 0 };
    open.delete(thread);
    open.set(thread, known);
    known.users += 1;
    known.session.catch(() => open.delete(thread));
    return known;
  };
  const closeOld = async (): Promise<void> => {
    for (const [thread, { session, users }] of open) {
      if (open.size <= most) return;
      if (users > 0) continue;
      open.delete(thread);
      await (await session).close();
    }
  };
  return {
    async use(thread, work) {
      const entered = enter(thread);
      try {
        return await work(await entered.session);
      } finally {
        entered.users -= 1;
        await closeOld();
      }
    },
  };
}
