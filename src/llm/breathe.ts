import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on before others get their turn of the event loop, in milliseconds. */
const longest = 5;

/** Waits for a turn of the event loop where the work since the last one took long; else for nothing. */
export type Breathe = () => Promise<void>;

/** Breath for work that begins now; `elapsed` tells the milliseconds since anything. */
export function newBreathe(elapsed: () => number = () => performance.now()): Breathe {
  let end = elapsed() + longest;
  return async () => {
    if (elapsed() <= end) return;
    await nextTurn();
    end = elapsed() + longest;
  };
}
