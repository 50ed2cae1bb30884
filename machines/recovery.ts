import { assign, emit, setup, type SnapshotFrom } from 'xstate';
import {
  freshRecovery,
  type Confirmation,
  type RecoveredContext,
  type RecoveryMemory,
  type Suspicion,
} from '../src/core/truncation/recovery.ts';
import { ending, eventOf, outputOf, port, reasonOf } from './port.ts';

// The truncation protocol: announce, read the last checkpoint, summarize what was
// recovered, confirm, resume. All but asking a person is answered at once by the
// engine, so a recovery rests in confirming or recap, or nowhere.

/** The input of a recovery's ports: its memory so far, and a name for what is done once. */
export interface RecoveryRequest {
  readonly memory: RecoveryMemory;
  /** The key that came with the suspicion or the context, '' unless one did: what was announced or resumed under it need not be done again. */
  readonly key: string;
}

/** The input of the machine; without one it watches, for ever. */
export interface RecoveryInput {
  /** Begins with this at once, and is done with it: the output says how it ended. */
  readonly once: { readonly key?: string } & (
    | { readonly suspicion: Suspicion }
    | { readonly context: RecoveredContext }
  );
}

/** How a recovery ended. */
export type RecoveryEnd =
  | { readonly type: 'recovery.resumed'; readonly memory: RecoveryMemory }
  /** The suspicion was not worth one. */
  | { readonly type: 'recovery.skipped' }
  | { readonly type: 'recovery.cancelled' }
  /** A port rejected. */
  | { readonly type: 'recovery.stopped'; readonly port: string; readonly reason: string };

/** An event of the recovery machine. */
export type RecoveryEvent =
  /** Something may have been dropped. */
  | { readonly type: 'recovery.suspect'; readonly suspicion: Suspicion; readonly key?: string }
  /** Somebody supplies the context, read from the documents. */
  | { readonly type: 'recovery.supply'; readonly context: RecoveredContext; readonly key?: string }
  /** Give up: nothing was lost, or the session is over. */
  | { readonly type: 'recovery.cancel' };

/** What the recovery machine emits: its end, and what came before. */
export type RecoveryEmitted =
  | RecoveryEnd
  | { readonly type: 'recovery.announced' }
  | { readonly type: 'recovery.unread'; readonly reason: string };

interface RecoveryActorContext extends RecoveryMemory {
  /** Ends with the first recovery. */
  readonly isOnce: boolean;
  /** How the last one ended; null while none did. */
  readonly end: RecoveryEnd | null;
  /** Names it. */
  readonly key: string;
}

/** A snapshot of the recovery machine. */
export type RecoverySnapshot = SnapshotFrom<typeof recoveryMachine>;

const fresh: RecoveryActorContext = { ...freshRecovery, isOnce: false, end: null, key: '' };

const supplied = (context: RecoveredContext) =>
  ({ ...freshRecovery, context, source: 'documents' }) as const;

/** The context that an actor begins with. */
function begun(once: RecoveryInput['once'] | undefined): RecoveryActorContext {
  if (once === undefined) return fresh;
  const begins = { ...fresh, isOnce: true, key: once.key ?? '' };
  return 'suspicion' in once
    ? { ...begins, suspicion: once.suspicion }
    : { ...begins, ...supplied(once.context) };
}

const requestOf = ({ context }: { context: RecoveryActorContext }): RecoveryRequest => {
  const { suspicion, source, recap, key } = context;
  return { memory: { suspicion, context: context.context, source, recap }, key };
};

const contextFor = ({ input }: { input: RecoveryInput | undefined }) => begun(input?.once);

const endOf = ({ context }: { context: RecoveryActorContext }): RecoveryEnd => context.end!;

const recapOf = ({ event }: { event: { output: Confirmation } }) => event.output.recap;

const announced = { type: 'tell', params: { type: 'recovery.announced' } } as const;

const cancelled = {
  target: 'watching',
  actions: ending({ type: 'recovery.cancelled' }),
} as const;

interface Rejection {
  readonly event: { readonly error: unknown; readonly actorId: string };
}

const stoppedOf = ({ event }: Rejection): RecoveryEnd => ({
  type: 'recovery.stopped',
  port: event.actorId,
  reason: reasonOf(event.error),
});

/** Watches again where a port rejected. */
const stopped = { target: 'watching', actions: ending(stoppedOf) } as const;

const resumedOf = ({ context }: { context: RecoveryActorContext }): RecoveryEnd => ({
  type: 'recovery.resumed',
  memory: requestOf({ context }).memory,
});

/** Notices that context was lost, and rebuilds it. */
export const recoveryMachine = setup({
  types: {
    context: {} as RecoveryActorContext,
    events: {} as RecoveryEvent,
    emitted: {} as RecoveryEmitted,
    input: {} as RecoveryInput | undefined,
    output: {} as RecoveryEnd,
  },
  actors: {
    weigh: port<boolean, RecoveryRequest>('weigh'),
    announce: port<null, RecoveryRequest>('announce'),
    read: port<RecoveredContext, RecoveryRequest>('read'),
    rebuild: port<boolean, RecoveryRequest>('rebuild'),
    confirm: port<Confirmation, RecoveryRequest>('confirm'),
    recap: port<string, RecoveryRequest>('recap'),
    resume: port<null, RecoveryRequest>('resume'),
  },
  guards: {
    isSuspected: ({ context }) =>
      context.isOnce && context.end === null && context.suspicion !== null,
    isSupplied: ({ context }) => context.isOnce && context.end === null && context.context !== null,
    isOver: ({ context }) => context.isOnce && context.end !== null,
    isWorth: (_, worth?: boolean) => worth === true,
    hasContext: (_, found?: boolean) => found === true,
    isRight: (_, answer?: Confirmation) => answer?.right === true,
    hasRecap: (_, answer?: Confirmation) => (answer?.recap ?? '') !== '',
  },
  actions: {
    begin: assign((_, { suspicion, key = '' }: { suspicion: Suspicion; key?: string }) => ({
      ...freshRecovery,
      suspicion,
      end: null,
      key,
    })),
    supply: assign((_, { context, key = '' }: { context: RecoveredContext; key?: string }) => ({
      ...supplied(context),
      end: null,
      key,
    })),
    takeContext: assign((_, context?: RecoveredContext) => ({
      context: context ?? null,
      source: 'state' as const,
    })),
    takeRecap: assign((_, recap?: string) => ({ recap: recap ?? '' })),
    keepEnd: assign((_, end: RecoveryEnd) => ({ end })),
    tell: emit((_, event: RecoveryEmitted) => event),
    tellUnread: emit((_, { error }: { readonly error: unknown }) => ({
      type: 'recovery.unread' as const,
      reason: reasonOf(error),
    })),
  },
}).createMachine({
  id: 'recovery',
  version: '1',
  context: contextFor,
  output: endOf,
  initial: 'watching',
  states: {
    watching: {
      always: [
        { guard: 'isSuspected', target: 'suspecting' },
        { guard: 'isSupplied', target: 'rebuilding', actions: announced },
        { guard: 'isOver', target: 'over' },
      ],
      on: {
        'recovery.suspect': {
          target: 'suspecting',
          actions: { type: 'begin', params: eventOf },
        },
        'recovery.supply': {
          target: 'rebuilding',
          actions: [{ type: 'supply', params: eventOf }, announced],
        },
      },
    },
    suspecting: {
      invoke: {
        id: 'weigh',
        src: 'weigh',
        input: requestOf,
        onDone: [
          {
            guard: { type: 'isWorth', params: outputOf },
            target: 'announcing',
          },
          { target: 'watching', actions: ending({ type: 'recovery.skipped' }) },
        ],
        onError: stopped,
      },
    },
    announcing: {
      invoke: {
        id: 'announce',
        src: 'announce',
        input: requestOf,
        onDone: { target: 'reading', actions: announced },
        onError: stopped,
      },
    },
    reading: {
      invoke: {
        id: 'read',
        src: 'read',
        input: requestOf,
        onDone: {
          target: 'rebuilding',
          actions: { type: 'takeContext', params: outputOf },
        },
        onError: {
          target: 'recap',
          actions: { type: 'tellUnread', params: eventOf },
        },
      },
    },
    rebuilding: {
      invoke: {
        id: 'rebuild',
        src: 'rebuild',
        input: requestOf,
        onDone: [
          {
            guard: { type: 'hasContext', params: outputOf },
            target: 'confirming',
          },
          { target: 'recap' },
        ],
        onError: stopped,
      },
    },
    confirming: {
      invoke: {
        id: 'confirm',
        src: 'confirm',
        input: requestOf,
        onDone: [
          {
            guard: { type: 'isRight', params: outputOf },
            target: 'resuming',
          },
          {
            guard: { type: 'hasRecap', params: outputOf },
            target: 'resuming',
            actions: { type: 'takeRecap', params: recapOf },
          },
          { target: 'recap' },
        ],
        onError: stopped,
      },
      on: { 'recovery.cancel': cancelled },
    },
    recap: {
      invoke: {
        id: 'recap',
        src: 'recap',
        input: requestOf,
        onDone: {
          target: 'resuming',
          actions: { type: 'takeRecap', params: outputOf },
        },
        onError: stopped,
      },
      on: { 'recovery.cancel': cancelled },
    },
    resuming: {
      invoke: {
        id: 'resume',
        src: 'resume',
        input: requestOf,
        onDone: { target: 'watching', actions: ending(resumedOf) },
        onError: stopped,
      },
    },
    over: { type: 'final' },
  },
});
