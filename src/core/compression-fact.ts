import type { Trail } from './breadcrumb.ts';
import type { Age, Checkpoint, Rewrite } from './checkpoint.ts';
import type { CompressionState } from './compression.ts';
import type { CheckpointId, EntryId, FrameId, TextId } from './id.ts';

/** What becomes of compressions and of the checkpoints they make. */
export type CompressionFact =
  | {
      readonly type: 'compression.started';
      readonly frame: FrameId;
      readonly from: EntryId;
      readonly to: EntryId;
      readonly tokens: number;
    }
  | {
      readonly type: 'compression.moved';
      readonly frame: FrameId;
      readonly state: CompressionState | null;
    }
  | {
      readonly type: 'compression.skipped';
      readonly frame: FrameId;
      /** `gone back`: it is due in what was gone back to, and waits until that no longer fits. */
      readonly reason: 'not due' | 'nothing to select' | 'gone back';
    }
  | {
      readonly type: 'compression.failed';
      readonly frame: FrameId;
      readonly attempt: number;
      readonly reason: string;
    }
  /** A summary came and may not stand for its entries. */
  | {
      readonly type: 'compression.refused';
      readonly frame: FrameId;
      readonly reason: 'empty' | 'degenerate' | 'too long' | 'no shorter';
    }
  | { readonly type: 'compression.cancelled'; readonly frame: FrameId }
  | {
      readonly type: 'checkpoint.created';
      readonly frame: FrameId;
      readonly checkpoint: Checkpoint;
    }
  /** What a compression did: tokens of the assembly before and after, facts found and kept. */
  | {
      readonly type: 'compression.finished';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly before: number;
      readonly after: number;
      readonly facts: number;
      readonly kept: number;
      /** Facts that the summary keeps or the ledger took over. */
      readonly held: number;
      /** Who wrote the summary: the summarizer, or the deterministic fallback. */
      readonly by: 'summarizer' | 'fallback';
    }
  | {
      readonly type: 'checkpoint.aged';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly age: Age;
      readonly text: TextId;
      readonly tokens: number;
      /** Who wrote it; left out where lines were dropped. */
      readonly by?: string;
      /** With those to what it holds no longer; left out where there are none. */
      readonly breadcrumbs?: Trail;
    }
  /** A finer version is shown again, because somebody asked and there was room. */
  | {
      readonly type: 'checkpoint.raised';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly age: Age;
      readonly text: TextId;
      readonly tokens: number;
      readonly by: string;
    }
  /** A model's version came, with the facts found in what it was made of and kept in it; the next epoch shows it. */
  | {
      readonly type: 'checkpoint.rewritten';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly rewrite: Rewrite;
      readonly facts: number;
      readonly kept: number;
    }
  | {
      readonly type: 'checkpoint.merged';
      readonly frame: FrameId;
      readonly into: Checkpoint;
      readonly merged: readonly CheckpointId[];
    }
  /** A checkpoint has so many breadcrumbs that it says too little. */
  | {
      readonly type: 'breadcrumbs.many';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly count: number;
    };
