import type { Session, Store } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { openToRead } from '../sessions/store/open-store.ts';

/** Reads of one session, one after the other, from one opening of its store for as long as that is new enough. */
export interface SessionReader {
  /** What `work` gives; the session holds at least the step `seq`. */
  read<T>(seq: number, work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A reader of the session `id`, whoever else has its store open. */
export function sessionReader(call: CommandCall, id: string): SessionReader {
  let held: { readonly store: Store; readonly session: Session } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const letGo = async (): Promise<void> => {
    const before = held;
    held = null;
    await before?.session.close();
    await before?.store.close();
  };
  const sessionWith = async (seq: number): Promise<Session> => {
    if (held !== null && held.session.state.seq >= seq) return held.session;
    await letGo();
    const store = await openToRead(call);
    try {
      held = { store, session: await store.open(id) };
    } catch (error) {
      await store.close();
      throw error;
    }
    return held.session;
  };
  const after = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    read: (seq, work) => after(async () => work(await sessionWith(seq))),
    close: () => after(letGo),
  };
}
