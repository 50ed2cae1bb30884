import { isEngineError } from '../../core/values/error.ts';
import type { Clock } from '../live/clock.ts';

/** Work that is tried again where the store refuses it for now. */
interface Retries {
  /** Does `work` until it succeeds, or `isOver`; rejects where trying again cannot help. */
  until(isOver: () => boolean, work: () => Promise<void>): Promise<void>;
  /** Ends every wait now. */
  stop(): void;
}

/** Wait before what a store refused for now is tried again, doubled with each time, and the longest, in milliseconds. */
const retryAfter = { first: 250, longest: 60_000 } as const;

/** Retries on a clock. */
export function newRetries(clock: Clock): Retries {
  const waits = new Map<() => void, unknown>();

  const wait = (tries: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clock.clearTimeout(waits.get(end));
        waits.delete(end);
        resolve();
      };
      const { first, longest } = retryAfter;
      waits.set(end, clock.setTimeout(end, Math.min(longest, first * 2 ** tries)));
    });

  return {
    async until(isOver, work) {
      for (let tries = 0; !isOver(); tries += 1) {
        try {
          return await work();
        } catch (error) {
          if (!isEngineError(error) || !error.retryable) throw error;
        }
        if (!isOver()) await wait(tries);
      }
    },
    stop() {
      for (const end of waits.keys()) end();
    },
  };
}
