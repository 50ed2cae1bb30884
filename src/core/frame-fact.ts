import type { Digest, FrameStatus, Identity, Results } from './frame.ts';
import type { FrameId, TextId } from './id.ts';
import type { Quote } from './view.ts';

/** What becomes of frames. */
export type FrameFact =
  | {
      readonly type: 'frame.pushed';
      readonly frame: FrameId;
      readonly parent: FrameId;
      readonly identity: Identity;
      readonly partial: Digest | null;
    }
  | {
      readonly type: 'frame.planned';
      readonly frame: FrameId;
      readonly parent: FrameId;
      readonly identity: Identity;
    }
  | { readonly type: 'frame.started'; readonly frame: FrameId; readonly partial: Digest | null }
  | { readonly type: 'frame.edited'; readonly frame: FrameId; readonly identity: Identity }
  | {
      readonly type: 'frame.popped';
      readonly frame: FrameId;
      readonly status: FrameStatus;
      readonly results: Results;
      readonly reason: string | null;
      readonly dropped: readonly FrameId[];
      /** Directives of its human text, which go on to bind its parent. */
      readonly quotes: readonly Quote[];
    }
  | { readonly type: 'frame.invalidated'; readonly frame: FrameId; readonly reason: string }
  | {
      readonly type: 'frame.retried';
      readonly frame: FrameId;
      readonly of: FrameId;
      readonly partial: Digest | null;
    }
  /** A model's text took the place of the harvested one. */
  | {
      readonly type: 'frame.described';
      readonly frame: FrameId;
      readonly part: 'partial' | 'results';
      readonly text: TextId;
      readonly brief: string;
      readonly tokens: number;
      readonly by: string;
    };
