import { contextOf } from '../../core/progress/progress.ts';
import { isEmptyContext, recoveredLine } from '../../core/truncation/recovery.ts';
import { checkArgument, flag, nonEmptyText, objectOf } from '../../core/values/validation.ts';
import { checkConfirmation } from '../commands/command-arguments.ts';
import { noAnswer } from '../commands/command.ts';
import { recoverFrom, type RecoverOptions } from '../commands/recover-from.ts';
import { report } from '../commands/report.ts';
import type { CommandSession } from '../live/session-access.ts';
import { toConfirmation } from '../step/session-state.ts';
import { sync } from '../sync/sync.ts';
import type { HandleContext } from './handle-context.ts';
import type { Session } from './session.ts';

const recoverOptions = objectOf<RecoverOptions>({
  from: nonEmptyText('a folder or a file'),
  trust: flag,
});

/** What tells a session that something was lost, and what recovers it. */
export function toRecovery(
  session: CommandSession,
  { check, command }: HandleContext,
): Pick<Session, 'report' | 'sync' | 'recover' | 'recovery'> {
  return {
    async report(reading) {
      check();
      return report(session, reading);
    },
    async sync(history, options) {
      check();
      return sync(session, history, options);
    },
    async recover(options = {}) {
      check();
      checkArgument('options', options, recoverOptions);
      const { from, trust = true } = options;
      return from === undefined
        ? command({ type: 'recover' }, noAnswer)
        : recoverFrom(session, from, { trust });
    },
    recovery: {
      preview() {
        check();
        const context = contextOf(session.state, session.bodies);
        return isEmptyContext(context) ? '' : recoveredLine(context);
      },
      async confirm(answer = true) {
        checkConfirmation(answer);
        return command({ type: 'confirm', ...toConfirmation(answer) }, noAnswer);
      },
    },
  };
}
