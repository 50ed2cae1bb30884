import type { Clock } from '../../engine/live/clock.ts';

/** The value of `promise`, or null once `signal` aborts; what it rejects with later is lost. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve(null);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const forget = (): void => signal.removeEventListener('abort', giveUp);
    promise.then(resolve, reject).finally(forget);
  });
}

/** Resolves after so many milliseconds of `clock`, or once `signal` aborts; at once if none. */
export async function pause(
  clock: Clock,
  milliseconds: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (milliseconds === undefined || milliseconds === 0) return;
  let timer: unknown;
  const over = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, milliseconds);
  });
  await untilAborted(over, signal);
  clock.clearTimeout(timer);
}
