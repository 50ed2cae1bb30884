import type { SimulatedClock } from 'xstate';
import type { Session } from '../../src/index.ts';

/** Lets everything run that waits for no time: promises, and the store in memory. */
export async function quiet(turns = 8): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Resolves once `holds`; throws where it does not though nothing is left to run. */
export async function until(holds: () => boolean, turns = 2_000): Promise<void> {
  for (let turn = 0; turn < turns && !holds(); turn += 1) await quiet(1);
  if (!holds()) throw new Error('What was waited for did not happen');
}

/** Whether `work` is over when nothing is left to run. */
export async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  const end = (): void => void (over = true);
  work.then(end, end);
  await quiet();
  return over;
}

/** Lets time pass in steps of `step` until `work` is over; throws after `most` milliseconds. */
export async function pass<T>(
  clock: SimulatedClock,
  work: Promise<T>,
  { step = 500, most = 4_000_000 }: { step?: number; most?: number } = {},
): Promise<T> {
  let over = false;
  const end = (): void => void (over = true);
  work.then(end, end);
  const last = clock.now() + most;
  for (;;) {
    await quiet(4);
    if (over) return work;
    if (clock.now() >= last) throw new Error(`Not over after ${most} ms`);
    clock.increment(step);
  }
}

/** Lets time pass until no work of the session is left. */
export const settle = (clock: SimulatedClock, session: Session): Promise<void> =>
  pass(clock, session.settled());
