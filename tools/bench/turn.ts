import { closeSync, openSync, readSync } from 'node:fs';

/**
 * The longest turn of the event loop while `work` ran, in milliseconds: nobody else gets one meanwhile.
 * Of the main thread's processor time, where the system tells it (Linux), so that what else the machine
 * does is not in it; else by the clock.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const timer = openTimer();
  let longest = 0;
  let last = timer.now();
  const measure = (): void => {
    const now = timer.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const turn = (): void => {
    measure();
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  try {
    await work();
    measure();
  } finally {
    clearImmediate(next);
    timer.close();
  }
  return longest;
}

/** Milliseconds that the main thread has worked. */
function openTimer(): { now(): number; close(): void } {
  let file: number;
  try {
    file = openSync('/proc/self/schedstat', 'r');
  } catch {
    return { now: () => performance.now(), close: () => undefined };
  }
  const bytes = Buffer.alloc(64);
  return {
    now: () => Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, 0))) / 1e6,
    close: () => closeSync(file),
  };
}
