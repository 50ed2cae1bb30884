import { piecesOf, type EntryText } from './entry-text.ts';
import { eachChunk } from './terms.ts';
import type { Count } from './tokens.ts';

/** A slice of an entry's text. */
export interface Excerpt {
  readonly text: string;
  /** Where it begins, in UTF-16 units. */
  readonly from: number;
  readonly tokens: number;
  /** Whether it is all of the text. */
  readonly whole: boolean;
}

/** What is cut out, and why there. */
export interface ExcerptOptions {
  /** The piece of the text that matters most, from 0. */
  readonly piece: number;
  /** What the terms are worth that it should show. */
  readonly weights: ReadonlyMap<string, number>;
  /** At most this many tokens. */
  readonly target: number;
  readonly count: Count;
}

/** Units of UTF-16 in a token, about. */
const unitsOfToken = 3.5;

/** The text of an entry where it fits, else the slice of it where the terms stand closest; verbatim. */
export function excerpt(entry: EntryText, options: ExcerptOptions): Excerpt {
  const { target, count } = options;
  const { text } = entry;
  if (text.length <= target * 6) {
    const tokens = count(text);
    if (tokens <= target) return { text, from: 0, tokens, whole: true };
  }
  const wide = Math.floor(target * unitsOfToken);
  const middle = densest(entry, options, wide);
  const from = startOf(text, Math.min(middle, Math.max(0, text.length - wide)));
  const { shown, tokens } = headWithin(text.slice(from, from + wide), target, count);
  return { text: shown, from, tokens, whole: shown.length === text.length };
}

/** A head of `text` of at most `target` tokens; not always the longest, so as to count seldom. */
function headWithin(
  text: string,
  target: number,
  count: Count,
): { readonly shown: string; readonly tokens: number } {
  let shown = whole(text, text.length);
  for (let tries = 0; tries < 8; tries += 1) {
    const tokens = count(shown);
    if (tokens <= target) return { shown, tokens };
    shown = whole(shown, Math.floor((shown.length * target * 0.97) / tokens));
  }
  return { shown: '', tokens: 0 };
}

/** The head of `length` units, without half a pair at its end. */
const whole = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Where a slice of `wide` units should begin to hold most of what the terms are worth in the piece. */
function densest(
  { text, calls }: EntryText,
  { piece, weights }: ExcerptOptions,
  wide: number,
): number {
  const ends = piecesOf(text);
  const from = ends[piece - 1] ?? 0;
  const to = ends[piece] ?? text.length;
  const marks: { readonly at: number; readonly worth: number }[] = [];
  const mark = (terms: readonly string[], at: number): void => {
    const worth = Math.max(...terms.map((term) => weights.get(term) ?? 0));
    if (worth > 0) marks.push({ at, worth });
  };
  eachChunk(text, { from, to: Math.min(to, Math.max(from, calls)) }, mark);
  eachChunk(text, { from: Math.max(from, calls), to, escaped: true }, mark);
  let best = { at: from, worth: 0 };
  let sum = 0;
  let head = 0;
  for (const [index, { at, worth }] of marks.entries()) {
    sum += worth;
    for (; marks[head]!.at < at - wide * 0.7; head += 1) sum -= marks[head]!.worth;
    if (sum > best.worth + 1e-9) best = { at: marks[head]!.at, worth: sum };
    if (index === marks.length - 1) break;
  }
  return Math.max(0, best.at - Math.floor(wide * 0.15));
}

/** The start of the line, or of the word, that `at` is in, where one is near. */
function startOf(text: string, at: number): number {
  if (at === 0) return 0;
  const near = Math.max(0, at - 80);
  const head = text.slice(near, at);
  const line = head.lastIndexOf('\n');
  if (line >= 0) return near + line + 1;
  const space = head.lastIndexOf(' ');
  if (space >= 0) return near + space + 1;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
