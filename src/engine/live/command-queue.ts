import { EngineError } from '../../core/values/error.ts';

/** Work on one session, one piece at a time, in the order it was asked for. */
export interface Queue {
  /** Whether nothing waits or runs. */
  readonly isEmpty: boolean;
  /** Runs the work of a call; rejects with `BUSY` where too many calls wait. */
  call<T>(work: () => T | Promise<T>): Promise<T>;
  /** Runs the engine's own work, however much waits. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
}

/** An empty queue of `session` that holds at most `most` calls. */
export function newQueue(session: string, most: number): Queue {
  let tail: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let queued = 0;

  const ended = (): void => void (queued -= 1);
  const callEnded = (): void => {
    calls -= 1;
    queued -= 1;
  };

  function add<T>(work: () => T | Promise<T>, atEnd: () => void): Promise<T> {
    queued += 1;
    const run = tail.then(work);
    tail = run.then(atEnd, atEnd);
    return run;
  }

  return {
    get isEmpty() {
      return queued === 0;
    },
    inTurn: (work) => add(work, ended),
    call(work) {
      if (calls >= most) return Promise.reject(busy(session, calls, most));
      calls += 1;
      return add(work, callEnded);
    },
  };
}

function busy(session: string, queued: number, most: number): EngineError {
  return new EngineError('BUSY', `${queued} calls of session "${session}" wait already`, {
    retryable: true,
    detail: { session, queued, most },
  });
}
