import type { Message } from '../../core/messages/message.ts';
import { roughCount } from '../../core/messages/token-count.ts';
import { fail } from '../../core/values/error.ts';
import { ordinal, toEntryId } from '../../core/values/id.ts';
import { checkArgument } from '../../core/values/validation.ts';
import { entryKey } from '../../store/key.ts';
import type { RecordStore, StoreHost } from '../../store/store.ts';
import {
  listSessions,
  sessionsOptions,
  type SessionsOptions,
  type SessionSummary,
} from '../journal/sessions/list-sessions.ts';
import type { EntryRow } from '../journal/load.ts';
import { outlineSessions, type SessionOutline } from '../journal/sessions/session-outlines.ts';
import type { MissingWord } from '../recall/missing-words.ts';
import type { StoreRecallOptions } from '../recall/recall-options.ts';
import type { StoreHit } from '../recall/recall-store.ts';
import type { KeptLogs } from '../recall/kept-logs.ts';
import type { SpreadHits } from '../recall/spread-hits.ts';
import type { SearchIndexes } from '../recall/search-indexes.ts';
import type { SessionStatus } from './read-status.ts';
import { noteRecords } from './open-records.ts';
import { hostOf, place } from './place.ts';

/** What lists and searches a store. */
export interface StoreReader extends AsyncDisposable {
  /** The folder, or `:memory:`. */
  readonly location: string;
  /** The sessions of the store, by id. */
  sessions(options?: SessionsOptions): AsyncIterable<SessionSummary>;
  /** Entries and frames of all sessions, or of one, that answer a query, the best first; rejects with `SESSION_NOT_FOUND`, and `OPTION_INVALID`. */
  recall(query: string, options?: StoreRecallOptions): Promise<StoreHit[]>;
}

/**
 * A reader that lists at once, and excerpts without a vocabulary.
 *
 * @internal
 */
export interface LightReader extends StoreReader {
  /** The sessions in outline, at once: thousands that are told whole and one by one take several times as long. */
  list(): Promise<readonly SessionOutline[]>;
  /** What {@link recall} finds, of several sessions few of each while others have some. Unless `isCounted`, excerpts keep to the budget by about and their `tokens` are about right: that loads no vocabulary. */
  find(
    query: string,
    options: StoreRecallOptions & { readonly isCounted?: boolean },
  ): Promise<SpreadHits>;
  /** The words of a query that stand nowhere as they were typed, in all sessions or in some. */
  missing(
    query: string,
    options: Pick<StoreRecallOptions, 'session' | 'signal'>,
  ): Promise<readonly MissingWord[]>;
  /** How full a session is; null where that is known only once it is opened. */
  status(session: string): Promise<SessionStatus | null>;
  /** What was said in an entry of a session; undefined where there is none. */
  entry(session: string, id: string): Promise<Message | undefined>;
}

/**
 * Opens a store to list and to search it, as it is now, whoever writes there. It opens no session, so that
 * nothing is loaded that this takes: a program that does no more starts in a third of the time. Rejects as `openStore`.
 */
export function openReader(location: string | StoreHost): Promise<StoreReader> {
  return openLightReader(location);
}

/**
 * {@link openReader}, for the command line.
 *
 * @internal
 */
export async function openLightReader(location: string | StoreHost): Promise<LightReader> {
  checkArgument('location', location, place);
  const host = typeof location === 'string' ? hostOf(location) : location;
  const records = await host.open({
    durability: 'power',
    create: false,
    readOnly: true,
    isListed: true,
  });
  let loaded: Promise<Searched> | undefined;
  const searched = (): Promise<Searched> => (loaded ??= loadSearched(records));
  const ended = new AbortController();
  const check = (): void => {
    if (ended.signal.aborted) throw closed(records.location);
  };
  const reader: LightReader = {
    location: records.location,
    ...readsOf({ records, searched }, check),
    async list() {
      check();
      return outlineSessions(records);
    },
    async find(query, { isCounted = false, ...options }) {
      check();
      const { spreadHits } = await import('../recall/spread-hits.ts');
      const count = isCounted ? {} : { count: roughCount };
      return spreadHits({ records, ...(await searched()), ...count }, query, options);
    },
    async missing(query, options) {
      check();
      const { missingWords } = await import('../recall/missing-words.ts');
      return missingWords({ records, ...(await searched()) }, query, options);
    },
    async status(session) {
      check();
      const { readStatus } = await import('./read-status.ts');
      return readStatus(records, session);
    },
    async entry(session, id) {
      check();
      const row = await records.get('entry', entryKey(session, ordinal(toEntryId(id))));
      return (row as EntryRow | undefined)?.message;
    },
    async [Symbol.asyncDispose]() {
      if (ended.signal.aborted) return;
      ended.abort();
      try {
        const { searches, kept } = (await loaded) ?? {};
        await searches?.stop();
        await kept?.save();
      } finally {
        await records.close();
      }
    },
  };
  noteRecords(reader, { records, users: new Set(), check });
  return reader;
}

/** What searches go by, and what others made that is kept. */
interface Searched {
  readonly searches: SearchIndexes;
  readonly kept?: KeptLogs | null;
}

/** The indexes of a reader, which are loaded by who searches alone. It ends soon: what a search read is there for the next, of however many sessions. */
async function loadSearched(records: RecordStore): Promise<Searched> {
  const { newSearchIndexes } = await import('../recall/search-indexes.ts');
  const { readKeptLogs } = await import('../recall/kept-logs.ts');
  const searches = newSearchIndexes(records, Number.POSITIVE_INFINITY);
  return { searches, kept: await readKeptLogs(records) };
}

/** What a store does for whoever only reads it; `check` throws where it is closed. */
export function readsOf(
  {
    records,
    searched,
  }: {
    readonly records: RecordStore;
    readonly searched: () => Searched | Promise<Searched>;
  },
  check: () => void,
): Pick<StoreReader, 'sessions' | 'recall'> {
  return {
    async *sessions(options = {}) {
      check();
      checkArgument('options', options, sessionsOptions);
      for await (const page of listSessions(records, options)) for (const one of page) yield one;
    },
    async recall(query, options = {}) {
      check();
      const { recallInStore } = await import('../recall/recall-store.ts');
      return recallInStore({ records, ...(await searched()) }, query, options);
    },
  };
}

/** The refusal of a store that is closed. */
export const closed = (location: string): Error =>
  fail('STORE_CLOSED', `The store at ${location} is closed`, { location });
