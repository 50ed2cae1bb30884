import { assign, emit, setup } from 'xstate';
import {
  freshRecovery,
  type Confirmation,
  type RecoveredContext,
  type RecoveryMemory,
  type Suspicion,
} from '../src/core/truncation/recovery.ts';
import { port, reasonOf } from './port.ts';

// The truncation protocol: announce, read the last checkpoint, summarize what was
// recovered, confirm, resume. All but asking a person is answered at once by the
// engine, so a recovery rests in confirming or recap, or nowhere.

/** The input of a recovery's ports: its memory so far. */
export interface RecoveryInput {
  readonly memory: RecoveryMemory;
}

/** An event of the recovery machine. */
export type RecoveryEvent =
  /** Something may have been dropped. */
  | { readonly type: 'recovery.suspect'; readonly suspicion: Suspicion }
  /** Somebody supplies the context, read from the documents. */
  | { readonly type: 'recovery.supply'; readonly context: RecoveredContext }
  /** Give up: nothing was lost, or the session is over. */
  | { readonly type: 'recovery.cancel' };

type RecoveryEmitted =
  | { readonly type: 'recovery.announced' }
  | { readonly type: 'recovery.unread'; readonly reason: string }
  | { readonly type: 'recovery.cancelled' };

/** Notices that context was lost, and rebuilds it. */
export const recoveryMachine = setup({
  types: {
    context: {} as RecoveryMemory,
    events: {} as RecoveryEvent,
    emitted: {} as RecoveryEmitted,
  },
  actors: {
    weigh: port<boolean, RecoveryInput>('weigh'),
    announce: port<null, RecoveryInput>('announce'),
    read: port<RecoveredContext, RecoveryInput>('read'),
    rebuild: port<boolean, RecoveryInput>('rebuild'),
    confirm: port<Confirmation, RecoveryInput>('confirm'),
    recap: port<string, RecoveryInput>('recap'),
    resume: port<null, RecoveryInput>('resume'),
  },
  guards: {
    isWorth: (_, worth: boolean) => worth,
    hasContext: (_, found: boolean) => found,
    isRight: (_, { right }: Confirmation) => right,
    hasRecap: (_, { recap }: Confirmation) => recap !== '',
  },
  actions: {
    begin: assign((_, { suspicion }: { suspicion: Suspicion }) => ({
      ...freshRecovery,
      suspicion,
    })),
    supply: assign((_, { context }: { context: RecoveredContext }) => ({
      ...freshRecovery,
      context,
      source: 'documents' as const,
    })),
    takeContext: assign((_, context: RecoveredContext) => ({ context, source: 'state' as const })),
    takeRecap: assign((_, recap: string) => ({ recap })),
    tellAnnounced: emit({ type: 'recovery.announced' }),
    tellUnread: emit((_, { error }: { readonly error: unknown }) => ({
      type: 'recovery.unread' as const,
      reason: reasonOf(error),
    })),
    tellCancelled: emit({ type: 'recovery.cancelled' }),
  },
}).createMachine({
  id: 'recovery',
  version: '1',
  context: freshRecovery,
  initial: 'watching',
  states: {
    watching: {
      on: {
        'recovery.suspect': {
          target: 'suspecting',
          actions: { type: 'begin', params: ({ event }) => event },
        },
        'recovery.supply': {
          target: 'rebuilding',
          actions: [{ type: 'supply', params: ({ event }) => event }, 'tellAnnounced'],
        },
      },
    },
    suspecting: {
      invoke: {
        id: 'weigh',
        src: 'weigh',
        input: ({ context }) => ({ memory: context }),
        onDone: [
          {
            guard: { type: 'isWorth', params: ({ event }) => event.output },
            target: 'announcing',
          },
          { target: 'watching' },
        ],
      },
    },
    announcing: {
      invoke: {
        id: 'announce',
        src: 'announce',
        input: ({ context }) => ({ memory: context }),
        onDone: { target: 'reading', actions: 'tellAnnounced' },
      },
    },
    reading: {
      invoke: {
        id: 'read',
        src: 'read',
        input: ({ context }) => ({ memory: context }),
        onDone: {
          target: 'rebuilding',
          actions: { type: 'takeContext', params: ({ event }) => event.output },
        },
        onError: {
          target: 'recap',
          actions: { type: 'tellUnread', params: ({ event }) => event },
        },
      },
    },
    rebuilding: {
      invoke: {
        id: 'rebuild',
        src: 'rebuild',
        input: ({ context }) => ({ memory: context }),
        onDone: [
          {
            guard: { type: 'hasContext', params: ({ event }) => event.output },
            target: 'confirming',
          },
          { target: 'recap' },
        ],
      },
    },
    confirming: {
      invoke: {
        id: 'confirm',
        src: 'confirm',
        input: ({ context }) => ({ memory: context }),
        onDone: [
          {
            guard: { type: 'isRight', params: ({ event }) => event.output },
            target: 'resuming',
          },
          {
            guard: { type: 'hasRecap', params: ({ event }) => event.output },
            target: 'resuming',
            actions: { type: 'takeRecap', params: ({ event }) => event.output.recap },
          },
          { target: 'recap' },
        ],
      },
      on: { 'recovery.cancel': { target: 'watching', actions: 'tellCancelled' } },
    },
    recap: {
      invoke: {
        id: 'recap',
        src: 'recap',
        input: ({ context }) => ({ memory: context }),
        onDone: {
          target: 'resuming',
          actions: { type: 'takeRecap', params: ({ event }) => event.output },
        },
      },
      on: { 'recovery.cancel': { target: 'watching', actions: 'tellCancelled' } },
    },
    resuming: {
      invoke: {
        id: 'resume',
        src: 'resume',
        input: ({ context }) => ({ memory: context }),
        onDone: 'watching',
      },
    },
  },
});
