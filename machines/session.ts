import { setup } from 'xstate';
import type { Phase, SessionCommand, SessionSignal } from '../src/core/frames/lifecycle.ts';

/** What the session machine is told. */
export interface SessionEvent {
  readonly type: SessionSignal;
}

/** What a session takes in whatever phase: settings, a look back, and what was asked for before. */
const always = [
  'answer',
  'recover',
  'report',
  'compare',
  'uncovered',
  'goal',
  'goal.update',
  'goal.status',
  'compress',
  'snapshot',
  'snapshot.delete',
  'configure',
  'count',
  'fit',
  'settle',
  'fail',
  'fire',
  'documents',
  'document',
  'document.settle',
  'document.fail',
] as const satisfies readonly SessionCommand[];

/** What carries the work on. */
const working = [
  ...always,
  'append',
  'sync.branch',
  'tool.goal',
  'suspect',
  'push',
  'plan',
  'start',
  'edit',
  'pop',
  'invalidate',
  'retry',
  'raise',
] as const satisfies readonly SessionCommand[];

/**
 * One agent's life in one store, and the only place where it stands which commands
 * it takes in which phase; the engine uses a table compiled from this machine.
 * Completed, it can be read and recalled from, and gone back from.
 */
export const sessionMachine = setup({
  types: { events: {} as SessionEvent },
}).createMachine({
  id: 'session',
  initial: 'open',
  states: {
    open: {
      on: {
        ...staysIn('open', working),
        restore: 'open',
        'compression.started': 'compressing',
        'recovery.started': 'recovering',
        'session.complete': 'completed',
      },
    },
    compressing: {
      on: {
        ...staysIn('compressing', working),
        restore: 'open',
        'compression.ended': 'open',
        'recovery.started': 'recovering',
        'session.complete': 'completed',
      },
    },
    recovering: {
      on: {
        ...staysIn('recovering', working),
        confirm: 'recovering',
        restore: 'open',
        'recovery.ended': 'open',
        'session.complete': 'completed',
      },
    },
    completed: {
      on: {
        ...staysIn('completed', always),
        confirm: 'completed',
        restore: 'open',
      },
    },
  },
});

/** Takes each of `commands` without leaving `phase`. */
function staysIn<P extends Phase, Command extends SessionCommand>(
  phase: P,
  commands: readonly Command[],
): Record<Command, P> {
  return Object.fromEntries(commands.map((command) => [command, phase])) as Record<Command, P>;
}
