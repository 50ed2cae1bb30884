import { entryText } from '../../core/messages/message-text.ts';
import { editDistance, nearest } from '../../core/search/near-terms.ts';
import {
  chunksWith,
  partsOf,
  termsIn,
  wordsIn,
  type IndexedWord,
} from '../../core/search/terms.ts';
import { entryKey } from '../../store/key.ts';
import type { EntryRow } from '../journal/load.ts';
import type { MatchedLog } from './recall-filter.ts';
import { mostWords } from './recall.ts';
import type { StoreRecallOptions } from './recall-options.ts';
import { matchingLogs, unkeptLogs, type SearchedStore } from './recall-store.ts';

// A word that stands nowhere is often one that was misspelled. Near spellings are looked for among the terms of the
// index that begin with the same letter; texts are read only to tell a term, which is a stem, by a word that has it.

/** A word of a query that stands nowhere as it was typed. */
export interface MissingWord {
  readonly word: string;
  /** Parts of a name that do stand somewhere: `refresh` of `refreshCookie`. */
  readonly parts: readonly string[];
  /** Words that do and are nearest to it, one or two letters away. */
  readonly near: readonly string[];
}

/** Most near spellings of a word. */
const mostNear = 3;

/** Longest part of the written index that is read for near spellings, in UTF-16 units. */
const longestRead = 2 ** 24;

/** Terms of the index that are looked up for near spellings of a word, and places where each is. */
const mostCandidates = 8;
const mostPlaces = 4;

/** Letters that a stem may be shorter than its word, and those at its end that may be others. */
const longestEnding = 6;
const mostChanged = 2;

/** The words of a query that stand nowhere in the sessions of a store, or in some. Rejects as a recall. */
export async function missingWords(
  searched: SearchedStore,
  query: string,
  options: Pick<StoreRecallOptions, 'session' | 'signal'>,
): Promise<readonly MissingWord[]> {
  const words = wordsIn(query).slice(0, mostWords);
  const terms = [...new Set(words.flatMap((word) => word.terms))];
  const held = new Set(await heldOf(searched, terms, options));
  const isFound = ({ term, terms }: IndexedWord): boolean =>
    term === null ? terms.some((one) => held.has(one)) : held.has(term);
  const missing = words.filter((word) => !isFound(word));
  const candidates = await candidatesFor(searched, missing, options);
  const looked = [...new Set([...candidates.values()].flat())];
  const spelled = await spellings(searched, looked, options);
  return missing.map((word) => {
    const near = (candidates.get(word) ?? []).flatMap((term) => spelled.get(term) ?? []);
    return {
      word: word.text,
      parts: partsOf(word.text).filter((part) => termsIn(part).some((term) => held.has(term))),
      near: nearestWords(word.text, near),
    };
  });
}

/** The spellings that are nearest to a word, one whichever case they have. */
function nearestWords(word: string, spelled: readonly string[]): readonly string[] {
  const small = word.toLowerCase();
  const most = nearest(small);
  const found = new Map<string, { readonly one: string; readonly away: number }>();
  for (const one of spelled) {
    const away = editDistance(small, one.toLowerCase(), most);
    if (away > 0 && away <= most && !found.has(one.toLowerCase()))
      found.set(one.toLowerCase(), { one, away });
  }
  const least = Math.min(...[...found.values()].map(({ away }) => away));
  return [...found.values()]
    .flatMap(({ one, away }) => (away === least ? [one] : []))
    .slice(0, mostNear);
}

/** What others lost is told by the recall itself. */
const onLost = (): void => undefined;

/** Those of some terms that stand somewhere. */
async function heldOf(
  searched: SearchedStore,
  terms: readonly string[],
  filter: StoreRecallOptions,
): Promise<readonly string[]> {
  const { tally } = await matchingLogs(searched, terms, { filter, onLost });
  return terms.filter((_, index) => tally.holding[index]! > 0);
}

/** The terms that near spellings of some words may have, by the word. */
async function candidatesFor(
  searched: SearchedStore,
  words: readonly IndexedWord[],
  { session, signal }: Pick<StoreRecallOptions, 'session' | 'signal'>,
): Promise<ReadonlyMap<IndexedWord, readonly string[]>> {
  const sought = words
    .map((word) => ({
      word,
      small: word.text.toLowerCase(),
      counts: new Map<string, number>(),
      far: new Set<string>(),
    }))
    .filter(({ small }) => /^[a-z\d]/.test(small) && nearest(small) > 0);
  if (sought.length === 0) return new Map();
  const take = (term: string): void => {
    for (const { small, counts, far } of sought) {
      // Most segments have the same terms, and few of them are near.
      const before = counts.get(term);
      if (before === undefined && far.has(term)) continue;
      if (before !== undefined || away(small, term) <= nearest(term))
        counts.set(term, (before ?? 0) + 1);
      else far.add(term);
    }
  };
  const begin = [...new Set(sought.map(({ small }) => small[0]!))].join('');
  const known = new Map<string, number>();
  let left = longestRead;
  for await (const { log } of unkeptLogs(searched, session, known)) {
    signal?.throwIfAborted();
    if (left > 0) left -= await log.index.eachTerm(begin, take);
  }
  searched.kept?.eachTerm(known.keys(), begin, take);
  return new Map(sought.map(({ word, small, counts }) => [word, best(small, counts)]));
}

/** How far a term, which may be a stem, is from a beginning of a word that is about as long. */
function away(word: string, term: string): number {
  const most = nearest(term);
  const isBeyond = term.length < word.length - longestEnding || term.length > word.length + most;
  if (term[0] !== word[0] || isBeyond) return most + 1;
  const heads = [-1, 0, 1].map((more) => word.slice(0, term.length + more));
  return Math.min(...heads.map((head) => editDistance(head, term, most)));
}

/** The likeliest candidates: the nearest, of those the longest, of those the most common. */
function best(word: string, counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .map(([term, count]) => ({ term, count, far: away(word, term) }))
    .sort((a, b) => a.far - b.far || b.term.length - a.term.length || b.count - a.count)
    .slice(0, mostCandidates)
    .map(({ term }) => term);
}

/** Words as they stand somewhere, for each of some terms. */
async function spellings(
  searched: SearchedStore,
  terms: readonly string[],
  filter: StoreRecallOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  if (terms.length === 0) return found;
  const { matching } = await matchingLogs(searched, terms, { filter, onLost });
  for (const [index, term] of terms.entries()) {
    const places = matching.flatMap(({ log, searched: segments }) =>
      segments.flatMap(({ segment, postings }) => {
        const piece = postings[index]?.read()[0];
        if (piece === undefined) return [];
        const offset = segment.starts.findLastIndex((start) => start <= piece);
        return [{ log, n: segment.first + offset }];
      }),
    );
    const near = places.slice(0, mostPlaces).map(({ log, n }) => spelledIn(log, n, term));
    found.set(term, (await Promise.all(near)).flat());
  }
  return found;
}

/** The words of an entry that have a term; none where it cannot be read, and of what no entry says. */
async function spelledIn(log: MatchedLog, n: number, term: string): Promise<readonly string[]> {
  const row = await log.store.get('entry', entryKey(log.session, n)).catch(() => undefined);
  if (row === undefined) return [];
  const { text } = entryText((row as EntryRow).message);
  // A stem has other letters than its words at its end only.
  const begin = term.slice(0, Math.max(2, term.length - mostChanged));
  const words = wordsIn(chunksWith(begin, text)).filter(({ terms }) => terms.includes(term));
  const ends = words.map((word) => word.text.slice(-term.length));
  const parts = words.flatMap((word) => wordsIn(partsOf(word.text).join(' ')));
  return [
    ...ends.filter((end) => end.toLowerCase() === term),
    ...[...words, ...parts].filter((word) => word.term === term).map((word) => word.text),
  ];
}
