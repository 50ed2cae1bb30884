import { setup, type SnapshotFrom } from 'xstate';
import type { FrameEvent } from '../src/core/frames/frame.ts';

/** How the life of a frame ends. */
export type FrameEnd = 'completed' | 'failed' | 'invalidated';

/** A snapshot of the frame machine. */
export type FrameSnapshot = SnapshotFrom<typeof frameMachine>;

const endOf = ({ event }: { event: { output: unknown } }): FrameEnd => event.output as FrameEnd;

/**
 * The life of one frame, and the only place where its transitions are written; the
 * engine uses a table compiled from this machine. A frame that is pushed or retried
 * is planned and started; a cascade invalidates. Rules about more than one frame
 * (how far a cascade reaches, what a pop needs) belong to the tree.
 */
export const frameMachine = setup({
  types: { events: {} as { readonly type: FrameEvent }, output: {} as FrameEnd },
}).createMachine({
  id: 'frame',
  version: '1',
  initial: 'planned',
  states: {
    planned: {
      on: { 'frame.start': 'in_progress', 'frame.invalidate': 'invalidated' },
    },
    in_progress: {
      on: {
        'frame.complete': 'completed',
        'frame.fail': 'failed',
        'frame.block': 'blocked',
        'frame.invalidate': 'invalidated',
      },
    },
    blocked: {
      on: {
        'frame.start': 'in_progress',
        'frame.fail': 'failed',
        'frame.invalidate': 'invalidated',
      },
    },
    completed: { type: 'final', output: 'completed' },
    failed: { type: 'final', output: 'failed' },
    invalidated: { type: 'final', output: 'invalidated' },
  },
  output: endOf,
});
