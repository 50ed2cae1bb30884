import type { Clock } from '../live/clock.ts';

/** A session or machine that waits for time to pass. */
interface TimerOwner {
  readonly id: string;
  /** Whether it takes nothing more. */
  readonly isBroken: boolean;
  readonly state: {
    /** When each timer is due, in milliseconds since 1970. */
    readonly timers: ReadonlyMap<string, { readonly due: number }>;
  };
}

/** The timers of all live sessions of a store, or of a machine. */
interface Timers<Owner> {
  /** Sets the timers that are newly waited for, and clears those that are no longer waited for. */
  pump(live: Owner): void;
  /** Clears all. */
  stop(): void;
}

interface Timer<Owner> {
  readonly live: Owner;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly due: number;
  handle?: unknown;
}

/** The longest that a clock is asked to wait, in milliseconds: a longer wait of Node's is over at once. */
const longestWait = 2 ** 31 - 1;

/** Timers on a clock, fired in the order in which they are due; one that is overdue fires at once. */
export function newTimers<Owner extends TimerOwner>({
  clock,
  fire,
}: {
  readonly clock: Clock;
  readonly fire: (live: Owner, timer: { readonly key: string; readonly due: number }) => void;
}): Timers<Owner> {
  const timers = new Map<string, Timer<Owner>>();

  function wait(name: string, timer: Timer<Owner>): void {
    const left = timer.due - clock.now();
    const next = (): void => {
      if (left > longestWait) return wait(name, timer);
      timers.delete(name);
      fire(timer.live, timer);
    };
    timer.handle = clock.setTimeout(next, Math.min(longestWait, Math.max(0, left)));
  }

  return {
    pump(live) {
      const pending: TimerOwner['state']['timers'] = live.isBroken ? new Map() : live.state.timers;
      for (const [name, timer] of timers)
        if (timer.live === live && pending.get(timer.key)?.due !== timer.due) {
          clock.clearTimeout(timer.handle);
          timers.delete(name);
        }
      for (const [key, { due }] of [...pending].sort(([, one], [, other]) => one.due - other.due)) {
        const name = `${live.id} ${key}`;
        if (timers.has(name)) continue;
        const timer: Timer<Owner> = { live, key, due };
        timers.set(name, timer);
        wait(name, timer);
      }
    },
    stop() {
      for (const { handle } of timers.values()) clock.clearTimeout(handle);
    },
  };
}
