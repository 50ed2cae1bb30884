import type { RecordStore } from '../../store/store.ts';
import { segmentSize } from '../../store/search/search-tail.ts';
import type { SessionReader } from '../live/session-access.ts';
import { packFrames } from './frames/frame-records.ts';
import { SearchIndex } from './search-index.ts';

/** The search indexes of a store's sessions. */
export interface SearchIndexes {
  /** The index of a session that was made at `created`, in milliseconds since 1970. */
  of(session: string, created: number): SearchIndex;
  /** Writes the next segments of a session that was written to, in the background, when there are entries enough. */
  update(session: SessionReader): void;
  /** Writes the end of a session that is let go of, where it is long enough, so that the next process does not index it anew. */
  pack(session: SessionReader): Promise<void>;
  /** Forgets the index of a session that is to be deleted; resolves when nothing of it is written any more. */
  end(session: string): Promise<void>;
  /** Stops what runs in the background, and resolves when it has stopped. */
  stop(): Promise<void>;
}

/** Tokens after which a segment may be complete though it has few entries. */
const tokensOfSegment = segmentSize.text / 4;

/** Indexes that stay in memory, those used last; each may hold the end of a log. */
const mostHeld = 32;

/** The indexes over the records of a store; so many stay in memory. */
export function newSearchIndexes(records: RecordStore, held = mostHeld): SearchIndexes {
  const indexes = new Map<string, { readonly created: number; readonly index: SearchIndex }>();
  const running = new Set<Promise<void>>();
  const seen = new WeakMap<SessionReader, { readonly entries: number; readonly tokens: number }>();
  const ended = new AbortController();

  function of(session: string, created: number): SearchIndex {
    const known = indexes.get(session);
    const index =
      known?.created === created ? known.index : new SearchIndex(records, { session, created });
    indexes.delete(session);
    indexes.set(session, { created, index });
    // One at work stays: two of a session would write the same rows.
    if (indexes.size > held) forgetOldest(session);
    return index;
  }

  /** Forgets the one that was used longest ago; `session` is in use. */
  function forgetOldest(session: string): void {
    for (const [id, { index }] of indexes)
      if (index.isIdle) {
        if (id !== session) indexes.delete(id);
        return;
      }
  }

  /** Whether a segment's worth of entries or tokens was passed since the session was last looked at. */
  function isDue(reader: SessionReader): boolean {
    const { entryCount: entries, tokens } = reader.state;
    const before = seen.get(reader);
    const isPassed =
      before !== undefined &&
      (passes(before.entries, entries, segmentSize.entries) ||
        passes(before.tokens, tokens, tokensOfSegment));
    if (isPassed || before === undefined) seen.set(reader, { entries, tokens });
    return isPassed;
  }

  return {
    of,
    update(reader) {
      if (ended.signal.aborted || !isDue(reader)) return;
      const { session, created, entryCount } = reader.state;
      // What fails here is tried again when somebody searches, who is told.
      const work: Promise<void> = reader.written
        .then(() => of(session, created).complete(entryCount, ended.signal))
        .catch(() => undefined)
        .finally(() => running.delete(work));
      running.add(work);
    },
    async pack(reader) {
      if (ended.signal.aborted) return;
      const { state } = reader;
      // What fails here is made when somebody searches, who is told.
      const work: Promise<void> = of(state.session, state.created)
        .pack(state.entryCount, ended.signal)
        .then(() => packFrames(state, records))
        .catch(() => undefined)
        .finally(() => running.delete(work));
      running.add(work);
      await work;
    },
    async end(session) {
      const known = indexes.get(session);
      indexes.delete(session);
      await known?.index.end();
    },
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}

const passes = (before: number, now: number, step: number): boolean =>
  Math.floor(before / step) < Math.floor(now / step);
