import { setup } from 'xstate';
import type { FrameEvent } from '../src/core/frames/frame.ts';

/**
 * The life of one frame, and the only place where its transitions are written; the
 * engine uses a table compiled from this machine. A frame that is pushed or retried
 * is planned and started; a cascade invalidates. Rules about more than one frame
 * (how far a cascade reaches, what a pop needs) belong to the tree.
 */
export const frameMachine = setup({
  types: { events: {} as { readonly type: FrameEvent } },
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
    completed: { type: 'final' },
    failed: { type: 'final' },
    invalidated: { type: 'final' },
  },
});
