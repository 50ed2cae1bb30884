import type { EntryText } from '../messages/message-text.ts';
import type { TextSpan } from './excerpt.ts';
import { termsIn } from './terms.ts';

// The index knows words by their stems and nothing of their order. So it gives the entries that hold all
// words of a phrase, and their texts tell which of them say it.

/** Words that are to stand next to each other. */
export interface Phrase {
  /** As it stands between its quotes. */
  readonly text: string;
  /** The terms that a text which says it has. */
  readonly terms: readonly string[];
  /** Finds it in a text. */
  readonly pattern: RegExp;
}

/** Words that a query with phrases has at most: what is longer is a text to find more of, and its quotes are its own. */
const mostWords = 16;

/** The phrases of a query of one short line: what stands between two quotes, but for signs alone; a quote without another is a sign like any. */
export function phrasesIn(query: string): readonly Phrase[] {
  const line = query.trim();
  if (line.includes('\n') || line.split(/\s+/, mostWords + 1).length > mostWords) return [];
  const parts = line.split('"');
  const quoted = parts.filter((_, at) => at % 2 === 1 && at < parts.length - 1);
  return quoted.flatMap((text) => phraseOf(text) ?? []);
}

/** Words of a text that are looked for as one phrase at most: where that many stand, the rest does. */
const mostSaid = 64;

/** A text as one phrase, a long one by its beginning; null for signs alone. */
export function phraseOf(text: string): Phrase | null {
  const words = text.match(word)?.slice(0, mostSaid) ?? [];
  if (words.length === 0) return null;
  return { text: text.trim(), terms: termsIn(words.join(' ')), pattern: patternOf(words) };
}

/** A query as words alone. */
export const withoutQuotes = (query: string): string =>
  query
    .split(/["\s]/)
    .filter((one) => one !== '')
    .join(' ');

/** Where a text says the first of some phrases; undefined unless it says all of them. */
export function placeOf(phrases: readonly Phrase[], entry: EntryText): TextSpan | undefined {
  const text = readable(entry);
  const places = phrases.map(({ pattern }) => pattern.exec(text));
  if (places.includes(null)) return undefined;
  const { index, 0: said } = places[0]!;
  return { from: index, to: index + said.length };
}

/** The text with spaces for what escapes a sign in its calls. */
function readable({ text, calls }: EntryText): string {
  if (calls >= text.length) return text;
  const blank = (escaped: string): string => ' '.repeat(escaped.length);
  return text.slice(0, calls) + text.slice(calls).replace(escapes, blank);
}

const escapes = /\\(?:u[\da-f]{4}|[^u])/gi;
const letter = String.raw`[\p{L}\p{N}\p{M}_$]`;
const word = new RegExp(`${letter}+`, 'gu');
/** Scripts in which no space parts words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Words one behind the other, whatever signs part them. */
function patternOf(words: readonly string[]): RegExp {
  const between = String.raw`[^\p{L}\p{N}\p{M}_$]+`;
  const said = words.map((one) => one.replaceAll('$', String.raw`\$`)).join(between);
  const before = unspaced.test(words[0]![0]!) ? '' : `(?<!${letter})`;
  const behind = unspaced.test(words.at(-1)!.at(-1)!) ? '' : `(?!${letter})`;
  return new RegExp(before + said + behind, 'iu');
}
