import {
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
  integer,
} from '../../core/values/validation.ts';
import { checkConfirmation, checkListener } from '../commands/command-check.ts';
import { noAnswer } from '../commands/command.ts';
import { recoverFrom } from '../commands/recover-from.ts';
import { report } from '../commands/report.ts';
import { factStream } from '../live/fact-stream.ts';
import type { SessionFact } from '../live/listeners.ts';
import type { CommandSession, SessionReader } from '../live/session-access.ts';
import { toConfirmation } from '../step/session-state.ts';
import { sync } from '../sync/sync.ts';
import type { HandleContext } from './handle-context.ts';
import type { Session } from './session.ts';

const recoverOptions = objectOf<{ from?: string }>({ from: nonEmptyText('a folder or a file') });

/** What tells a session that something was lost, and what recovers it. */
export function toRecovery(
  session: CommandSession,
  { check, command }: HandleContext,
): Pick<Session, 'report' | 'sync' | 'recover' | 'recovery'> {
  return {
    async report(given) {
      check();
      return report(session, given);
    },
    async sync(history) {
      check();
      return sync(session, history);
    },
    async recover(options = {}) {
      check();
      checkArgument('options', options, recoverOptions);
      const { from } = options;
      return from === undefined
        ? command({ type: 'recover' }, noAnswer)
        : recoverFrom(session, from);
    },
    recovery: {
      async confirm(answer = true) {
        checkConfirmation(answer);
        return command({ type: 'confirm', ...toConfirmation(answer) }, noAnswer);
      },
    },
  };
}

/** The highest sequence number that a record can have. */
const lastRecord = 10 ** 12 - 1;

const eventsOptions = objectOf<{ after?: number; signal?: AbortSignal }>({
  after: integer(0, lastRecord),
  signal,
});

/** The facts of a session as they come; streams of them end with `ended`. */
export function toEvents(
  session: SessionReader,
  { check, ended }: HandleContext,
): Pick<Session, 'on' | 'events'> {
  return {
    on: (type: string, listener: (fact: SessionFact) => void) => {
      check();
      checkListener(type, listener);
      return session.listen((fact) => {
        if (type === '*' || fact.type === type) listener(fact);
      });
    },
    events(options = {}) {
      check();
      checkArgument('options', options, eventsOptions);
      const { after = 0, signal } = options;
      return factStream(session, { after, signal, ended });
    },
  };
}
