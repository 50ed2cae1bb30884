import type { State } from '../../core/state/state.ts';
import type { Clock } from '../live/clock.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { EndEffect } from './effect-end.ts';

/** The timers of all live sessions of a store. */
interface Timers {
  /** Sets the timers that a session newly waits for, and clears those that it no longer waits for. */
  pump(live: LiveSession): void;
  /** Clears all. */
  stop(): void;
}

interface Timer {
  readonly live: LiveSession;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly due: number;
  readonly handle: unknown;
}

/** Timers on a clock; one that is overdue fires at once. */
export function newTimers({ clock, endEffect }: { clock: Clock; endEffect: EndEffect }): Timers {
  const timers = new Map<string, Timer>();

  function set(live: LiveSession, key: string, due: number): void {
    const name = `${live.id} ${key}`;
    if (timers.has(name)) return;
    const fire = (): void => {
      timers.delete(name);
      void endEffect(live, { type: 'fire', key });
    };
    const handle = clock.setTimeout(fire, Math.max(0, due - clock.now()));
    timers.set(name, { live, key, due, handle });
  }

  return {
    pump(live) {
      const pending: State['timers'] = live.isBroken ? new Map() : live.state.timers;
      for (const [name, timer] of timers)
        if (timer.live === live && pending.get(timer.key)?.due !== timer.due) {
          clock.clearTimeout(timer.handle);
          timers.delete(name);
        }
      for (const [key, { due }] of pending) set(live, key, due);
    },
    stop() {
      for (const { handle } of timers.values()) clock.clearTimeout(handle);
    },
  };
}
