import { EngineError } from '../../core/values/error.ts';

/** Work on one session or machine, one piece at a time, in the order it was asked for. */
export interface Queue<Writer> {
  /** Whether nothing waits or runs. */
  readonly isEmpty: boolean;
  /** Runs the work of a call; rejects with `BUSY` where too many calls wait. */
  call<T>(work: (writer: Writer) => T | Promise<T>): Promise<T>;
  /** Runs the engine's own work, however much waits. */
  inTurn<T>(work: (writer: Writer) => T | Promise<T>): Promise<T>;
}

/** An empty queue that hands `writer` to one piece of work after another, and holds at most `most` calls. */
export function newQueue<Writer extends { readonly id: string }>(
  writer: Writer,
  most: number,
  kind: 'session' | 'machine' = 'session',
): Queue<Writer> {
  let tail: Promise<Writer> = Promise.resolve<Writer>(writer);
  let calls = 0;
  let queued = 0;

  const ended = (): Writer => {
    queued -= 1;
    return writer;
  };
  const callEnded = (): Writer => {
    calls -= 1;
    return ended();
  };

  function add<T>(work: (writer: Writer) => T | Promise<T>, atEnd: () => Writer): Promise<T> {
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
      if (calls >= most) return Promise.reject(busy({ kind, id: writer.id }, calls, most));
      calls += 1;
      return add(work, callEnded);
    },
  };
}

function busy(of: { kind: string; id: string }, queued: number, most: number): EngineError {
  const message = `${queued} calls of ${of.kind} "${of.id}" wait already`;
  return new EngineError('BUSY', message, {
    retryable: true,
    detail: { ...(of.kind === 'session' ? { session: of.id } : { machine: of.id }), queued, most },
  });
}
