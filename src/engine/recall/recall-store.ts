import type { Count } from '../../core/messages/token-count.ts';
import { fail } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import { defaultEncoding } from '../../core/budget/options.ts';
import {
  topMatches,
  addTermCounts,
  countTerms,
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
import type { SessionHeader } from '../journal/sessions/session-header.ts';
import { rowsPastDamage } from '../../store/past-damage.ts';
import type { KeptLogs } from './kept-logs.ts';
import { framesOf } from './frames/packed-frames.ts';
import { refuseLost, tellLost, type OnLostIn } from './recall-lost.ts';
import { asksOfEntries, entryFilter, type Log, type MatchedLog } from './recall-filter.ts';
import { phrasesIn } from '../../core/search/phrases.ts';
import { limitsOf, matchesPerHit, queryTerms, toHits, type Hit, type HitCopy } from './recall.ts';
import { checkStoreRecall, type StoreRecallOptions } from './recall-options.ts';
import { bestMatches, weightsFor, type SaidMatch } from './said-matches.ts';
import type { SearchIndexes } from './search-indexes.ts';
import { notedHead, readShortLogs } from './short-logs.ts';

/** An entry of some session that answers a query, or a frame. */
export interface StoreHit extends Hit {
  /** Id of the session. */
  readonly session: string;
  /** The same entry in other sessions, as a fork or a second import has it: no hits of their own; left out where there is none. */
  readonly copies?: readonly HitCopy[];
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
  searched: CountedStore,
  query: string,
  options: StoreRecallOptions,
): Promise<StoreHit[]> {
  const of = { options, perHit: matchesPerHit };
  const { limit, ofLogs, give } = await matchesInStore(searched, query, of);
  return give(topMatches(ofLogs.flat(), limit * matchesPerHit));
}

/** A store that is searched, and what counts the texts that are given of it; exactly, unless told. */
export type CountedStore = SearchedStore & { readonly count?: Count };

/** A match of an entry, or a frame, in some session. */
export type StoreMatch = SaidMatch & { readonly log: MatchedLog };

/** What answers a query, before its text is read. */
interface StoreMatches {
  /** The most hits that are given. */
  readonly limit: number;
  /** Those of each session that has any, the best first. */
  readonly ofLogs: readonly (readonly StoreMatch[])[];
  /** The hits for some of them, in the order given, within the limits of the recall. */
  readonly give: (matches: readonly StoreMatch[]) => Promise<StoreHit[]>;
}

/** What answers a query in the sessions of a store, of each at most `perHit` for each hit that is asked for. Throws as {@link recallInStore}. */
export async function matchesInStore(
  { count, ...searched }: CountedStore,
  query: string,
  { options, perHit }: { readonly options: StoreRecallOptions; readonly perHit: number },
): Promise<StoreMatches> {
  checkStoreRecall(query, options);
  const { limit, tokens } = limitsOf(options);
  const { signal, onLost: tell } = options;
  const onLost: OnLostIn =
    tell === undefined ? refuseLost : (lost, log) => tell({ session: log.session, ...lost });
  signal?.throwIfAborted();
  const terms = queryTerms(query);
  const { tally, matching } = await matchingLogs(searched, terms, { filter: options, onLost });
  const sought = { terms, phrases: phrasesIn(query) };
  const weights = weightsFor(sought, tally);
  const ofLogs: StoreMatch[][] = [];
  for (const { log, searched, isMeant } of matching) {
    const by = { weights, extent: tally.extent, limit: limit * perHit, isMeant };
    const best = await bestMatches(searched, by, { sought, log, onLost });
    signal?.throwIfAborted();
    if (best.length > 0) ofLogs.push(best.map((match) => ({ ...match, log })));
  }
  const worth = new Map(weights.map(({ index, weight }) => [terms[index]!, weight]));
  return {
    limit,
    ofLogs,
    async give(matches) {
      const exact = count ?? (await loadTokenizer(defaultEncoding)).count;
      const hits = await toHits(matches, { limit, tokens, count: exact, worth, onLost });
      return hits.map(({ hit, log, copies }) => ({
        session: log.session,
        ...hit,
        ...(copies.length > 0 && { copies }),
      }));
    },
  };
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

async function* someLogs(
  source: LogSource,
  sessions: readonly string[],
): AsyncGenerator<SourceLog> {
  const { records, isKept } = source;
  const ids = sessions
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
  const created =
    header?.created ??
    (await (await import('./frames/stored-frames.ts')).createdAt(records, session));
  const index = searches.of(session, created);
  const { rest } = header ?? {};
  // Where it rests and how far it had come was noted there, neither is to be looked for.
  const head = header && notedHead(records, { session, header });
  const upTo = head?.[1] ?? (await lastEntry(records, session));
  const last = head ? journalKey(session, head[0]) : await lastRecord(records, session);
  // Where it rests, its header tells whether a frame of it says anything.
  const isBare = rest?.frames === 0 && last === journalKey(session, rest.seq);
  const log = { store: records, session, index, upTo };
  if (isBare) return { log, isBare };
  const frames = await framesOf(records, created, { session, index, last, upTo });
  return { log: { ...log, ...(frames && { frames }) }, isBare };
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
