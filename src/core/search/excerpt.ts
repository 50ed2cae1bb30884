import { piecesOf, type EntryText } from '../messages/message-text.ts';
import { eachChunk } from './terms.ts';
import type { Count } from '../messages/token-count.ts';

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

/** A text of more units than this for each token of the target is not counted whole: it would not fit. */
const mostUnitsOfToken = 6;

/** Share of a slice that the terms it is chosen for may spread over; the rest is for what stands around them. */
const spread = 0.7;

/** Share of a slice that stands before the first of those terms. */
const lead = 0.15;

/** Units that a slice may begin earlier by, so as to begin with a line or a word; at most a tenth of it. */
const mostLead = 80;

/** The text of an entry where it fits, else the slice of it where the terms stand closest; verbatim. */
export function excerpt(entry: EntryText, options: ExcerptOptions): Excerpt {
  const { target, count } = options;
  const { text } = entry;
  if (text.length <= target * mostUnitsOfToken) {
    const tokens = count(text);
    if (tokens <= target) return { text, from: 0, tokens, whole: true };
  }
  const wide = Math.floor(target * unitsOfToken);
  const hit = densest(entry, options, wide);
  const ahead = Math.max(0, hit.from - Math.floor(wide * lead));
  const reach = Math.min(mostLead, Math.floor(wide / 10));
  const from = startOf(text, Math.min(ahead, Math.max(0, text.length - wide)), reach);
  const roomy = sliceFrom(text, { from, wide, target, count });
  if (from + roomy.text.length >= hit.to) return roomy;
  return sliceFrom(text, { from: hit.from, wide, target, count });
}

function sliceFrom(
  text: string,
  given: Pick<ExcerptOptions, 'target' | 'count'> & {
    readonly from: number;
    readonly wide: number;
  },
): Excerpt {
  const { from, wide, target, count } = given;
  const { shown, tokens } = headWithin(text.slice(from, from + wide), target, count);
  return { text: shown, from, tokens, whole: shown.length === text.length };
}

/** Where the first of the terms stands that a slice is chosen for. */
interface Mark {
  readonly from: number;
  readonly to: number;
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

/** The term with which the `wide` units begin that hold most of what the terms are worth in the piece. */
function densest(
  { text, calls }: EntryText,
  { piece, weights }: ExcerptOptions,
  wide: number,
): Mark {
  const ends = piecesOf(text);
  const from = ends[piece - 1] ?? 0;
  const to = ends[piece] ?? text.length;
  const marks: (Mark & { readonly worth: number })[] = [];
  const mark = (terms: readonly string[], start: number, end: number): void => {
    const worth = Math.max(...terms.map((term) => weights.get(term) ?? 0));
    if (worth > 0) marks.push({ from: start, to: end, worth });
  };
  eachChunk(text, { from, to: Math.min(to, Math.max(from, calls)) }, mark);
  eachChunk(text, { from: Math.max(from, calls), to, escaped: true }, mark);
  let best = { from, to: from, worth: 0 };
  let sum = 0;
  let head = 0;
  for (const { from: at, worth } of marks) {
    sum += worth;
    for (; marks[head]!.from < at - wide * spread; head += 1) sum -= marks[head]!.worth;
    if (sum > best.worth + 1e-9) best = { ...marks[head]!, worth: sum };
  }
  return best;
}

/** The start of the line, or of the word, that `at` is in, where one is within `reach` units. */
function startOf(text: string, at: number, reach: number): number {
  if (at === 0) return 0;
  const near = Math.max(0, at - reach);
  const head = text.slice(near, at);
  const line = head.lastIndexOf('\n');
  if (line >= 0) return near + line + 1;
  const space = head.lastIndexOf(' ');
  if (space >= 0) return near + space + 1;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
