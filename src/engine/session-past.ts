import type { Store } from '../store/store.ts';
import { differenceOf, viewAt } from './at.ts';
import type { Command } from './command.ts';
import type { Live } from './live.ts';
import { raiseStep } from './raise-step.ts';
import { goBack, toSnapshots } from './restore-step.ts';
import type { Session } from './session.ts';
import { takenSteps } from './taken-steps.ts';

/** What a session was, and the ways back to it, as a handle shows them. */
export function toPast(
  live: Live,
  around: { readonly store: Store; readonly check: () => void; readonly command: Command },
): Pick<Session, 'at' | 'diff' | 'raise' | 'snapshots' | 'undo' | 'redo' | 'steps'> {
  const { store, check } = around;
  return {
    async at(moment) {
      check();
      await live.written;
      return viewAt({ store, session: live.id, last: live.state.seq }, moment);
    },
    async diff(before, after) {
      check();
      await live.written;
      return differenceOf({ store, session: live.id, last: live.state.seq }, before, after);
    },
    async raise(checkpoint) {
      check();
      return raiseStep(live, checkpoint);
    },
    snapshots: toSnapshots(live, around),
    async undo(options) {
      check();
      return goBack(live, { type: 'restore', cause: 'undo', snapshot: null }, options);
    },
    async redo(options) {
      check();
      return goBack(live, { type: 'restore', cause: 'redo', snapshot: null }, options);
    },
    async steps() {
      check();
      return takenSteps(live, store);
    },
  };
}
