import type { Store } from '../store/store.ts';
import type { Live, SessionFact } from './live.ts';
import { readJournal } from './load.ts';

/** All facts after a sequence number, then those to come, without a gap or a repeat; ends when `signal` aborts. */
export async function* follow(
  store: Store,
  live: Live,
  from: { after: number; signal?: AbortSignal | undefined },
): AsyncGenerator<SessionFact> {
  const { signal } = from;
  const waiting: SessionFact[] = [];
  let wake = (): void => undefined;
  const stop = live.listen((fact) => {
    waiting.push(fact);
    wake();
  });
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort);
  let last = from.after;
  const ended = (): boolean => signal?.aborted === true;
  try {
    for await (const { seq, at, facts } of readJournal(store, live.id, from.after)) {
      for (const fact of facts) yield { ...fact, seq, at };
      last = seq;
      if (ended()) return;
    }
    while (!ended()) {
      for (const fact of waiting.splice(0)) if (fact.seq > last) yield fact;
      if (waiting.length > 0 || ended()) continue;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
    signal?.removeEventListener('abort', onAbort);
  }
}
