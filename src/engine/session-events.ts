import type { Store } from '../store/store.ts';
import { follow } from './feed.ts';
import type { SessionFact } from './listeners.ts';
import type { Live } from './live.ts';
import type { Session } from './session.ts';

/** What happens in a session, as a handle tells it; the feed ends with `ended`. */
export function toEvents(
  live: Live,
  around: { readonly store: Store; readonly check: () => void; readonly ended: AbortSignal },
): Pick<Session, 'on' | 'events'> {
  const { store, check, ended } = around;
  return {
    on: (type: string, listener: (fact: SessionFact) => void) => {
      check();
      if (typeof listener !== 'function') throw new TypeError('A listener is a function');
      return live.listen((fact) => {
        if (type === '*' || fact.type === type) listener(fact);
      });
    },
    events({ after = 0, signal } = {}) {
      check();
      return follow(store, live, { after, signal, ended });
    },
  };
}
