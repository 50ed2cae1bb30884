import { isEngineError } from '../../core/values/error.ts';
import type { Mask } from '../../core/text/redaction.ts';
import type { Summarizer } from '../../llm/summarizer.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Clock } from '../live/clock.ts';
import type { LiveSession } from '../live/live-session.ts';
import { newDocumentWriter } from './documents/document-writer.ts';
import { newEffectEnds } from './effect-end.ts';
import { newSummaryJobs } from './summary-jobs.ts';
import { newTimers } from './timers.ts';

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

/** The effects of all live sessions of a store. */
export interface Effects {
  /** Starts the effects that a session newly asks for, and stops those that it no longer asks for. */
  pump(live: LiveSession): void;
  /** Whether an effect of a session runs, or can run as things are. */
  isBusy(live: LiveSession): boolean;
  /** The effects of one session. */
  of(live: LiveSession): SessionEffects;
  /** Masks a text in the documents of a session, after all that is being written; gives the files. */
  redactDocuments(session: string, mask: Mask): Promise<readonly string[]>;
  /** Stops all; the outbox rows stay. Resolves when no file is being written any more. */
  stop(): Promise<void>;
}

/** The effects of one session. */
export interface SessionEffects {
  /** Whether one runs, or can run as things are. */
  isBusy(): boolean;
  /** Resolves when `holds`, which is asked after each durable step, or when none can run any more. */
  until(holds: () => boolean): Promise<void>;
  /** Takes in what somebody changed on the page; resolves when that is durable. */
  lookAtPage(): Promise<void>;
  /** Masks a text in the documents of the session, after all that is being written; gives the files. */
  redactDocuments(mask: Mask): Promise<readonly string[]>;
  /** Resolves when every step asked for is durable and none can run any more. */
  settled(): Promise<void>;
}

/** Who was late with a write decides again; any other failure is told. */
function unlessBehindOthers(error: unknown): void {
  if (!isEngineError(error, 'CONFLICT')) throw error;
}

/** The effects over a store, none of them running yet. */
export function newEffects(dependencies: {
  store: RecordStore;
  clock: Clock;
  options: EffectOptions;
  summarizers: ReadonlyMap<string, Summarizer>;
  /** Where checkpoint documents go; null for nowhere. */
  documents: string | null;
}): Effects {
  const { store, clock, summarizers } = dependencies;
  let stopped = false;
  const watchers = new Set<() => void>();
  const ends = newEffectEnds(clock);
  const { endEffect } = ends;
  const timers = newTimers<LiveSession>({
    clock,
    fire: (live, { key }) => void endEffect(live, { type: 'fire', key }),
  });
  const tellWatchers = (): void => watchers.forEach((watcher) => watcher());
  const folder = dependencies.documents;
  const writer = newDocumentWriter({ store, clock, folder, endEffect, onOver: tellWatchers });
  const jobs = newSummaryJobs({ ...dependencies, endEffect, onOver: pump });

  function pump(live: LiveSession): void {
    if (stopped) return;
    // What a state owes that may not be so is known once it is read again.
    if (!live.isBehind) {
      timers.pump(live);
      writer.pump(live);
      jobs.pump(live);
    }
    tellWatchers();
  }

  function isBusy(live: LiveSession): boolean {
    if (stopped || live.isBroken || live.isNew) return false;
    if (live.state.timers.size > 0 || writer.isBusy(live)) return true;
    return live.state.outbox.size > 0 && summarizers.has(live.state.options.summarizer);
  }

  function of(live: LiveSession): SessionEffects {
    const until = (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (isBusy(live) && !holds()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      });
    return {
      isBusy: () => isBusy(live),
      until,
      lookAtPage: () => writer.look(live),
      redactDocuments: (mask) => writer.redact(live.id, mask),
      async settled() {
        await live.inTurn(() => undefined);
        do {
          await until(() => live.isBehind);
          if (live.isBehind) await live.written.catch(unlessBehindOthers);
          await live.inTurn(() => undefined);
          await live.written;
        } while (isBusy(live));
      },
    };
  }

  return {
    pump,
    isBusy,
    of,
    redactDocuments: (session, mask) => writer.redact(session, mask),
    stop() {
      stopped = true;
      ends.stop();
      jobs.stop();
      timers.stop();
      tellWatchers();
      return writer.stop();
    },
  };
}
