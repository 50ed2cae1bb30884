import { sessionTable } from '../../../machines/lifecycle.ts';
import { fail } from '../../core/values/error.ts';
import type { Input } from '../../core/state/input.ts';
import type { Phase, SessionCommand } from '../../core/frames/lifecycle.ts';
import type { State } from '../../core/state/state.ts';
import type { Draft } from './draft.ts';

/** Whether a session takes a command in its phase. */
export function takes({ phase }: Pick<State, 'phase'>, command: SessionCommand): boolean {
  return sessionTable[phase][command] !== undefined;
}

/** Whether a session takes a command in a phase; if so, it goes where its machine leads. */
export function take(draft: Draft, phase: Phase, command: SessionCommand): boolean {
  const next = sessionTable[phase][command];
  if (next !== undefined && next !== phase) draft.record({ type: 'session.moved', phase: next });
  return next !== undefined;
}

/** Refuses an input that the phase before it does not take; throws `SESSION_COMPLETED`. */
export function checkPhase(draft: Draft, before: State, { type }: Input): void {
  if (type === 'create' || type === 'restart') return;
  // Which message is taken depends on what it answers; who goes back goes to the phase from then.
  if (type === 'append' || (type === 'restore' && takes(before, type))) return;
  const { session, phase } = before;
  if (take(draft, phase, type)) return;
  throw fail('SESSION_COMPLETED', `Session "${session}" is ${phase} and takes no "${type}"`, {
    session,
  });
}
