import { inverseFrequency } from '../../core/search/bm25.ts';
import { placeOf, type Phrase } from '../../core/search/phrases.ts';
import {
  bestEntries,
  weightsOf,
  type RankedEntry,
  type SearchedSegment,
  type TermCount,
} from '../../core/search/rank.ts';
import { entryText, piecesOf } from '../../core/messages/message-text.ts';
import type { TextSpan } from '../../core/search/excerpt.ts';
import type { MatchedLog } from './recall-filter.ts';
import type { OnLostIn } from './recall-lost.ts';
import { rowsOf } from './matched-rows.ts';

/** What is looked for. */
export interface Sought {
  readonly terms: readonly string[];
  /** What a match says word for word. */
  readonly phrases: readonly Phrase[];
}

/** A match of an entry, or a frame. */
export interface SaidMatch extends RankedEntry {
  /** Where it says a phrase; left out where none is asked for. */
  readonly said?: TextSpan;
}

/** Matches whose texts are read together. */
const together = 32;

/** The weights of terms, those of phrases among them however common they are. */
export function weightsFor(
  { terms, phrases }: Sought,
  tally: TermCount,
): ReturnType<typeof weightsOf> {
  const weights = weightsOf(tally);
  const known = new Set(weights.map(({ index }) => index));
  const others = termsOfPhrases({ terms, phrases }).filter((index) => !known.has(index));
  return [
    ...weights,
    ...others.map((index) => ({
      index,
      weight: inverseFrequency(tally.holding[index]!, tally.extent),
    })),
  ];
}

/** The places of the terms of phrases among those that are looked up. */
const termsOfPhrases = ({ terms, phrases }: Sought): readonly number[] =>
  [...new Set(phrases.flatMap((phrase) => phrase.terms))]
    .map((term) => terms.indexOf(term))
    .filter((index) => index >= 0);

/** What is searched for those that say something, and how it is read. */
interface Searching {
  readonly sought: Sought;
  readonly log: MatchedLog;
  readonly onLost: OnLostIn;
}

/** The entries of one log that answer best, as {@link bestEntries}, of those that say all phrases. */
export async function bestMatches(
  searched: readonly SearchedSegment[],
  by: Parameters<typeof bestEntries>[1],
  searching: Searching,
): Promise<readonly SaidMatch[]> {
  if (searching.sought.phrases.length === 0) return bestEntries(searched, by);
  return saying(candidatesOf(searched, by, searching), by.limit, searching);
}

/** The entries of one log that say all phrases, the earliest first. */
export function firstMatches(
  searched: readonly SearchedSegment[],
  by: Parameters<typeof bestEntries>[1],
  searching: Searching,
): Promise<readonly SaidMatch[]> {
  const candidates = candidatesOf(searched, by, searching).toSorted((a, b) => a.n - b.n);
  return saying(candidates, by.limit, searching);
}

/** The entries that hold all terms of the phrases, the best first. */
function candidatesOf(
  searched: readonly SearchedSegment[],
  by: Parameters<typeof bestEntries>[1],
  { sought }: Searching,
): readonly RankedEntry[] {
  const holding = entriesHolding(searched, termsOfPhrases(sought));
  const isMeant = (n: number): boolean => holding?.has(n) !== false && (by.isMeant?.(n) ?? true);
  const last = searched.at(-1)?.segment.last ?? 0;
  return bestEntries(searched, { ...by, limit: holding?.size ?? last, isMeant });
}

/** Those of some entries whose texts say all phrases, in their order, at most `limit`. */
async function saying(
  candidates: readonly RankedEntry[],
  limit: number,
  { sought, log, onLost }: Searching,
): Promise<readonly SaidMatch[]> {
  const found: SaidMatch[] = [];
  for (let at = 0; at < candidates.length && found.length < limit; at += together) {
    const some = candidates.slice(at, at + together);
    const rows = await rowsOf(
      some.map((match) => ({ ...match, log })),
      onLost,
    );
    for (const [index, match] of some.entries()) {
      const text = rows[index] && entryText(rows[index].message);
      const said = text && placeOf(sought.phrases, text);
      if (!said) continue;
      const piece = piecesOf(text.text).findIndex((end) => end > said.from);
      found.push({ ...match, piece, said });
    }
  }
  return found.slice(0, limit);
}

/** The positions of entries that hold all of some terms; null where no term tells. */
function entriesHolding(
  searched: readonly SearchedSegment[],
  terms: readonly number[],
): ReadonlySet<number> | null {
  if (terms.length === 0) return null;
  const found = new Set<number>();
  for (const { segment, postings } of searched) {
    const held = terms.map((index) => postings[index]?.read());
    const [first, ...others] = held.map((pairs) => entriesIn(segment, pairs));
    for (const n of first!) if (others.every((entries) => entries.has(n))) found.add(n);
  }
  return found;
}

/** The positions of the entries that some postings, in rising order, lead to. */
function entriesIn(
  { first, starts }: SearchedSegment['segment'],
  pairs: Uint32Array = new Uint32Array(0),
): ReadonlySet<number> {
  const found = new Set<number>();
  let entry = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    while (starts[entry + 1]! <= pairs[at]!) entry += 1;
    found.add(first + entry);
  }
  return found;
}
