import type { Checkpoint } from './checkpoint.ts';
import { fail } from './error.ts';
import type { FrameId } from './id.ts';
import type { State } from './state.ts';

/** A checkpoint, and the frame that it belongs to. */
export interface Placed {
  readonly frame: FrameId;
  readonly checkpoint: Checkpoint;
}

/** A checkpoint of an open frame; undefined where no open frame has it. */
export function checkpointInView({ views }: State, id: string): Placed | undefined {
  for (const [frame, { checkpoints }] of views) {
    const checkpoint = checkpoints.find((one) => one.id === id);
    if (checkpoint !== undefined) return { frame, checkpoint };
  }
  return undefined;
}

/** The same; throws `CHECKPOINT_NOT_FOUND`. */
export function checkpointAt(state: State, id: string): Placed {
  const placed = checkpointInView(state, id);
  if (placed !== undefined) return placed;
  throw fail('CHECKPOINT_NOT_FOUND', `There is no checkpoint "${id}" in an open frame`, {
    checkpoint: id,
  });
}
