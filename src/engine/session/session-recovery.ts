import {
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
  integer,
} from '../../core/values/validation.ts';
import type { RecordStore } from '../../store/store.ts';
import { done, type RunCommand } from '../commands/command.ts';
import { checkConfirmation, checkListener } from '../commands/command-check.ts';
import type { LiveSession } from '../live/live-session.ts';
import { recoverFrom } from '../commands/recover-from.ts';
import { report } from '../commands/report.ts';
import type { Session } from './session.ts';
import { sync } from '../sync/sync.ts';
import { follow } from '../live/fact-stream.ts';
import type { SessionFact } from '../live/listeners.ts';
import { toConfirmation } from '../step/session-state.ts';

const recoverOptions = objectOf<{ from?: string }>({ from: nonEmptyText('a folder or a file') });

/** What tells a session that something was lost, and what recovers it, as a handle shows them. */
export function toRecovery(
  live: LiveSession,
  around: { readonly store: RecordStore; readonly check: () => void; readonly command: RunCommand },
): Pick<Session, 'report' | 'sync' | 'recover' | 'recovery'> {
  const { store, check, command } = around;
  return {
    async report(given) {
      check();
      return report(live, given);
    },
    async sync(history) {
      check();
      return sync(live, store, history);
    },
    async recover(options = {}) {
      check();
      checkArgument('options', options, recoverOptions);
      const { from } = options;
      return from === undefined ? command({ type: 'recover' }, done) : recoverFrom(live, from);
    },
    recovery: {
      async confirm(answer = true) {
        checkConfirmation(answer);
        return command({ type: 'confirm', ...toConfirmation(answer) }, done);
      },
    },
  };
}

/** The last record that a journal can have. */
const lastRecord = 10 ** 12 - 1;

const eventsOptions = objectOf<{ after?: number; signal?: AbortSignal }>({
  after: integer(0, lastRecord),
  signal,
});

/** What happens in a session, as a handle tells it; the feed ends with `ended`. */
export function toEvents(
  live: LiveSession,
  around: { readonly store: RecordStore; readonly check: () => void; readonly ended: AbortSignal },
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
