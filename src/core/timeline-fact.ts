import type { Frame } from './frame.ts';
import type { Goal } from './goal.ts';
import type { FrameId } from './id.ts';
import type { Phase } from './lifecycle.ts';
import type { Shown, State } from './state.ts';
import type { Cause, Left, Snapshot, Undoable } from './timeline.ts';
import type { View } from './view.ts';

/** What becomes of snapshots, and of decisions that are taken back. */
export type TimelineFact =
  /** A moment that can be gone back to; nothing is copied. */
  | { readonly type: 'snapshot.created'; readonly snapshot: Snapshot }
  | { readonly type: 'snapshot.deleted'; readonly snapshot: string }
  | { readonly type: 'snapshot.restored'; readonly snapshot: string }
  /** What was decided is again as it was after an old record; what was said since stays. Begins an epoch. */
  | {
      readonly type: 'state.restored';
      readonly cause: Cause;
      /** The step that was taken back or again; for a snapshot `restore`. */
      readonly what: Undoable;
      /** The record after which it was so. */
      readonly from: number;
      readonly phase: Phase;
      readonly active: FrameId;
      readonly goal: Goal | null;
      readonly newest: State['newest'];
      readonly calls: State['calls'];
      /** Frames that are no longer as they were, by ordinal. */
      readonly frames: readonly (readonly [n: number, frame: Frame])[];
      readonly views: readonly (readonly [frame: FrameId, view: View])[];
      /** What is shown before the entries; of its tree the length, and the frames that differ. */
      readonly shown: Omit<Shown, 'frames'> & {
        readonly length: number;
        readonly frames: readonly (readonly [n: number, frame: Frame])[];
      };
      readonly left: readonly Left[];
    };
