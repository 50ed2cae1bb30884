import { entryText } from '../../core/messages/message-text.ts';
import { excerpt } from '../../core/search/excerpt.ts';
import { entryId } from '../../core/values/id.ts';
import { runsOf, shareWithin } from '../../core/search/likeness.ts';
import type { Phrase } from '../../core/search/phrases.ts';
import { countTerms } from '../../core/search/rank.ts';
import { termsIn } from '../../core/search/terms.ts';
import type { Count } from '../../core/messages/token-count.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import { rowsOf } from './matched-rows.ts';
import { entryFilter, withinSpans, type Log, type MatchedLog } from './recall-filter.ts';
import { refuseLost, tellLost, type OnLostIn } from './recall-lost.ts';
import type { RecallOptions } from './recall-options.ts';
import { bestMatches, firstMatches, weightsFor, type SaidMatch } from './said-matches.ts';

/** An entry of the log that answers a query, or a frame whose results, criteria, decisions or artifacts do. */
export interface Hit {
  /** Its id: of an entry (`e42`) or a frame (`f3`). */
  readonly entry: string;
  readonly frame: string;
  readonly role: 'user' | 'assistant' | 'tool' | 'frame';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How well it answers; comparable within one answer only. */
  readonly score: number;
  /** Tokens of `text`. */
  readonly tokens: number;
  /** A slice of what it says, word for word; calls stand behind the content, a line each. */
  readonly text: string;
  /** Whether that is all of it. */
  readonly whole: boolean;
  /** Ids of other results that say nearly the same there, and so are no hits of their own. */
  readonly same: readonly string[];
  /** Id of the last human entry before it, which it was said for; left out where none is near. */
  readonly request?: string;
}

/** Defaults of a recall: hits, and tokens of their texts. */
const recallLimit = 10;
const recallTokens = 2_000;

/** Fewest tokens worth showing of an entry; a smaller budget gives fewer hits. */
const leastShown = 16;

/** Share of what a result says that a better hit says, too, from which it is no hit of its own. */
const mostAlike = 0.8;

/** Matches that are looked at for each hit, since some say the same. */
export const matchesPerHit = 2;

/** Share of what is left of the budget that one entry may take however many follow. */
const mostShare = 0.25;

/** Longest query that is read, in UTF-16 units, and the most terms of it. */
const longestQuery = 20_000;
const mostTerms = 64;

/** Most words of a query that are told to be missing. */
export const mostWords = 16;

/** A match, and the log it is in. */
type Located = SaidMatch & { readonly log: MatchedLog };

/** A phrase, and where it may have been said first; everywhere unless told. */
export interface Origin {
  readonly phrase: Phrase;
  readonly within: readonly PositionSpan[] | undefined;
}

/** The entries of a log that answer a query, the best first, as slices that keep to a budget of tokens. */
export async function recall(
  log: Log,
  query: string,
  options: RecallOptions & {
    readonly count: Count;
    readonly terms?: number;
    /** What a hit says word for word; nothing unless told. */
    readonly phrases?: readonly Phrase[];
    /** What comes before all others where an entry says it, the earliest first, whatever the filter; nothing unless told. */
    readonly origin?: Origin | undefined;
  },
): Promise<Hit[]> {
  const { limit, tokens } = limitsOf(options);
  const { signal, count, phrases = [], origin } = options;
  const onLost: OnLostIn = options.onLost ?? refuseLost;
  const terms = queryTerms(query, options.terms);
  if (terms.length === 0 || limit === 0) return [];
  const { searched, isMeant } = await log.index.whole(async () => {
    const searched = await log.index.find(terms, log.upTo, signal);
    return { searched, isMeant: await entryFilter(searched, { log, filter: options }) };
  });
  await tellLost(log, onLost);
  const framed = (await log.frames?.find(terms)) ?? [];
  signal?.throwIfAborted();
  const all = [...searched, ...framed];
  const tally = countTerms(all, terms.length);
  const sought = { terms, phrases };
  const weights = weightsFor(sought, tally);
  const isWanted = (n: number): boolean => (n > log.upTo ? log.frames!.isMeant(n) : isMeant(n));
  const by = {
    weights,
    extent: tally.extent,
    limit: limit * matchesPerHit,
    isMeant: isWanted,
  };
  const near = await bestMatches(all, by, { sought, log, onLost });
  const first = origin === undefined ? [] : await saidFirst(origin);
  const known = new Set(first.map(({ n }) => n));
  const matches = [...first, ...near.filter(({ n }) => !known.has(n))];
  const located = matches.map((match) => ({ ...match, log }));
  const worth = new Map(weights.map(({ index, weight }) => [terms[index]!, weight]));
  const hits = await toHits(located, { limit, tokens, count, worth, onLost });
  return hits.map(({ hit }) => hit);

  function saidFirst({ phrase, within }: Origin): Promise<readonly SaidMatch[]> {
    const whole = { terms, phrases: [phrase] };
    const ranking = { ...by, weights: weightsFor(whole, tally), isMeant: withinSpans(within) };
    return firstMatches(searched, ranking, { sought: whole, log, onLost });
  }
}

/** The terms of a query, at most `most`, 64 unless told; none where all its words are stop words or single letters. */
export const queryTerms = (query: string, most: number = mostTerms): readonly string[] =>
  termsIn(query.slice(0, longestQuery)).slice(0, most);

/** The limits of a recall. */
export const limitsOf = ({
  limit = recallLimit,
  tokens = recallTokens,
}: Pick<RecallOptions, 'limit' | 'tokens'>): {
  readonly limit: number;
  readonly tokens: number;
} => ({ limit: Math.floor(limit), tokens });

/** A hit, the log it is in, and where other logs have a copy of it. */
interface LocatedHit {
  readonly hit: Hit;
  readonly log: MatchedLog;
  readonly copies: readonly HitCopy[];
}

/** A copy of an entry in another session. */
export interface HitCopy {
  readonly session: string;
  readonly entry: string;
}

/** The hits for matches of one store, the best first; at most `limit`, and as many as the budget of tokens has room for. What was said at the same moment in the same words, as a copy of a session has it, is one hit. */
export async function toHits(
  matches: readonly Located[],
  limits: {
    readonly limit: number;
    readonly tokens: number;
    readonly count: Count;
    readonly worth: ReadonlyMap<string, number>;
    readonly onLost: OnLostIn;
  },
): Promise<readonly LocatedHit[]> {
  const { count, worth } = limits;
  const most = Math.min(limits.limit, Math.floor(limits.tokens / leastShown));
  const looked = matches.slice(0, most * matchesPerHit);
  const rows = await rowsOf(looked, limits.onLost);
  const hits: FoundHit[] = [];
  let left = limits.tokens;
  for (const [index, { n, score, piece, said, log }] of looked.entries()) {
    if (hits.length >= most) break;
    const row = rows[index]!;
    if (row === null) continue;
    const { entry, role, frame, at, message } = row;
    const spoken = entryText(message);
    const original = hits.find(
      (one) =>
        one.log !== log && one.hit.at === at && one.hit.role === role && one.said === spoken.text,
    );
    if (original !== undefined) {
      original.copies.push({ session: log.session, entry });
      continue;
    }
    const share = Math.max(
      left / Math.min(most - hits.length, looked.length - index),
      left * mostShare,
    );
    const target = Math.floor(share);
    const found = excerpt(spoken, {
      piece,
      ...(said && { said }),
      weights: worth,
      target,
      count,
    });
    const runs = message.role === 'tool' ? runsOf(found.text) : noRuns;
    const like = hits.find((hit) => hit.log === log && isAlike(runs, hit.runs));
    if (like !== undefined) {
      like.same.push(entry);
      continue;
    }
    const { text, tokens, whole } = found;
    left -= tokens;
    const same: string[] = [];
    const asked = role === 'frame' ? undefined : await log.index.humanBefore(n);
    const hit: Hit = {
      entry,
      frame,
      role,
      at,
      score,
      tokens,
      text,
      whole,
      same,
      ...(asked === undefined ? {} : { request: entryId(asked) }),
    };
    hits.push({ hit, log, same, runs, said: spoken.text, copies: [] });
  }
  return hits;
}

/** A hit, and what it is compared by. */
interface FoundHit extends LocatedHit {
  readonly copies: HitCopy[];
  readonly same: string[];
  /** All that the entry says. */
  readonly said: string;
  readonly runs: ReadonlySet<string>;
}

/** The runs of what is not compared: what people and models say differs by a word. */
const noRuns: ReadonlySet<string> = new Set();

const isAlike = (runs: ReadonlySet<string>, shown: ReadonlySet<string>): boolean =>
  runs.size > 0 && shown.size > 0 && shareWithin(runs, shown) >= mostAlike;
