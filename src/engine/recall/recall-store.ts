import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { fail, isEngineError } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import { defaultEncoding } from '../../core/budget/options.ts';
import {
  topMatches,
  bestEntries,
  addTermCounts,
  countTerms,
  weightsOf,
  type EntryFilter,
  type SearchedSegment,
  type TermCount,
} from '../../core/search/rank.ts';
import {
  journalKey,
  parseEntryKey,
  parseSessionKey,
  sessionKey,
  sessionRange,
  sessionsRange,
} from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { loadTokenizer } from '../../tokenizer/tiktoken.ts';
import { readState } from '../journal/load.ts';
import type { SessionHeader } from '../journal/session-header.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import { frameRecords } from './frame-records.ts';
import type { KeptLogs } from './kept-logs.ts';
import { refuseLost, tellLost, type OnLostIn } from './recall-lost.ts';
import { asksOfEntries, entryFilter, type Log, type MatchedLog } from './recall-filter.ts';
import { limitsOf, matchesPerHit, queryTerms, toHits, type Hit } from './recall.ts';
import { checkStoreRecall, type StoreRecallOptions } from './recall-options.ts';
import type { SearchIndex } from './search-index.ts';
import type { SearchIndexes } from './search-indexes.ts';
import { notedHead, readShortLogs } from './short-logs.ts';

/** An entry of some session that answers a query, or a frame. */
export interface StoreHit extends Hit {
  /** Id of the session. */
  readonly session: string;
}

/** A log that holds a term of the query. */
interface MatchingLog {
  /** Its place among those that were asked for. */
  readonly place: number;
  readonly log: MatchedLog;
  readonly searched: readonly SearchedSegment[];
  /** Whether an entry, or a frame, may be found. */
  readonly isMeant: EntryFilter;
}

/** What a store is searched by: its records, the indexes of its sessions, and what others made of them that is kept. */
export interface SearchedStore {
  readonly records: RecordStore;
  readonly searches: SearchIndexes;
  readonly kept?: KeptLogs | null;
}

/** The entries and frames of all sessions, or of one, that answer a query; a term is as rare as it is in all of them together. Counts exactly unless `count` is given; throws `SESSION_NOT_FOUND` and `OPTION_INVALID`. */
export async function recallInStore(
  { count, ...searched }: SearchedStore & { readonly count?: Count },
  query: string,
  options: StoreRecallOptions,
): Promise<StoreHit[]> {
  checkStoreRecall(query, options);
  const { limit, tokens } = limitsOf(options);
  const { signal, onLost: tell } = options;
  const onLost: OnLostIn =
    tell === undefined ? refuseLost : (lost, log) => tell({ session: log.session, ...lost });
  signal?.throwIfAborted();
  const terms = queryTerms(query);
  const { tally, matching } = await matchingLogs(searched, terms, { filter: options, onLost });
  const weights = weightsOf(tally);
  const most = limit * matchesPerHit;
  const matches = matching.flatMap(({ log, searched, isMeant }) =>
    bestEntries(searched, { weights, extent: tally.extent, limit: most, isMeant }).map(
      ({ n, score, piece }) => ({ n, score, piece, log }),
    ),
  );
  const worth = new Map(weights.map(({ index, weight }) => [terms[index]!, weight]));
  const hits = await toHits(topMatches(matches, most), {
    limit,
    tokens,
    count: count ?? (await loadTokenizer(defaultEncoding)).count,
    worth,
    onLost,
  });
  return hits.map(([hit, log]) => ({ session: log.session, ...hit }));
}

/** The logs that hold any of some terms, in the order in which they were asked for, and how often each term is held. */
export async function matchingLogs(
  searched: SearchedStore,
  terms: readonly string[],
  { filter, onLost }: { readonly filter: StoreRecallOptions; readonly onLost: OnLostIn },
): Promise<{ readonly tally: TermCount; readonly matching: readonly MatchingLog[] }> {
  const { kept } = searched;
  const known = new Map<string, number>();
  const matching: MatchingLog[] = [];
  let tally: TermCount = countTerms([], terms.length);
  for await (const { log, place, isBare } of unkeptLogs(searched, filter.session, known)) {
    const { searched, isMeant } = await searchedIn(log, terms, filter);
    await tellLost(log, onLost);
    filter.signal?.throwIfAborted();
    if (isBare) kept?.add(log.session, log.index.short);
    const here = countTerms(searched, terms.length);
    tally = addTermCounts(tally, here);
    if (here.holding.some((pieces) => pieces > 0)) matching.push({ place, log, searched, isMeant });
  }
  const found = kept?.find(known, terms);
  if (found !== undefined) tally = addTermCounts(tally, found.tally);
  for (const match of found?.matches ?? []) {
    const of = { log: match.log, filter };
    const isMeant = asksOfEntries(filter) ? await entryFilter(match.searched, of) : isAny;
    matching.push({ ...match, isMeant });
  }
  // Of entries that answer alike, the place of their sessions decides.
  matching.sort((one, other) => one.place - other.place);
  return { tally, matching };
}

/** The logs of all sessions, or of those asked for, but what is kept of them counts: those are put into `known`, each with its place. */
export function unkeptLogs(
  { records, searches, kept }: SearchedStore,
  session: StoreRecallOptions['session'],
  known: Map<string, number>,
): AsyncIterable<SourceLog> {
  const ids = session === undefined ? null : [session].flat();
  // One that is named twice is searched twice.
  const isOnce = new Set(ids).size === (ids?.length ?? 0);
  const isKept = (id: string, place: number): boolean => {
    const is = isOnce && kept?.has(id) === true;
    if (is) known.set(id, place);
    return is;
  };
  const of = { records, searches, isKept };
  return ids === null ? allLogs(of) : someLogs(of, ids);
}

const isAny: EntryFilter = () => true;

/** What a log holds of some terms, and its frames do where a filter does not ask for what only entries have. */
async function searchedIn(
  log: Log,
  terms: readonly string[],
  filter: StoreRecallOptions,
): Promise<Pick<MatchingLog, 'searched' | 'isMeant'>> {
  if (terms.length === 0) return { searched: [], isMeant: isAny };
  const { index, upTo, frames } = log;
  const found = await index.whole(async () => {
    const searched = await index.find(terms, upTo, filter.signal);
    return { searched, isEntry: await entryFilter(searched, { log, filter }) };
  });
  const framed = asksOfEntries(filter) ? [] : ((await frames?.find(terms)) ?? []);
  return {
    searched: [...found.searched, ...framed],
    isMeant: (n) => n > upTo || found.isEntry(n),
  };
}

/** Where logs are read from, and which need not be. */
interface LogSource {
  readonly records: RecordStore;
  readonly searches: SearchIndexes;
  readonly isKept: (session: string, place: number) => boolean;
}

/** A log that is searched, and whether it rests and none of its frames says anything. */
export interface SourceLog {
  readonly log: Log;
  readonly place: number;
  readonly isBare: boolean;
}

async function* someLogs(source: LogSource, asked: readonly string[]): AsyncGenerator<SourceLog> {
  const { records, isKept } = source;
  const ids = asked
    .map((session, place) => ({ session, place }))
    .filter(({ session, place }) => !isKept(session, place));
  for (let at = 0; at < ids.length; at += largestPage) {
    const page = ids.slice(at, at + largestPage);
    const keys = page.map(({ session }) => sessionKey(toSessionId(session)));
    const rows = await records.getMany('session', keys);
    const logs = page.map(({ session, place }, index) => {
      const header = rows[index] as SessionHeader | undefined;
      if (header !== undefined) return { session, place, header };
      throw fail('SESSION_NOT_FOUND', `There is no session "${session}"`, { session });
    });
    await readShortLogs(source, logs);
    for (const { place, ...log } of logs) yield { ...(await logOf(source, log)), place };
  }
}

/** Headers that are read together. */
const largestPage = 1_024;

async function* allLogs(source: LogSource): AsyncGenerator<SourceLog> {
  const { records, isKept } = source;
  let place = 0;
  for await (const { key, value } of rowsPastDamage(records, 'session', sessionsRange())) {
    place += 1;
    const one = { session: parseSessionKey(key), header: value as SessionHeader | undefined };
    if (!isKept(key, place)) yield { ...(await logOf(source, one)), place };
  }
}

async function logOf(
  { records, searches }: LogSource,
  { session, header }: { readonly session: string; readonly header: SessionHeader | undefined },
): Promise<Omit<SourceLog, 'place'>> {
  const created = header?.created ?? (await createdAt(records, session));
  const index = searches.of(session, created);
  const { rest } = header ?? {};
  // Where it rests and how far it had come was noted there, neither is to be looked for.
  const head = header && notedHead(records, { session, header });
  const upTo = head?.[1] ?? (await lastEntry(records, session));
  const last = head ? journalKey(session, head[0]) : await lastRecord(records, session);
  // Where it rests, its header tells whether a frame of it says anything.
  const isBare = rest?.frames === 0 && last === journalKey(session, rest.seq);
  const state = isBare ? null : await framesOf(records, session, { index, last });
  const frames = state === null ? {} : { frames: frameRecords({ state, store: records }, upTo) };
  return { log: { store: records, session, index, upTo, ...frames }, isBare };
}

/** When a session was made whose header is damaged, by its journal; 0 where that cannot be read either. */
async function createdAt(records: RecordStore, session: string): Promise<number> {
  try {
    return (await readState(records, session))?.state.created ?? 0;
  } catch (error) {
    if (isEngineError(error)) return 0;
    throw error;
  }
}

type StoredFrames = Pick<State, 'session' | 'created' | 'frames'>;

/** The frames of the sessions searched last, each with the key of the last journal record then. */
const readFrames = new WeakMap<
  SearchIndex,
  { readonly last: string; readonly state: StoredFrames }
>();

/** The frames of a session that are durable; null where its journal cannot be read, so that its entries are found. */
async function framesOf(
  records: RecordStore,
  session: string,
  { index, last }: { readonly index: SearchIndex; readonly last: string },
): Promise<StoredFrames | null> {
  const known = readFrames.get(index);
  if (known?.last === last) return known.state;
  try {
    const stored = await readState(records, session);
    if (stored === null) return null;
    const { created, frames } = stored.state;
    const state = { session, created, frames };
    readFrames.set(index, { last, state });
    return state;
  } catch (error) {
    if (isEngineError(error)) return null;
    throw error;
  }
}

/** The key of the last record of a session's journal that is durable. */
async function lastRecord(records: RecordStore, session: string): Promise<string> {
  const newest = sessionRange(session, { reverse: true, limit: 1 });
  for await (const [key] of records.range('journal', newest)) return key;
  return '';
}

/** The position of the last entry that is durable; 0 where there is none. */
async function lastEntry(records: RecordStore, session: string): Promise<number> {
  const newest = sessionRange(session, { reverse: true, limit: 1 });
  for await (const [key] of records.range('entry', newest)) return parseEntryKey(key).n;
  return 0;
}
