import { EngineError } from '../core/error.ts';
import { countBeforeEnd } from './count.ts';
import type { Workings } from './workings.ts';

/** Stops effects, finishes the steps under way, counts what is known by its bound, and closes the records; throws `BUSY` where that takes longer than `timeout`, in milliseconds, and closes them all the same. */
export async function closeStore(workings: Workings, timeout: number): Promise<void> {
  const { records, clock, effects, searches, lives } = workings;
  const stopped = effects.stop();
  const steps = (await lives.all()).map((one) => countBeforeEnd(one).then(() => one.written));
  let timer: unknown;
  const late = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(stillBusy(timeout)), timeout);
  });
  try {
    await Promise.race([Promise.allSettled([...steps, stopped]), late]);
  } finally {
    clock.clearTimeout(timer);
    await searches.stop();
    await records.close();
  }
}

function stillBusy(timeout: number): EngineError {
  return new EngineError('BUSY', `Steps are still under way after ${timeout} ms`, {
    retryable: true,
    detail: { timeout },
  });
}
