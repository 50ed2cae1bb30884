import type { FrameStatus } from '../frames/frame.ts';
import type { Goal } from '../frames/goal.ts';
import { aroundPath, type FrameTree } from '../frames/tree.ts';
import type { FrameId, TextId } from '../values/id.ts';

// What a session knows of its checkpoint documents: whether it keeps any, and
// which are decided on and not yet in their file. Their texts are rows of their
// own, so a crash between the two loses nothing.

/** A document that is to be written. */
export interface PendingDocument {
  readonly key: string;
  /** The printed document. */
  readonly text: TextId;
  /** Milliseconds since 1970; says which day's file. */
  readonly at: number;
}

/** What the documents of a session have told so far: the next one tells what changed since. */
export interface Told {
  /** The id of the last one; '' before there is any. */
  readonly id: string;
  /** Messages there were. */
  readonly messages: number;
  /** Turns there were. */
  readonly turns: number;
  /** Sum of their tokens. */
  readonly tokens: number;
  readonly goal: Goal | null;
  /** Frames made by then. */
  readonly made: number;
  /** Those around the path that were open or planned. */
  readonly frames: Readonly<Record<string, FrameStatus>>;
  /** The items of the host's list, each with its mark before it. */
  readonly list: readonly string[];
}

/** What is told before the first document. */
export const nothingReported: Told = {
  id: '',
  messages: 0,
  turns: 0,
  tokens: 0,
  goal: null,
  made: 1,
  frames: {},
  list: [],
};

/** The name of a document for good. */
export const documentId = (session: string, key: string): string => `${session}/${key}`;

/** Whether a frame with this status is open, or to do. */
export const isOpenStatus = (status: FrameStatus): boolean =>
  status === 'planned' || status === 'in_progress' || status === 'blocked';

/** The frames around the path that are open or to do, with their status. */
export function openAround(frames: FrameTree, active: FrameId): Told['frames'] {
  const open = aroundPath(frames, active).filter(({ status }) => isOpenStatus(status));
  return Object.fromEntries(open.map(({ id, status }) => [id, status]));
}

/** A session's checkpoint documents. */
export interface DocumentSchedule {
  /** Whether documents are written. */
  readonly isKept: boolean;
  /** Oldest first. */
  readonly pending: readonly PendingDocument[];
  readonly told: Told;
  /** What the documents of a lost store told, printed as one document; null where nothing was recovered. */
  readonly recovered: TextId | null;
}

/** The schedule of a session that keeps no documents. */
export const noDocuments: DocumentSchedule = {
  isKept: false,
  pending: [],
  told: nothingReported,
  recovered: null,
};

/** What comes in about documents. */
export type DocumentInput =
  | { readonly type: 'documents'; readonly isKept: boolean }
  /** Write where the session stands now. */
  | { readonly type: 'document' }
  | {
      /** The page was found edited by hand; or, with a reason, cannot be read or written. */
      readonly type: 'page';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Whether a person edited it, for all that is known. */
      readonly human: boolean;
      /** '' where it was edited; else why it was refused. */
      readonly reason: string;
      /** The file that a page of nobody is kept in; '' where it stays as it is. */
      readonly kept: string;
    }
  | DocumentEnd;

/** What became of a document that was to be written. */
export type DocumentEnd =
  | { readonly type: 'document.settle'; readonly key: string; readonly file: string }
  | { readonly type: 'document.fail'; readonly key: string; readonly reason: string };

/** Why a document is written. */
export type DocumentReason =
  | 'exchanges'
  | 'push'
  | 'pop'
  | 'destructive'
  | 'long'
  | 'half'
  | 'decision'
  | 'truncation'
  | 'command';
