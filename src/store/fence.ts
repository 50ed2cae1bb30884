import { EngineError } from '../core/values/error.ts';

// Two engines over one store would both decide record 18 of a session. The second to commit it is
// refused, and so is all that it decides afterwards on the state that is not so. What is compared lies
// in memory: the first commit of a session looks once whether its record is there already.

/** After what a commit was decided. */
export interface Expected {
  readonly session: string;
  /** The newest journal record of the session that was known; 0 for none. The commit writes the next. */
  readonly seq: number;
  /** When the session began, in milliseconds since 1970: one that was deleted and begun again is another. */
  readonly born: number;
  /** Who decided it; the same object for all that is decided on one state. */
  readonly owner: object;
}

/** Refuses commits of those who do not know the newest record. */
export interface Fence {
  /** Moves the head of the session on by one; throws `CONFLICT` where it is not where it was expected. */
  pass(expected: Expected): void;
  /** Forgets where the head of a session is: a write of it failed. */
  forget(session: string): void;
  /** Takes note that a session has no record any more. */
  reset(session: string): void;
}

/** A fence; `has` says whether a journal record is there. */
export function newFence(has: (session: string, seq: number) => boolean): Fence {
  const heads = new Map<string, Pick<Expected, 'seq' | 'born'>>();
  const refused = new WeakSet<object>();
  return {
    pass({ session, seq, born, owner }) {
      const head = heads.get(session);
      const isHead =
        head === undefined
          ? !has(session, seq + 1)
          : head.seq === seq && (seq === 0 || head.born === born);
      if (refused.has(owner) || !isHead) {
        refused.add(owner);
        throw conflict({ session, seq });
      }
      heads.set(session, { seq: seq + 1, born });
    },
    forget: (session) => void heads.delete(session),
    reset: (session) => void heads.set(session, { seq: 0, born: 0 }),
  };
}

/** The refusal of a commit that was decided on a state which is not so. */
export function conflict({ session, seq }: Pick<Expected, 'session' | 'seq'>): EngineError {
  const message = `Session "${session}" went on elsewhere after record ${seq}, so nothing was written`;
  return new EngineError('CONFLICT', message, { detail: { session, seq }, retryable: true });
}
