import type { Summarizer } from '../../llm/summarizer.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Clock } from '../live/clock.ts';
import { newTell } from './effect-end.ts';
import { runJobs } from './summary-jobs.ts';
import type { LiveSession } from '../live/live-session.ts';
import { runPages } from './document-writer.ts';
import { runTimers } from './timers.ts';

// Effects run only after the batch that asked for them is durable, and their
// results come back as inputs. A crash between leaves the outbox row, and the
// effect runs again: at least once; a result is recorded at most once, because
// its key is gone afterwards.

/** How effects are run. */
export interface EffectOptions {
  /** How many run at once in a store. */
  readonly concurrency: number;
  /** How long one may take, in milliseconds. */
  readonly timeout: number;
}

/** What runs the effects of all live sessions of a store. */
export interface Effects {
  /** Looks at the pending work of a session: starts what is new, stops what is over. */
  pump(live: LiveSession): void;
  /** Whether work of a session runs, or can run as things are. */
  isBusy(live: LiveSession): boolean;
  /** Resolves when `holds`, or when no work of a session can run any more; looks after each step that is durable. */
  until(live: LiveSession, holds: () => boolean): Promise<void>;
  /** Resolves when every step asked for is durable and no work of a session can run any more. */
  settled(live: LiveSession): Promise<void>;
  /** Stops everything; the outbox rows stay. Resolves when no file is being written any more. */
  stop(): Promise<void>;
}

/** An effect runner over a store. */
export function runEffects(around: {
  store: RecordStore;
  clock: Clock;
  options: EffectOptions;
  summarizers: ReadonlyMap<string, Summarizer>;
  /** Where checkpoint documents go; null for nowhere. */
  documents: string | null;
}): Effects {
  const { store, summarizers } = around;
  let stopped = false;
  const watchers = new Set<() => void>();
  const tell = newTell(() => stopped);
  const timers = runTimers({ clock: around.clock, tell });
  const pages = runPages({ store, folder: around.documents, tell });
  const jobs = runJobs({ ...around, tell, onOver: pump });

  function pump(live: LiveSession): void {
    if (stopped) return;
    timers.pump(live);
    pages.pump(live);
    jobs.pump(live);
    for (const watcher of watchers) watcher();
  }

  function isBusy(live: LiveSession): boolean {
    if (stopped || live.isBroken || live.isNew) return false;
    if (live.state.timers.size > 0 || pages.isBusy(live)) return true;
    return live.state.outbox.size > 0 && summarizers.has(live.state.options.summarizer);
  }

  function until(live: LiveSession, holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isBusy(live) && !holds()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  }

  async function settled(live: LiveSession): Promise<void> {
    do {
      await until(live, () => false);
      await live.inTurn(() => undefined);
      await live.written;
    } while (isBusy(live));
  }

  function stop(): Promise<void> {
    stopped = true;
    jobs.stop();
    timers.stop();
    for (const watcher of watchers) watcher();
    return pages.stop();
  }

  return { pump, isBusy, until, settled, stop };
}
