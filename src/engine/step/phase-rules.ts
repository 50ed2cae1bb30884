import { sessionTable } from '../../../machines/lifecycle.ts';
import { fail } from '../../core/values/error.ts';
import type { Input } from '../../core/state/input.ts';
import type { SessionCommand } from '../../core/frames/lifecycle.ts';
import type { State } from '../../core/state/state.ts';

/** Whether a session takes a command in its phase. */
export function takes({ phase }: Pick<State, 'phase'>, command: SessionCommand): boolean {
  return sessionTable[phase][command] !== undefined;
}

/** Refuses an input that the phase before it does not take; throws `SESSION_COMPLETED`. */
export function checkPhase(before: State, { type }: Input): void {
  if (type === 'create' || type === 'restart') return;
  // Which message is taken depends on what it answers.
  if (type === 'append' || takes(before, type)) return;
  const { session, phase } = before;
  throw fail('SESSION_COMPLETED', `Session "${session}" is ${phase} and takes no "${type}"`, {
    session,
  });
}
