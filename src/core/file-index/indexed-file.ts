import type { FrameId } from '../values/id.ts';
import type { Faded, Holding } from './holdings.ts';

/** What the log tells of a file. */
export interface IndexedFile extends Faded {
  /** The frame that it was used in. */
  readonly frame: FrameId;
  /** Its path as it is told. */
  readonly path: string;
  /** What the work did with it; '' for a file that was only read. */
  readonly became: 'new' | 'changed' | 'moved' | 'deleted' | '';
  /** The path that it had before it was moved; '' for none. */
  readonly was: string;
  /** Entries that changed it, the newest last. */
  readonly changes: readonly number[];
  /** The newest entry that shows it as it was read; 0 for none. */
  readonly read: number;
  readonly holds: readonly Holding[];
  /** The newest entry that names it; 0 for none. */
  readonly named: number;
  /** What was said of it last that tells most; null for nothing. */
  readonly remark: Holding | null;
}

/** Where events come from: the frame, the root that files are told from, and the number of the compression. */
export interface EventSource {
  readonly frame: FrameId;
  readonly root: string;
  readonly at: number;
}
