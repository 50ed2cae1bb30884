import { emit, setup } from 'xstate';
import { port, reasonOf } from './port.ts';

/** What the session machine is told. */
export type SessionEvent =
  | { readonly type: 'compression.started' }
  | { readonly type: 'compression.ended' }
  | { readonly type: 'recovery.started' }
  | { readonly type: 'recovery.ended' }
  | { readonly type: 'session.complete' }
  | { readonly type: 'session.close' };

interface SessionFailed {
  readonly type: 'session.failed';
  readonly reason: string;
}

/**
 * One agent's life in one store. It takes entries while open or compressing;
 * completed, it can be read and recalled from and takes no more.
 */
export const sessionMachine = setup({
  types: { events: {} as SessionEvent, emitted: {} as SessionFailed },
  actors: { load: port<{ readonly completed: boolean }, undefined>('load') },
  guards: { wasCompleted: (_, loaded: { readonly completed: boolean }) => loaded.completed },
  actions: {
    tellFailed: emit((_, { error }: { readonly error: unknown }) => ({
      type: 'session.failed' as const,
      reason: reasonOf(error),
    })),
  },
}).createMachine({
  id: 'session',
  initial: 'opening',
  states: {
    opening: {
      invoke: {
        id: 'load',
        src: 'load',
        onDone: [
          {
            guard: { type: 'wasCompleted', params: ({ event }) => event.output },
            target: 'completed',
          },
          { target: 'open' },
        ],
        onError: {
          target: 'closed',
          actions: { type: 'tellFailed', params: ({ event }) => event },
        },
      },
    },
    open: {
      on: {
        'compression.started': 'compressing',
        'recovery.started': 'recovering',
        'session.complete': 'completed',
        'session.close': 'closed',
      },
    },
    compressing: {
      on: {
        'compression.ended': 'open',
        'recovery.started': 'recovering',
        'session.complete': 'completed',
        'session.close': 'closed',
      },
    },
    recovering: {
      on: {
        'recovery.ended': 'open',
        'session.complete': 'completed',
        'session.close': 'closed',
      },
    },
    completed: { on: { 'session.close': 'closed' } },
    closed: { type: 'final' },
  },
});
