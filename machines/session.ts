import { setup } from 'xstate';
import type { Phase, SessionCommand, SessionSignal } from '../src/core/frames/lifecycle.ts';

/** An event of the session machine. */
export interface SessionEvent {
  readonly type: SessionSignal;
}

/** Commands that every phase takes: settings, snapshots, reports, and results of effects. */
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
  'redact',
  'snapshot',
  'snapshot.delete',
  'configure',
  'count',
  'lose',
  'fit',
  'settle',
  'fail',
  'fire',
  'abandon',
  'documents',
  'document',
  'document.settle',
  'document.fail',
  'page',
] as const satisfies readonly SessionCommand[];

/** Commands that every phase but `completed` takes. */
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
 * The phases of a session, and the only place that says which commands each takes;
 * the engine uses a table compiled from this machine. A completed session can be
 * read, recalled from and rewound.
 */
export const sessionMachine = setup({
  types: { events: {} as SessionEvent },
}).createMachine({
  id: 'session',
  version: '1',
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
