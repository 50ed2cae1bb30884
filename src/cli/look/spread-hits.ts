import type { Hit } from '../../index.ts';

// Ten hits of one long session are no answer to where something was said. So a search over several sessions looks
// further than it shows, and shows a few of each while others have any.

/** A hit, and the session it is in. */
export type FoundHit = Hit & { readonly session: string };

/** Hits of a session that are shown while others have some, at least. */
const leastOfSession = 3;
/** Share of all hits that one session may have while others have some. */
const mostShare = 0.3;
/** How many times as many hits are looked at as are shown. */
const further = 5;

/** What is shown of what was found. */
export interface SpreadHits {
  /** The best first. */
  readonly hits: readonly FoundHit[];
  /** Whether better ones gave way to those of other sessions. */
  readonly isSpread: boolean;
  /** How many hits of a session were found besides, by its id. */
  readonly more: ReadonlyMap<string, number>;
  /** Whether there may be more than that. */
  readonly isCut: boolean;
}

/** Gives the best hits in some sessions, the best first. */
type Look = (ids: readonly string[], limit: number) => Promise<readonly FoundHit[]>;

/** The best hits of several sessions, few of each while others have some; a session of which all that was looked at is left out is asked for apart. */
export async function spreadHits(
  ids: readonly string[],
  limit: number,
  look: Look,
): Promise<SpreadHits> {
  const wide = limit * further;
  const found = await look(ids, wide);
  const seen = new Set(found.map(({ session }) => session));
  const others = found.length < wide ? [] : ids.filter((id) => !seen.has(id));
  const all = others.length === 0 ? found : [...found, ...(await look(others, limit))];
  const hits = shownOf(all, limit);
  const more = new Map<string, number>();
  for (const { session } of all.filter((hit) => !hits.includes(hit)))
    more.set(session, (more.get(session) ?? 0) + 1);
  const isSpread = hits.some((hit, at) => hit !== all[at]);
  return { hits, isSpread, more, isCut: found.length >= wide };
}

/** Few of each session first, then what is best of the rest; in the order in which they were found. */
function shownOf(all: readonly FoundHit[], limit: number): readonly FoundHit[] {
  const most = Math.max(leastOfSession, Math.floor(limit * mostShare));
  const counts = new Map<string, number>();
  const few = new Set<FoundHit>();
  for (const hit of all) {
    const count = counts.get(hit.session) ?? 0;
    if (count < most && few.size < limit) few.add(hit);
    counts.set(hit.session, count + 1);
  }
  const rest = all.filter((hit) => !few.has(hit)).slice(0, limit - few.size);
  return all.filter((hit) => few.has(hit) || rest.includes(hit));
}
