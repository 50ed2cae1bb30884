import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { callable, checkArgument, objectOf, time, type Schema } from '../core/values/validation.ts';
import type { Clock } from '../engine/live/clock.ts';

// Time that stands still until it is told to pass. What a timer starts runs to where it waits again, promises and
// all, before the next one fires, so a test reads as the script of what happens and takes no time.

/** Time for tests; it fits `openStore`, the scripted servers and summarizers, and actors of XState. */
export interface SimulatedClock extends Clock {
  /** Timers that wait. */
  readonly waiting: number;
  /** Lets so many milliseconds pass: each timer that is due fires in its turn, and what it starts runs. */
  advance(ms: number): Promise<void>;
  /**
   * Lets time pass, from timer to timer, until `work` is over, and answers as it does. Rejects where 50,000 timers fired, or nothing
   * waits for time and ten seconds of this machine's went by.
   */
  until<T>(work: Promise<T>): Promise<T>;
}

/** How a simulated clock is set up. */
export interface SimulatedClockOptions {
  /** Milliseconds since 1970 when it begins; the morning of 5 January 2026 unless told. */
  readonly now?: number;
  /** Whether something is under way that waits for no time, as a disk; then time stands still. */
  readonly isBusy?: () => boolean;
}

interface WaitingTimer {
  readonly due: number;
  readonly run: () => void;
}

const clockOptions = objectOf<SimulatedClockOptions>({ now: time, isBusy: callable });
const span: Schema = {
  type: 'number',
  minimum: 0,
  holds: Number.isFinite,
  takes: 'milliseconds from 0: time does not go back',
};

/** Most timers that `until` fires: work that is not over then sets them for ever. */
const mostFired = 50_000;
/** Milliseconds of this machine that `until` waits where nothing waits for time. */
const mostReal = 10_000;

/** A clock that moves when it is told to. */
export function simulatedClock(options: SimulatedClockOptions = {}): SimulatedClock {
  checkArgument('options', options, clockOptions);
  const { now: begun = Date.UTC(2026, 0, 5, 9), isBusy = () => false } = options;
  const timers = new Set<WaitingTimer>();
  let now = begun;

  /** The timer that is due first; of two the one that was set first. */
  function next(): WaitingTimer | undefined {
    let first: WaitingTimer | undefined;
    for (const timer of timers) if (first === undefined || timer.due < first.due) first = timer;
    return first;
  }

  function fire(timer: WaitingTimer): void {
    timers.delete(timer);
    now = Math.max(now, timer.due);
    timer.run();
  }

  /** Lets everything run that waits for no time. */
  async function drain(): Promise<void> {
    for (let turns = 0; turns < 8; turns += 1) {
      await nextTurn();
      while (isBusy()) await sleep(1);
    }
  }

  async function advance(ms: number): Promise<void> {
    checkArgument('ms', ms, span);
    const end = now + ms;
    await drain();
    for (let timer = next(); timer !== undefined && timer.due <= end; timer = next()) {
      fire(timer);
      await drain();
    }
    now = end;
  }

  async function until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => void (isOver = true);
    work.then(end, end);
    const began = performance.now();
    for (let fired = 0; ;) {
      await drain();
      if (isOver) return work;
      const timer = next();
      if (timer !== undefined && fired === mostFired)
        throw new Error(`${mostFired} timers fired, and it is not over`);
      if (timer !== undefined) {
        fire(timer);
        fired += 1;
      } else if (performance.now() - began < mostReal) await sleep(1);
      else throw new Error('Nothing waits for time, and it is not over');
    }
  }

  return {
    now: () => now,
    setTimeout(run, milliseconds) {
      const timer = {
        due: now + (Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0),
        run,
      };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as WaitingTimer),
    get waiting() {
      return timers.size;
    },
    advance,
    until,
  };
}
