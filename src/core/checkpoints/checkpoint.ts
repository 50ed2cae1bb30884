import type { BreadcrumbRefs } from '../breadcrumbs/breadcrumb.ts';
import type { CheckpointId, EntryId, TextId } from '../values/id.ts';

/** The age of a checkpoint: how far it has been shortened. */
export type Age = 'recent' | 'old' | 'ancient' | 'merged';

/** A stored summary that stands for a range of entries of one frame. */
export interface Checkpoint {
  readonly id: CheckpointId;
  readonly age: Age;
  /** The version that is shown; the finer ones are its `sources`. */
  readonly text: TextId;
  /** Tokens of that version. */
  readonly tokens: number;
  /** The lines of the chronicle that it holds, by number; none where a model rewrote it. */
  readonly lines: readonly number[];
  readonly from: EntryId;
  readonly to: EntryId;
  /** Entries it stands for. */
  readonly entries: number;
  /** Their tokens before. */
  readonly before: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The author: the summarizer's name, or `embedded`. */
  readonly by: string;
  /** Cumulative hash of the log up to `to`. */
  readonly hash: string;
  /** Distinct names in its entries. */
  readonly names: number;
  /** Earlier versions, finest first: the text each had, or the checkpoints merged into it. */
  readonly sources: readonly TextId[];
  readonly decisions: readonly string[];
  readonly files: readonly string[];
  readonly next: readonly string[];
  readonly questions: readonly string[];
  /** The versions before, each with its age, finest first; left out where there are none. */
  readonly finer?: readonly Rewrite[];
  /** A model's version of the text, which the next epoch shows; dropped where the checkpoint ages before. */
  readonly rewrite?: Rewrite;
  /** The breadcrumbs to what it stands for; left out where there are none. */
  readonly breadcrumbs?: BreadcrumbRefs;
}

/** Another version of a checkpoint: a finer one, or a model's of one that was shortened by dropping lines. */
export interface Rewrite {
  readonly age: Age;
  readonly text: TextId;
  readonly tokens: number;
  readonly lines: readonly number[];
  readonly by: string;
}
