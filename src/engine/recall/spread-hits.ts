import { topMatches } from '../../core/search/rank.ts';
import { matchesPerHit } from './recall.ts';
import type { StoreRecallOptions } from './recall-options.ts';
import { matchesInStore, type CountedStore, type StoreHit } from './recall-store.ts';

// Ten hits of one long session are no answer to where something was said. So a search over several sessions
// gives a few of each while others have any. It chooses before a text is read.

/** Hits of a session that are given while others have some, at least. */
const leastOfSession = 3;
/** Share of all hits that one session may have while others have some. */
const mostShare = 0.3;
/** How many times as many matches of a session are counted as hits are given. */
const further = 5;

/** What is given of what was found. */
export interface SpreadHits {
  /** The best first. */
  readonly hits: readonly StoreHit[];
  /** Whether better ones gave way to those of other sessions. */
  readonly isSpread: boolean;
  /** How many hits of a session were found besides, by its id. */
  readonly more: ReadonlyMap<string, MoreHits>;
}

/** Hits that are not given. */
export interface MoreHits {
  readonly count: number;
  /** Whether there may be more than that. */
  readonly isLeast: boolean;
}

/** The best hits of several sessions, few of each while others have some. Throws as `recallInStore`. */
export async function spreadHits(
  searched: CountedStore,
  query: string,
  options: StoreRecallOptions,
): Promise<SpreadHits> {
  const of = { options, perHit: further };
  const { limit, ofLogs, give } = await matchesInStore(searched, query, of);
  const looked = limit * matchesPerHit;
  const few = Math.max(leastOfSession, Math.floor(limit * mostShare));
  const first = topMatches(
    ofLogs.flatMap((matches) => matches.slice(0, few)),
    looked,
  );
  const best = topMatches(ofLogs.flat(), looked);
  const chosen = [...first, ...best.filter((match) => !first.includes(match))];
  const hits = (await give(chosen)).sort((one, other) => other.score - one.score);
  const more = new Map<string, MoreHits>();
  let allCount = 0;
  for (const matches of ofLogs) {
    const { session } = matches[0]!.log;
    const own = hits.filter((hit) => hit.session === session);
    const ownCount = own.reduce((sum, { same }) => sum + 1 + same.length, 0);
    allCount += own.reduce((sum, { copies = [] }) => sum + copies.length, ownCount);
    const isLeast = matches.length >= limit * further;
    if (matches.length > ownCount) more.set(session, { count: matches.length - ownCount, isLeast });
  }
  const isSpread = (hits.at(-1)?.score ?? 0) < (best[allCount - 1]?.score ?? 0);
  return { hits, isSpread, more };
}
