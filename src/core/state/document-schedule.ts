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

/** That of a session that keeps none. */
export const noDiary: DocumentSchedule = { isKept: false, pending: [], messages: 0, half: -1 };

/** What becomes of documents. */
export type DocumentFact =
  | { readonly type: 'documents.changed'; readonly isKept: boolean }
  /** A document was decided on; `messages` are those of the session so far. */
  | {
      readonly type: 'document.requested';
      readonly key: string;
      readonly reason: DocumentReason;
      readonly text: TextId;
      readonly at: number;
      readonly messages: number;
      /** The epoch, where working passed half in it. */
      readonly half?: number;
    }
  | { readonly type: 'document.written'; readonly key: string; readonly file: string }
  /** It could not be written, and is given up. */
  | { readonly type: 'document.failed'; readonly key: string; readonly reason: string };

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

/** The diary after a fact. */
export function keep(diary: DocumentSchedule, fact: DocumentFact): DocumentSchedule {
  switch (fact.type) {
    case 'documents.changed':
      return { ...diary, isKept: fact.isKept };
    case 'document.requested': {
      const { key, text, at, messages, half = diary.half } = fact;
      return { ...diary, pending: [...diary.pending, { key, text, at }], messages, half };
    }
    case 'document.written':
    case 'document.failed':
      return { ...diary, pending: diary.pending.filter(({ key }) => key !== fact.key) };
  }
}

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
