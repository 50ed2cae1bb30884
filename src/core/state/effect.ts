import type { Purpose } from '../checkpoints/compression-state.ts';
import type { CheckpointId, EntryId, FrameId } from '../values/id.ts';

/** Work that the engine asks of a summarizer. */
export interface Effect {
  readonly purpose: Purpose;
  readonly frame: FrameId;
  readonly from: EntryId;
  readonly to: EntryId;
  /** At most this many tokens. */
  readonly target: number;
  readonly strict: boolean;
  readonly attempt: number;
  readonly focus: string;
  /** The checkpoint that has aged, for `age`. */
  readonly checkpoint?: CheckpointId;
}
