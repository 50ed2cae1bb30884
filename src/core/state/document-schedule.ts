import type { TextId } from '../values/id.ts';

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

/** A session's checkpoint documents. */
export interface DocumentSchedule {
  /** Whether documents are written. */
  readonly isKept: boolean;
  /** Oldest first. */
  readonly pending: readonly PendingDocument[];
  /** Messages there were when the last one was decided on. */
  readonly messages: number;
  /** The epoch in which working passed half of what is available for the last time. */
  readonly half: number;
}

/** The schedule of a session that keeps no documents. */
export const noDocuments: DocumentSchedule = { isKept: false, pending: [], messages: 0, half: -1 };

/** What comes in about documents. */
export type DocumentInput =
  | { readonly type: 'documents'; readonly isKept: boolean }
  /** Write where the session stands now. */
  | { readonly type: 'document' }
  | DocumentEnd;

/** What became of a document that was to be written. */
export type DocumentEnd =
  | { readonly type: 'document.settle'; readonly key: string; readonly file: string }
  | { readonly type: 'document.fail'; readonly key: string; readonly reason: string };

/** Why a document is written. */
export type DocumentReason =
  | 'turns'
  | 'push'
  | 'pop'
  | 'destructive'
  | 'half'
  | 'decision'
  | 'truncation'
  | 'command';
