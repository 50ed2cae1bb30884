import { assign, emit, setup, type SnapshotFrom } from 'xstate';
import {
  freshMemory,
  type CommitRequest,
  type CompressionMeasure,
  type CompressionMemory,
  type CompressionRange,
  type RefusedSummary,
  type SummaryRequest,
} from '../src/core/checkpoints/compression-state.ts';
import { backoffOf, commitRequestOf, demandOf, summaryRequestOf } from './compression-requests.ts';
import { ending, eventOf, outputOf, pause, port, reasonOf } from './port.ts';

// The machine says when; its ports do the work. The engine answers all but `summarize`
// and `pause` at once, within one step, so a compression rests in summarizing, in waiting
// or in idle, and a crash leaves no half of it. An actor may be persisted anywhere: what
// it was doing is asked for again, and a commit carries the key by which it is done once.

/** What a compression is asked to do. */
export interface CompressionDemand {
  /** Compresses even where none is due. */
  readonly force?: boolean;
  /** What matters most, in the words of whoever asks. */
  readonly focus?: string;
}

/** The input of the machine; without one it waits for requests, for ever. */
export interface CompressionInput {
  /** Begins with this at once, and is done with it: the output says how it ended. */
  readonly once: CompressionDemand;
}

/** An event of the compression machine. */
export type CompressionEvent =
  /** Look whether the working part is due; `force` skips that question. */
  | ({ readonly type: 'compression.request' } & CompressionDemand)
  /** Give up: the frame closed, or history was rewritten. */
  | { readonly type: 'compression.cancel' }
  /** Wait no longer for the summarizer. */
  | { readonly type: 'compression.fallback' };

/** How a compression ended. */
export type CompressionEnd =
  | {
      readonly type: 'compression.finished';
      readonly stretch: CompressionRange;
      /** The author of the summary. */
      readonly by: CompressionMemory['by'];
    }
  | { readonly type: 'compression.skipped'; readonly reason: 'not due' | 'nothing to select' }
  | { readonly type: 'compression.cancelled' }
  /** A port other than the summarizer rejected; nothing was committed that its body did not commit. */
  | {
      readonly type: 'compression.stopped';
      readonly port: 'measure' | 'commit';
      readonly reason: string;
    };

/** What the compression machine emits: its end, and what came before. */
export type CompressionEmitted =
  | CompressionEnd
  | { readonly type: 'compression.started' }
  /** The answer to a request that came while a compression is under way, which goes on. */
  | { readonly type: 'compression.skipped'; readonly reason: 'under way' }
  | { readonly type: 'compression.failed'; readonly attempt: number; readonly reason: string }
  /** A summary came and may not stand for its entries. */
  | { readonly type: 'compression.refused'; readonly reason: RefusedSummary['refused'] };

interface CompressionContext extends CompressionMemory {
  readonly force: boolean;
  /** Ends with the first compression. */
  readonly isOnce: boolean;
  /** How the last one ended; null while none did. */
  readonly end: CompressionEnd | null;
}

/** A snapshot of the compression machine. */
export type CompressionSnapshot = SnapshotFrom<typeof compressionMachine>;

const fresh: CompressionContext = {
  ...freshMemory,
  force: false,
  isOnce: false,
  end: null,
};

const contextFor = ({ input }: { input: CompressionInput | undefined }): CompressionContext =>
  input?.once === undefined ? fresh : { ...begun(input.once), isOnce: true };

const begun = ({ force = false, focus = '' }: CompressionDemand) => ({ ...fresh, force, focus });

/** How often a failed summary is asked for again before the deterministic one takes its place. */
export const retries = 3;

interface Rejection {
  readonly event: { readonly error: unknown; readonly actorId: string };
}

const stoppedOf = ({ event }: Rejection): CompressionEnd => ({
  type: 'compression.stopped',
  port: event.actorId as 'measure' | 'commit',
  reason: reasonOf(event.error),
});

const endOf = ({ context }: { context: CompressionContext }): CompressionEnd => context.end!;

const finishedOf = ({ context }: { context: CompressionMemory }): CompressionEnd => ({
  type: 'compression.finished',
  stretch: context.stretch!,
  by: context.by,
});

/** What is taken while a compression is under way, whatever it waits for. */
const underWay = {
  'compression.request': {
    actions: { type: 'tell', params: { type: 'compression.skipped', reason: 'under way' } },
  },
} as const;

/** Replaces the oldest units of a frame's working part by a checkpoint. */
export const compressionMachine = setup({
  types: {
    context: {} as CompressionContext,
    events: {} as CompressionEvent,
    emitted: {} as CompressionEmitted,
    input: {} as CompressionInput | undefined,
    output: {} as CompressionEnd,
  },
  actors: {
    measure: port<CompressionMeasure, Required<CompressionDemand>>('measure'),
    summarize: port<string | RefusedSummary, SummaryRequest>('summarize'),
    pause,
    commit: port<null, CommitRequest>('commit'),
  },
  guards: {
    isBegun: ({ context }) => context.isOnce && context.end === null,
    isOver: ({ context }) => context.isOnce && context.end !== null,
    hasStretch: ({ context }, measure?: CompressionMeasure) =>
      (measure?.due === true || context.force) && measure?.stretch != null,
    isDue: ({ context }, measure?: CompressionMeasure) => measure?.due === true || context.force,
    canRetry: ({ context }) => context.attempt < retries,
    isAccepted: (_, summary?: string | RefusedSummary) =>
      typeof summary === 'string' && summary.trim() !== '',
    canTighten: ({ context }) => !context.strict,
  },
  actions: {
    begin: assign(({ context }, demand: CompressionDemand) => ({
      ...begun(demand),
      isOnce: context.isOnce,
    })),
    takeStretch: assign((_, measure?: CompressionMeasure) => ({
      stretch: measure?.stretch ?? null,
    })),
    takeSummary: assign((_, summary?: string | RefusedSummary) => ({
      summary: typeof summary === 'string' ? summary : '',
    })),
    takeFallback: assign({ summary: '', by: 'fallback' }),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    tighten: assign({ strict: true, attempt: 0 }),
    keepEnd: assign((_, end: CompressionEnd) => ({ end })),
    tell: emit((_, event: CompressionEmitted) => event),
    tellFailed: emit(({ context }, { error }: { readonly error: unknown }) => ({
      type: 'compression.failed' as const,
      attempt: context.attempt + 1,
      reason: reasonOf(error),
    })),
    tellRefused: emit((_, summary?: string | RefusedSummary | null) => ({
      type: 'compression.refused' as const,
      reason: (typeof summary === 'object' ? summary?.refused : undefined) ?? 'empty',
    })),
  },
}).createMachine({
  id: 'compression',
  version: '1',
  context: contextFor,
  output: endOf,
  initial: 'idle',
  states: {
    idle: {
      always: [
        { guard: 'isBegun', target: 'measuring' },
        { guard: 'isOver', target: 'over' },
      ],
      on: {
        'compression.request': {
          target: 'measuring',
          actions: { type: 'begin', params: eventOf },
        },
      },
    },
    measuring: {
      invoke: {
        id: 'measure',
        src: 'measure',
        input: demandOf,
        onDone: [
          {
            guard: { type: 'hasStretch', params: outputOf },
            target: 'summarizing',
            actions: [
              { type: 'takeStretch', params: outputOf },
              { type: 'tell', params: { type: 'compression.started' } },
            ],
          },
          {
            guard: { type: 'isDue', params: outputOf },
            target: 'idle',
            actions: ending({ type: 'compression.skipped', reason: 'nothing to select' }),
          },
          {
            target: 'idle',
            actions: ending({ type: 'compression.skipped', reason: 'not due' }),
          },
        ],
        onError: { target: 'idle', actions: ending(stoppedOf) },
      },
      on: underWay,
    },
    summarizing: {
      invoke: {
        id: 'summarize',
        src: 'summarize',
        input: summaryRequestOf,
        onDone: [
          {
            guard: { type: 'isAccepted', params: outputOf },
            target: 'aging',
            actions: { type: 'takeSummary', params: outputOf },
          },
          {
            guard: 'canTighten',
            target: 'summarizing',
            reenter: true,
            actions: [{ type: 'tellRefused', params: outputOf }, 'tighten'],
          },
          {
            target: 'aging',
            actions: [{ type: 'tellRefused', params: outputOf }, 'takeFallback'],
          },
        ],
        onError: [
          {
            guard: 'canRetry',
            target: 'waiting',
            actions: { type: 'tellFailed', params: eventOf },
          },
          {
            target: 'aging',
            actions: [{ type: 'tellFailed', params: eventOf }, 'takeFallback'],
          },
        ],
      },
      on: {
        ...underWay,
        'compression.cancel': {
          target: 'idle',
          actions: ending({ type: 'compression.cancelled' }),
        },
        'compression.fallback': { target: 'aging', actions: 'takeFallback' },
      },
    },
    waiting: {
      exit: 'countAttempt',
      invoke: {
        id: 'pause',
        src: 'pause',
        input: backoffOf,
        onDone: 'summarizing',
        onError: 'summarizing',
      },
      on: {
        ...underWay,
        'compression.cancel': {
          target: 'idle',
          actions: ending({ type: 'compression.cancelled' }),
        },
        'compression.fallback': { target: 'aging', actions: 'takeFallback' },
      },
    },
    aging: {
      invoke: {
        id: 'commit',
        src: 'commit',
        input: commitRequestOf,
        onDone: {
          target: 'idle',
          actions: ending(finishedOf),
        },
        onError: { target: 'idle', actions: ending(stoppedOf) },
      },
      on: underWay,
    },
    over: { type: 'final' },
  },
});
