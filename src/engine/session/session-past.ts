import { checkId } from '../commands/command-arguments.ts';
import { archiveOf, rewindAnswer, toSnapshots } from '../commands/rewind-command.ts';
import { takenSteps } from '../commands/undo-steps.ts';
import type { SessionReader } from '../live/session-access.ts';
import { differenceOf, viewAt } from '../time-travel/view-at.ts';
import type { HandleContext } from './handle-context.ts';
import type { Session } from './session.ts';

/** What a session was, and the ways back to it. */
export function toPast(
  session: SessionReader,
  context: HandleContext,
): Pick<Session, 'at' | 'diff' | 'raise' | 'snapshots' | 'undo' | 'redo' | 'steps'> {
  const { check, command } = context;
  return {
    async at(moment) {
      check();
      return viewAt(await archiveOf(session), moment);
    },
    async diff(before, after) {
      check();
      return differenceOf(await archiveOf(session), before, after);
    },
    async raise(checkpoint) {
      check();
      checkId('checkpoint', checkpoint);
      return command({ type: 'raise', checkpoint }, (facts) => {
        const { age, tokens } = facts.find((fact) => fact.type === 'checkpoint.raised')!;
        return { age, tokens };
      });
    },
    snapshots: toSnapshots(session, context),
    async undo(options) {
      check();
      return command({ type: 'restore', cause: 'undo', snapshot: null }, rewindAnswer, options);
    },
    async redo(options) {
      check();
      return command({ type: 'restore', cause: 'redo', snapshot: null }, rewindAnswer, options);
    },
    async steps() {
      check();
      return takenSteps(session);
    },
  };
}
