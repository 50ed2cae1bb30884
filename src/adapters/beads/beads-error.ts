/**
 * Why a tracker did not do what it was asked: there is none, another process writes to it, it took too long, it said
 * no, or what it said cannot be read.
 */
export type BeadsFailure = 'missing' | 'locked' | 'slow' | 'refused' | 'unreadable';

/** What a failed call says of itself. */
export interface BeadsErrorOptions {
  readonly reason: BeadsFailure;
  readonly message: string;
  /** The program's own code, such as `ISSUE_NOT_FOUND`. */
  readonly code?: string | undefined;
  /** What to do next; by the reason unless told. */
  readonly next?: string | undefined;
}

/** A call to the tracker that failed. */
export class BeadsError extends Error {
  override readonly name = 'BeadsError';
  readonly reason: BeadsFailure;
  /** The program's own code, where it has one. */
  readonly code?: string;
  /** What to do next, in one sentence. */
  readonly next: string;

  constructor({ reason, message, code, next }: BeadsErrorOptions) {
    super(message);
    this.reason = reason;
    if (code !== undefined) this.code = code;
    this.next = next ?? advice[reason];
  }

  /** Whether the same call may succeed later, with nothing changed in it. */
  get retryable(): boolean {
    return this.reason !== 'refused' && this.reason !== 'unreadable';
  }
}

const advice: Readonly<Record<BeadsFailure, string>> = {
  missing: 'Install br or bd, put it on the PATH, and run its `init` in the project.',
  locked: 'Another process writes to the tracker; try again in a moment.',
  slow: 'Look at the issue before you try again: it may have been done all the same.',
  refused: 'Change what the message names; the same call would be refused again.',
  unreadable: 'Run the same command by hand with --json and see what it prints.',
};
