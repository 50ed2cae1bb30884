import { assign, emit, setup } from 'xstate';
import {
  freshMemory,
  type CompressionMemory,
  type CompressionMeasure,
  type CompressionRange,
  type Refusal,
  type SummaryRequest,
  type SummaryVerdict,
} from '../src/core/checkpoints/compression-state.ts';
import { port, reasonOf } from './port.ts';

// The machine says when; its ports do the work. The engine answers all but
// `summarize` at once, within one step. Only summarizing and waiting take time, so
// a compression rests in those two or in idle, and a crash leaves no half of it.

/** The input of a compression's ports: its memory so far. */
export interface CompressionInput {
  readonly memory: CompressionMemory;
}

type CompressionEvent =
  /** Look whether the working part is due; `force` skips that question. */
  | { readonly type: 'compression.request'; readonly force?: boolean; readonly focus?: string }
  /** Give up: the frame closed, or history was rewritten. */
  | { readonly type: 'compression.cancel' }
  /** Wait no longer for the summarizer. */
  | { readonly type: 'compression.fallback' };

/** What the compression machine emits. */
export type CompressionEmitted =
  | { readonly type: 'compression.skipped'; readonly reason: 'not due' | 'nothing to select' }
  | { readonly type: 'compression.started' }
  | { readonly type: 'compression.failed'; readonly attempt: number; readonly reason: string }
  /** A summary came and may not stand for its entries. */
  | { readonly type: 'compression.refused'; readonly reason: Refusal }
  | { readonly type: 'compression.cancelled' };

interface CompressionContext extends CompressionMemory {
  readonly force: boolean;
}

const fresh: CompressionContext = { ...freshMemory, force: false };

/** How often a failed summary is asked for again before the deterministic one takes its place. */
export const retries = 3;

/** Replaces the oldest units of a frame's working part by a checkpoint. */
export const compressionMachine = setup({
  types: {
    context: {} as CompressionContext,
    events: {} as CompressionEvent,
    emitted: {} as CompressionEmitted,
  },
  actors: {
    measure: port<CompressionMeasure, CompressionInput>('measure'),
    select: port<CompressionRange | null, CompressionInput>('select'),
    summarize: port<string, SummaryRequest>('summarize'),
    check: port<SummaryVerdict, CompressionInput>('check'),
    harvest: port<string, CompressionInput>('harvest'),
    age: port<null, CompressionInput>('age'),
    commit: port<null, CompressionInput>('commit'),
  },
  guards: {
    isDue: ({ context }, measure: CompressionMeasure) => measure.due || context.force,
    hasStretch: (_, stretch: CompressionRange | null) => stretch !== null,
    canRetry: ({ context }) => context.attempt < retries,
    isAccepted: (_, verdict: SummaryVerdict) => verdict.accepted,
    canTighten: ({ context }) => !context.strict,
  },
  actions: {
    begin: assign((_, request: { force?: boolean; focus?: string }) => ({
      ...fresh,
      force: request.force ?? false,
      focus: request.focus ?? '',
    })),
    takeStretch: assign((_, stretch: CompressionRange | null) => ({ stretch })),
    takeSummary: assign((_, summary: string) => ({ summary })),
    takeHarvest: assign((_, summary: string) => ({ summary, by: 'fallback' as const })),
    countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    tighten: assign({ strict: true, attempt: 0 }),
    tellStarted: emit({ type: 'compression.started' }),
    tellNotDue: emit({ type: 'compression.skipped', reason: 'not due' }),
    tellNothing: emit({ type: 'compression.skipped', reason: 'nothing to select' }),
    tellFailed: emit(({ context }, { error }: { readonly error: unknown }) => ({
      type: 'compression.failed' as const,
      attempt: context.attempt + 1,
      reason: reasonOf(error),
    })),
    tellRefused: emit((_, verdict: SummaryVerdict) => ({
      type: 'compression.refused' as const,
      reason: verdict.accepted ? 'empty' : verdict.reason,
    })),
    tellCancelled: emit({ type: 'compression.cancelled' }),
  },
  delays: { backoff: ({ context }) => 2 ** context.attempt * 250 },
}).createMachine({
  id: 'compression',
  version: '1',
  context: fresh,
  initial: 'idle',
  states: {
    idle: {
      on: {
        'compression.request': {
          target: 'measuring',
          actions: { type: 'begin', params: ({ event }) => event },
        },
      },
    },
    measuring: {
      invoke: {
        id: 'measure',
        src: 'measure',
        input: ({ context }) => ({ memory: context }),
        onDone: [
          { guard: { type: 'isDue', params: ({ event }) => event.output }, target: 'selecting' },
          { target: 'idle', actions: 'tellNotDue' },
        ],
      },
    },
    selecting: {
      invoke: {
        id: 'select',
        src: 'select',
        input: ({ context }) => ({ memory: context }),
        onDone: [
          {
            guard: { type: 'hasStretch', params: ({ event }) => event.output },
            target: 'summarizing',
            actions: [{ type: 'takeStretch', params: ({ event }) => event.output }, 'tellStarted'],
          },
          { target: 'idle', actions: 'tellNothing' },
        ],
      },
    },
    summarizing: {
      invoke: {
        id: 'summarize',
        src: 'summarize',
        input: ({ context }) => ({
          stretch: context.stretch!,
          strict: context.strict,
          attempt: context.attempt,
          focus: context.focus,
        }),
        onDone: {
          target: 'checking',
          actions: { type: 'takeSummary', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: 'canRetry',
            target: 'waiting',
            actions: { type: 'tellFailed', params: ({ event }) => event },
          },
          {
            target: 'harvesting',
            actions: { type: 'tellFailed', params: ({ event }) => event },
          },
        ],
      },
      on: {
        'compression.cancel': { target: 'idle', actions: 'tellCancelled' },
        'compression.fallback': 'harvesting',
      },
    },
    waiting: {
      exit: 'countAttempt',
      after: { backoff: 'summarizing' },
      on: {
        'compression.cancel': { target: 'idle', actions: 'tellCancelled' },
        'compression.fallback': 'harvesting',
      },
    },
    checking: {
      invoke: {
        id: 'check',
        src: 'check',
        input: ({ context }) => ({ memory: context }),
        onDone: [
          { guard: { type: 'isAccepted', params: ({ event }) => event.output }, target: 'aging' },
          {
            guard: 'canTighten',
            target: 'summarizing',
            actions: [{ type: 'tellRefused', params: ({ event }) => event.output }, 'tighten'],
          },
          {
            target: 'harvesting',
            actions: { type: 'tellRefused', params: ({ event }) => event.output },
          },
        ],
      },
    },
    harvesting: {
      invoke: {
        id: 'harvest',
        src: 'harvest',
        input: ({ context }) => ({ memory: context }),
        onDone: {
          target: 'aging',
          actions: { type: 'takeHarvest', params: ({ event }) => event.output },
        },
      },
    },
    aging: {
      invoke: {
        id: 'age',
        src: 'age',
        input: ({ context }) => ({ memory: context }),
        onDone: 'committing',
      },
    },
    committing: {
      invoke: {
        id: 'commit',
        src: 'commit',
        input: ({ context }) => ({ memory: context }),
        onDone: 'idle',
      },
    },
  },
});
