import type { Purpose } from '../checkpoints/compression-state.ts';
import type { CheckpointId, EntryId, FrameId, TextId } from '../values/id.ts';

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
  /** The checkpoint to shorten and the texts it was made of, for `age` and `merge`. */
  readonly checkpoint?: CheckpointId;
  readonly texts?: readonly TextId[];
}
