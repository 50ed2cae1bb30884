/** Time as the engine sees it; XState's `SimulatedClock` fits its timers. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Milliseconds from any start, to see how long work takes: after some of them others get their turn. Without it all work is done in one go. */
  elapsed?(): number;
}

/** The clock of this machine; while one of its timers waits, the process stays. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  elapsed: () => performance.now(),
};
