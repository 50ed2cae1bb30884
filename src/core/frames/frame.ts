import type { EntryId, FrameId, TextId } from '../values/id.ts';
import type { PositionSpan } from '../values/span.ts';

/** Most tokens of a brief that is made from a longer text. */
export const longestBrief = 60;

/** The status of a frame. */
export type FrameStatus =
  | 'planned'
  | 'in_progress'
  | 'completed'
  | 'failed'
  | 'blocked'
  | 'invalidated';

/** The events of the frame machine. */
export type FrameEvent =
  | 'frame.start'
  | 'frame.complete'
  | 'frame.fail'
  | 'frame.block'
  | 'frame.invalidate';

/** The transitions of the frame machine, by status and event; an absent one is refused. */
export type FrameTable = Readonly<
  Record<FrameStatus, Readonly<Partial<Record<FrameEvent, FrameStatus>>>>
>;

/** The title and criteria of a frame; frozen once it is entered. */
export interface Identity {
  /** Two to five words, at most 30 tokens. */
  readonly title: string;
  /** When it is done, in verifiable terms. */
  readonly criteria: string;
  /** The criteria in dense form. */
  readonly brief: string;
}

/** A text that stands for entries which are not shown, and their range. */
export interface Digest {
  readonly text: TextId;
  readonly tokens: number;
  /** The text on one line, for where it has no room. */
  readonly brief: string;
  readonly from: EntryId;
  readonly to: EntryId;
  /** The author: a person or host who supplied it, or the summarizer's name. */
  readonly by: string;
}

/** The results of a closed frame. */
export interface Results {
  /** In full. */
  readonly text: TextId;
  /** Tokens of the text. */
  readonly tokens: number;
  readonly brief: string;
  readonly artifacts: readonly string[];
  readonly decisions: readonly string[];
  /** The lists that nobody gave, which are told from the frame's log; left out where there are none. */
  readonly harvested?: readonly Harvested[];
  /** Checks that failed last among its entries in view: what a model reports may leave them out. */
  readonly failing?: readonly string[];
  /** What failed in a frame above, by that entry, and the entry in which it worked in this one or below; left out where nothing did. */
  readonly cures?: Readonly<Record<string, EntryId>>;
  readonly by: string;
}

/** The lists of results that can be told from the log. */
export type Harvested = 'artifacts' | 'decisions';

/** One unit of work, a node of the tree. */
export interface Frame extends Identity {
  readonly id: FrameId;
  /** Null for the root. */
  readonly parent: FrameId | null;
  readonly children: readonly FrameId[];
  readonly status: FrameStatus;
  /** Positions of its first and its last entry; null before there are any. */
  readonly span: PositionSpan | null;
  /** The partial result, which stands for the working part while a child is active. */
  readonly partial: Digest | null;
  readonly results: Results | null;
  /** Why it failed, was blocked or invalidated. */
  readonly reason: string | null;
  /** The failed frame that this one tries again. */
  readonly retryOf: FrameId | null;
  /** The record that left the branch it was made on; such a frame is shown in no tree. */
  readonly branch?: number;
}

/** Whether a frame is in progress or blocked. */
export function isOpen(frame: Frame): boolean {
  return frame.status === 'in_progress' || frame.status === 'blocked';
}

/** Whether a frame is completed, failed or invalidated, which are final. */
export function isClosed(frame: Frame): boolean {
  return !isOpen(frame) && frame.status !== 'planned';
}

/** The title of a root, cut so that it is surely within 30 tokens. */
export function rootTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line === '' ? 'Session' : Array.from(line).slice(0, 60).join('');
}

/** A title as a model is told it; '' for one that is only the id that a host made for its session. */
export const ownTitle = (title: string): string => (isBareId.test(title) ? '' : title);

/** One word with a piece that nobody reads: of a UUID, a digest, a time to the second. */
const isBareId =
  /^(?=\S{0,60}(?:[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{12}|(?=[a-z]{0,20}\d)[0-9a-z]{20}|\d{4}-\d\d-\d\dT))\S{1,80}$/i;
