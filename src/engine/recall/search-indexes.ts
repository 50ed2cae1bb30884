import type { RecordStore } from '../../store/store.ts';
import { segmentSize } from '../../store/search-tail.ts';
import type { LiveSession } from '../live/live-session.ts';
import { SearchIndex } from './search-index.ts';

/** The search indexes of a store's sessions. */
export interface SearchIndexes {
  /** The index of a session that was made at `created`, in milliseconds since 1970. */
  of(session: string, created: number): SearchIndex;
  /** Hears that a session was written to; writes its next segments in the background when there are entries enough. */
  note(live: LiveSession): void;
  /** Stops what runs in the background, and resolves when it has stopped. */
  stop(): Promise<void>;
}

/** Tokens after which a segment may be complete though it has few entries. */
const tokensOfSegment = segmentSize.text / 4;

/** Indexes that stay in memory, those used last; each may hold the end of a log. */
const mostHeld = 32;

/** The indexes over the records of a store. */
export function newSearches(records: RecordStore): SearchIndexes {
  const indexes = new Map<string, { readonly created: number; readonly index: SearchIndex }>();
  const running = new Set<Promise<void>>();
  const seen = new WeakMap<LiveSession, { readonly entries: number; readonly tokens: number }>();
  const ended = new AbortController();

  function of(session: string, created: number): SearchIndex {
    const known = indexes.get(session);
    const index =
      known?.created === created ? known.index : new SearchIndex(records, { session, created });
    indexes.delete(session);
    indexes.set(session, { created, index });
    const [oldest] = indexes.keys();
    if (indexes.size > mostHeld) indexes.delete(oldest!);
    return index;
  }

  /** Whether a segment's worth of entries or tokens was passed since the session was last looked at. */
  function isDue(live: LiveSession): boolean {
    const { entries, tokens } = live.state;
    const before = seen.get(live);
    if (before === undefined) seen.set(live, { entries, tokens });
    if (before === undefined) return false;
    const isPassed =
      passes(before.entries, entries, segmentSize.entries) ||
      passes(before.tokens, tokens, tokensOfSegment);
    if (isPassed) seen.set(live, { entries, tokens });
    return isPassed;
  }

  return {
    of,
    note(live) {
      if (ended.signal.aborted || live.isBroken || live.isNew || !isDue(live)) return;
      const { session, created, entries } = live.state;
      // What fails here is tried again when somebody searches, who is told.
      const work: Promise<void> = live.written
        .then(() => of(session, created).complete(entries, ended.signal))
        .catch(() => undefined)
        .finally(() => running.delete(work));
      running.add(work);
    },
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}

const passes = (before: number, now: number, step: number): boolean =>
  Math.floor(before / step) < Math.floor(now / step);
