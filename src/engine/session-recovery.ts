import { checkArgument, filled, objectOf } from '../core/argument.ts';
import type { Store } from '../store/store.ts';
import { done, type Command } from './command.ts';
import { checkConfirmation } from './command-check.ts';
import type { Live } from './live.ts';
import { recoverFrom } from './recover-from.ts';
import { toConfirmation } from './recovery-state.ts';
import { report } from './report.ts';
import type { Session } from './session.ts';
import { sync } from './sync.ts';

const recoverOptions = objectOf<{ from?: string }>({ from: filled('a folder or a file') });

/** What tells a session that something was lost, and what recovers it, as a handle shows them. */
export function toRecovery(
  live: Live,
  around: { readonly store: Store; readonly check: () => void; readonly command: Command },
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
