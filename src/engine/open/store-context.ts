import type { RecordStore } from '../../store/store.ts';
import { loadedTokenizer, loadTokenizer } from '../../tokenizer/tiktoken.ts';
import type { Encoding } from '../../tokenizer/tokenizer.ts';
import { newEffects, type Effects } from '../effects/effects.ts';
import { load } from '../journal/load.ts';
import { systemClock, type Clock } from '../live/clock.ts';
import { isCounting } from '../live/counting.ts';
import { newReadAhead } from '../live/read-ahead.ts';
import { LiveSession, type LiveDependencies } from '../live/live-session.ts';
import { newLiveSessions, type LiveSessions } from '../live/live-sessions.ts';
import { newSearchIndexes, type SearchIndexes } from '../recall/search-indexes.ts';
import { toStanding } from '../time-travel/inspect-again.ts';
import { newStoreInspector, type StoreInspector } from './store-inspector.ts';
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
  /** Null where nobody inspects. */
  readonly inspector: StoreInspector | null;
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
    summarizers: summarizers.byName,
    documents,
  });
  const searches = newSearchIndexes(records);
  const readAhead = newReadAhead();
  const { inspect, inspectText: text = false } = options;
  const inspector = inspect === undefined ? null : newStoreInspector(inspect, { text, clock });
  const dependencies: LiveDependencies = {
    store: records,
    clock,
    tokenizer: (name) => loadedTokenizer(name as Encoding),
    load: (name) => loadTokenizer(name as Encoding),
    maxQueued,
    documents: documents !== null,
    onWritten(live) {
      effects.pump(live);
      if (!live.isBroken && !live.isNew) {
        searches.update(live);
        readAhead(live);
      }
      sessions.sweep(live);
    },
    onStep: inspector && inspector.tell,
  };
  const sessions = newLiveSessions(
    async (id) => {
      const loaded = await load(records, id);
      if (loaded !== null) inspector?.tell(toStanding(loaded.state));
      const live = new LiveSession(id, loaded, dependencies);
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
    inspector,
  };
}
