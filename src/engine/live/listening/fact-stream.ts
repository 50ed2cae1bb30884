import { readJournal } from '../../journal/load.ts';
import type { SessionFact } from './listeners.ts';
import type { SessionReader } from '../session-access.ts';

/** All facts after a sequence number, then, where it is `live`, those to come, without a gap or a repeat; ends with `ended`, rejects when `signal` aborts. */
export async function* factStream(
  session: SessionReader,
  from: { after: number; live: boolean; signal?: AbortSignal | undefined; ended: AbortSignal },
): AsyncGenerator<SessionFact> {
  const { live, signal, ended } = from;
  const waiting: SessionFact[] = [];
  let wake = (): void => undefined;
  const stop = session.listen((fact) => {
    waiting.push(fact);
    wake();
  });
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort);
  ended.addEventListener('abort', onAbort);
  let last = from.after;
  try {
    signal?.throwIfAborted();
    for await (const { seq, at, facts } of readJournal(session.store, session.id, from.after)) {
      for (const fact of facts) {
        yield { ...fact, seq, at };
        signal?.throwIfAborted();
      }
      last = seq;
    }
    for (;;) {
      signal?.throwIfAborted();
      for (const fact of waiting.splice(0)) {
        if (fact.seq <= last) continue;
        yield fact;
        signal?.throwIfAborted();
      }
      if (waiting.length > 0) continue;
      if (ended.aborted || !live) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
    signal?.removeEventListener('abort', onAbort);
    ended.removeEventListener('abort', onAbort);
  }
}
