import { checkArgument, objectOf, signal, whole } from '../core/argument.ts';
import type { Store } from '../store/store.ts';
import { checkListener } from './command-check.ts';
import { follow } from './feed.ts';
import type { SessionFact } from './listeners.ts';
import type { Live } from './live.ts';
import type { Session } from './session.ts';

/** The last record that a journal can have. */
const lastRecord = 10 ** 12 - 1;

const eventsOptions = objectOf<{ after?: number; signal?: AbortSignal }>({
  after: whole(0, lastRecord),
  signal,
});

/** What happens in a session, as a handle tells it; the feed ends with `ended`. */
export function toEvents(
  live: Live,
  around: { readonly store: Store; readonly check: () => void; readonly ended: AbortSignal },
): Pick<Session, 'on' | 'events'> {
  const { store, check, ended } = around;
  return {
    on: (type: string, listener: (fact: SessionFact) => void) => {
      check();
      checkListener(type, listener);
      return live.listen((fact) => {
        if (type === '*' || fact.type === type) listener(fact);
      });
    },
    events(options = {}) {
      check();
      checkArgument('options', options, eventsOptions);
      const { after = 0, signal } = options;
      return follow(store, live, { after, signal, ended });
    },
  };
}
