import { inspectionsOf, type Inspection, type TracedStep } from '../../inspect/inspection.ts';
import { standingAt, tracedSteps } from '../../time-travel/inspect-again.ts';
import type { SessionReader } from '../session-access.ts';

// What is stored is told by deciding the journal again, what comes then as it comes. Who
// is slower than the session loses nothing and keeps nothing waiting: of what waits beyond
// a bound, and of steps whose moves nobody noted, the journal tells once more.

/** Which part of a session is inspected. */
export interface InspectionRange {
  /** Begins after this record; with all actors that are there, each as if it began. */
  readonly after: number;
  /** The last record; undefined for no end. */
  readonly to: number | undefined;
  /** Whether it goes on with what comes. */
  readonly live: boolean;
  readonly text: boolean;
  readonly signal: AbortSignal | undefined;
  /** Ends what goes on. */
  readonly ended: AbortSignal;
}

/** Most steps that wait for somebody who reads them. */
const mostWaiting = 1_024;

/** The moves of a session's actors, without a gap or a repeat; rejects when `signal` aborts. */
export async function* inspectionStream(
  session: SessionReader,
  { after, to = Infinity, live, text, signal, ended }: InspectionRange,
): AsyncGenerator<Inspection> {
  const waiting: TracedStep[] = [];
  let last = after;
  let isBehind = true;
  let wake = (): void => undefined;
  const onAbort = (): void => wake();
  const stop = session.inspect((step) => {
    if (step === null || waiting.length === mostWaiting) isBehind = true;
    else if (!isBehind) waiting.push(step);
    wake();
  });
  signal?.addEventListener('abort', onAbort);
  ended.addEventListener('abort', onAbort);
  const inspectionsOfStep = function* (step: TracedStep): Generator<Inspection> {
    for (const inspection of inspectionsOf(step, text)) {
      yield inspection;
      signal?.throwIfAborted();
    }
  };
  try {
    signal?.throwIfAborted();
    if (after > 0) yield* inspectionsOfStep(await standingAt(session.store, session.id, after));
    while (last < to) {
      signal?.throwIfAborted();
      if (isBehind) {
        waiting.length = 0;
        isBehind = false;
        for await (const step of tracedSteps(session.store, session.id, { after: last, text })) {
          yield* inspectionsOfStep(step);
          last = step.seq;
          if (last >= to) return;
        }
        if (!live) return;
        continue;
      }
      const step = waiting.shift();
      if (step !== undefined && step.seq > last) {
        yield* inspectionsOfStep(step);
        last = step.seq;
      } else if (step === undefined) {
        if (ended.aborted) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    stop();
    signal?.removeEventListener('abort', onAbort);
    ended.removeEventListener('abort', onAbort);
  }
}
