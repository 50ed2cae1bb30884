/** Time as the engine sees it; XState's `SimulatedClock` fits its timers. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The clock of this machine; while one of its timers waits, the process stays. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
