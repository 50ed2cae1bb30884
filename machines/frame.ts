import { setup } from 'xstate';
import type { FrameEvent } from '../src/core/frames/frame.ts';

/**
 * The life of one frame, and the only place where its transitions are written: a
 * frame that is pushed or retried is planned and started, one that falls with its
 * parent is invalidated. Rules that speak of more than one frame (how far a cascade
 * reaches, what a pop needs) are the tree's; the engine uses a table compiled from
 * this machine.
 */
export const frameMachine = setup({
  types: { events: {} as { readonly type: FrameEvent } },
}).createMachine({
  id: 'frame',
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
