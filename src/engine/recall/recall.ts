import { entryText } from '../../core/messages/message-text.ts';
import { excerpt } from '../../core/search/excerpt.ts';
import { entryId } from '../../core/values/id.ts';
import { bestEntries, countTerms, weightsOf, type RankedEntry } from '../../core/search/rank.ts';
import { termsIn } from '../../core/search/terms.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { entryKey } from '../../store/key.ts';
import type { EntryRow } from '../journal/load.ts';
import { entryFilter, type Log } from './recall-filter.ts';
import type { RecallOptions } from './recall-options.ts';

/** An entry of the log that answers a query. */
export interface Hit {
  /** Its id. */
  readonly entry: string;
  readonly frame: string;
  readonly role: 'user' | 'assistant' | 'tool';
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
}

/** Defaults of a recall: hits, and tokens of their texts. */
const recallLimit = 10;
const recallTokens = 2_000;

/** Fewest tokens worth showing of an entry; a smaller budget gives fewer hits. */
const leastShown = 16;

/** Share of what is left of the budget that one entry may take however many follow. */
const mostShare = 0.25;

/** Longest query that is read, in UTF-16 units, and the most terms of it. */
const longestQuery = 20_000;
const mostTerms = 64;

/** A match, and the log it is in. */
type Located = RankedEntry & { readonly log: Log };

/** The entries of a log that answer a query, the best first, as slices that keep to a budget of tokens. */
export async function recall(
  log: Log,
  query: string,
  options: RecallOptions & { readonly count: Count; readonly terms?: number },
): Promise<Hit[]> {
  const { limit, tokens } = limitsOf(options);
  const { signal, count } = options;
  const terms = queryTerms(query, options.terms);
  if (terms.length === 0 || limit === 0) return [];
  const { searched, isMeant } = await log.index.whole(async () => {
    const searched = await log.index.find(terms, log.upTo, signal);
    return { searched, isMeant: await entryFilter(searched, { log, filter: options }) };
  });
  signal?.throwIfAborted();
  const tally = countTerms(searched, terms.length);
  const weights = weightsOf(tally);
  const matches = bestEntries(searched, { weights, extent: tally.extent, limit, isMeant });
  const located = matches.map((match) => ({ ...match, log }));
  const worth = new Map(weights.map(({ index, weight }) => [terms[index]!, weight]));
  const hits = await toHits(located, { tokens, count, worth });
  return hits.map(([hit]) => hit);
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

/** The hits for matches of one store, the best first, each with its log; as many as the budget of tokens has room for. */
export async function toHits(
  matches: readonly Located[],
  given: {
    readonly tokens: number;
    readonly count: Count;
    readonly worth: ReadonlyMap<string, number>;
  },
): Promise<readonly (readonly [hit: Hit, log: Log])[]> {
  const { count, worth } = given;
  const shown = matches.slice(0, Math.floor(given.tokens / leastShown));
  const keys = shown.map(({ n, log }) => entryKey(log.session, n));
  const rows = (await shown[0]?.log.store.getMany('entry', keys)) ?? [];
  let left = given.tokens;
  return shown.map(({ n, score, piece, log }, index) => {
    const { frame, at, message } = rows[index] as EntryRow;
    const share = Math.max(left / (shown.length - index), left * mostShare);
    const target = Math.floor(share);
    const found = excerpt(entryText(message), { piece, weights: worth, target, count });
    const { text, tokens, whole } = found;
    left -= tokens;
    return [{ entry: entryId(n), frame, role: message.role, at, score, tokens, text, whole }, log];
  });
}
