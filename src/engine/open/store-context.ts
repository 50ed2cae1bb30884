import type { RecordStore } from '../../store/store.ts';
import { loadedTokenizer, loadTokenizer } from '../../tokenizer/tiktoken.ts';
import type { Encoding } from '../../tokenizer/tokenizer.ts';
import { newEffects, type Effects } from '../effects/effects.ts';
import { load } from '../journal/load.ts';
import { systemClock, type Clock } from '../live/clock.ts';
import { isCounting } from '../live/counting.ts';
import { LiveSession, type LiveDependencies } from '../live/live-session.ts';
import { newLiveSessions, type LiveSessions } from '../live/live-sessions.ts';
import { newSearchIndexes, type SearchIndexes } from '../recall/search-indexes.ts';
import type { StoreOptions } from './store-options.ts';
import { newSummarizers, type Summarizers } from './summarizers.ts';

/** What the sessions of an open store share. */
export interface StoreContext {
  readonly records: RecordStore;
  readonly clock: Clock;
  readonly summarizers: Summarizers;
  readonly effects: Effects;
  /** How long an effect may take, in milliseconds. */
  readonly timeout: number;
  readonly searches: SearchIndexes;
  readonly sessions: LiveSessions;
  /** Calls that may wait in one session. */
  readonly maxQueued: number;
  /** Where checkpoint documents go; null for nowhere. */
  readonly documents: string | null;
}

/** The context of a store over `records`. */
export function toContext(records: RecordStore, options: StoreOptions): StoreContext {
  const { clock = systemClock, maxQueued = 10_000 } = options;
  const effectOptions = { concurrency: 4, timeout: 120_000, ...options.effects };
  const documents = options.documents || null;
  const summarizers = newSummarizers(options.summarizers ?? []);
  const effects = newEffects({
    store: records,
    clock,
    options: effectOptions,
    summarizers: summarizers.known,
    documents,
  });
  const searches = newSearchIndexes(records);
  const dependencies: LiveDependencies = {
    store: records,
    clock,
    tokenizer: (name) => loadedTokenizer(name as Encoding),
    load: (name) => loadTokenizer(name as Encoding),
    maxQueued,
    documents: documents !== null,
    onWritten(live) {
      effects.pump(live);
      if (!live.isBroken && !live.isNew) searches.update(live);
      sessions.sweep(live);
    },
  };
  const sessions = newLiveSessions(
    async (id) => {
      const live = new LiveSession(id, await load(records, id), dependencies);
      await live.restart();
      return live;
    },
    (live) => effects.isBusy(live) || isCounting(live),
  );
  const { timeout } = effectOptions;
  return {
    records,
    clock,
    summarizers,
    effects,
    timeout,
    searches,
    sessions,
    maxQueued,
    documents,
  };
}
