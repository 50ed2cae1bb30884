import type { RecordStore } from '../../store/store.ts';
import { loadedTokenizer, loadTokenizer } from '../../tokenizer/tiktoken.ts';
import type { Encoding } from '../../tokenizer/tokenizer.ts';
import { systemClock, type Clock } from '../live/clock.ts';
import { isCounting } from '../live/counting.ts';
import { runEffects, type Effects } from '../effects/effects.ts';
import { LiveSession } from '../live/live-session.ts';
import { newLives, type LiveSessions } from '../live/live-sessions.ts';
import { load } from '../journal/load.ts';
import { newSearches, type SearchIndexes } from '../recall/search-indexes.ts';
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
  readonly lives: LiveSessions;
  /** Calls that may wait in one session. */
  readonly maxQueued: number;
  /** Where checkpoint documents go; null for nowhere. */
  readonly documents: string | null;
}

/** The workings of a store over its records. */
export function toWorkings(records: RecordStore, options: StoreOptions): StoreContext {
  const { clock = systemClock, maxQueued = 10_000 } = options;
  const effectOptions = { concurrency: 4, timeout: 120_000, ...options.effects };
  const documents = options.documents || null;
  const summarizers = newSummarizers(options.summarizers ?? []);
  const effects = runEffects({
    store: records,
    clock,
    options: effectOptions,
    summarizers: summarizers.known,
    documents,
  });
  const searches = newSearches(records);
  const around = {
    store: records,
    clock,
    tokenizer: (name: string) => loadedTokenizer(name as Encoding),
    load: (name: string) => loadTokenizer(name as Encoding),
    maxQueued,
    documents: documents !== null,
    onWritten(one: LiveSession) {
      effects.pump(one);
      searches.note(one);
      lives.sweep(one);
    },
  };
  const lives = newLives(
    async (id) => new LiveSession(id, await load(records, id), around),
    (one) => effects.isBusy(one) || isCounting(one),
  );
  const { timeout } = effectOptions;
  return { records, clock, summarizers, effects, timeout, searches, lives, maxQueued, documents };
}
