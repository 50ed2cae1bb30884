import { piecesOf, type EntryText } from '../messages/message-text.ts';
import { eachChunk } from './terms.ts';
import { unitsOfToken, type Count } from '../messages/token-count.ts';
import { headOf } from '../text/sentences.ts';

/** A slice of an entry's text. */
interface Excerpt {
  readonly text: string;
  /** Where it begins, in UTF-16 units. */
  readonly from: number;
  readonly tokens: number;
  /** Whether it is all of the text. */
  readonly whole: boolean;
}

/** A stretch of a text, in UTF-16 units. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** The part of a text that an excerpt should show, and its size. */
interface ExcerptOptions {
  /** The piece of the text that matters most, from 0; all of it unless told. */
  readonly piece?: number;
  /** What it shows in any case; unless told, where most of the terms are close together. */
  readonly said?: TextSpan;
  /** Weights of the terms that it should show. */
  readonly weights: ReadonlyMap<string, number>;
  /** At most this many tokens. */
  readonly target: number;
  readonly count: Count;
}

/** A text with more UTF-16 units than this for each token of the target cannot fit and is not counted. */
const mostUnitsOfToken = 6;

/** Share of a slice that its terms may spread over; the rest is for the text around them. */
const spread = 0.6;

/** What a term counts each further time within a slice, as a share of the time before: many words of the query tell more than one of them many times. */
const repetition = 0.3;

/** Share of a slice before the first of its terms. */
const lead = 0.15;

/** UTF-16 units by which a slice may begin earlier, at the start of a line or word; at most a tenth of it. */
const mostLead = 80;

/** The text of an entry if it fits, else the slice of it where most of the terms are close together; verbatim. */
export function excerpt(entry: EntryText, options: ExcerptOptions): Excerpt {
  const { target, count } = options;
  const { text } = entry;
  if (text.length <= target * mostUnitsOfToken) {
    const tokens = count(text);
    if (tokens <= target) return { text, from: 0, tokens, whole: true };
  }
  const wide = Math.floor(target * unitsOfToken);
  const hit = options.said ?? densest(entry, options, wide);
  const ahead = Math.max(0, hit.from - Math.floor(wide * lead));
  const reach = Math.min(mostLead, Math.floor(wide / 10));
  const from = startOf(text, Math.min(ahead, Math.max(0, text.length - wide)), reach);
  const roomy = sliceFrom(text, { from, wide, target, count });
  if (from + roomy.text.length >= hit.to) return roomy;
  return sliceFrom(text, { from: hit.from, wide, target, count });
}

function sliceFrom(
  text: string,
  options: Pick<ExcerptOptions, 'target' | 'count'> & {
    readonly from: number;
    readonly wide: number;
  },
): Excerpt {
  const { from, wide, target, count } = options;
  const { head, tokens } = headWithin(text.slice(from, from + wide), target, count);
  return { text: head, from, tokens, whole: head.length === text.length };
}

/** A head of `text` of at most `target` tokens; not always the longest, to save counting. */
function headWithin(
  text: string,
  target: number,
  count: Count,
): { readonly head: string; readonly tokens: number } {
  let head = headOf(text, text.length);
  for (let tries = 0; tries < 8; tries += 1) {
    const tokens = count(head);
    if (tokens <= target) return { head, tokens };
    head = headOf(head, Math.floor((head.length * target * 0.97) / tokens));
  }
  return { head: '', tokens: 0 };
}

/** A place where a text says a term of the query. */
interface FoundTerm extends TextSpan {
  readonly term: string;
  readonly weight: number;
}

/** The first term of the `wide` units, in the piece or beside it, whose terms weigh most together. */
function densest(entry: EntryText, { piece, weights }: ExcerptOptions, wide: number): TextSpan {
  const ends = piece === undefined ? [] : piecesOf(entry.text);
  const at = piece ?? 0;
  const from = ends[at - 2] ?? 0;
  const to = ends[at + 1] ?? entry.text.length;
  const matches = termsFound(entry, { from, to, weights });
  const times = new Map<string, number>();
  const worth = ({ term, weight }: FoundTerm): number =>
    weight * repetition ** (times.get(term) ?? 0);
  const take = (one: FoundTerm, change: 1 | -1): void => {
    times.set(one.term, (times.get(one.term) ?? 0) + change);
  };
  let best = { from: ends[at - 1] ?? 0, to: ends[at - 1] ?? 0, weight: 0 };
  let sum = 0;
  let head = 0;
  for (const one of matches) {
    sum += worth(one);
    take(one, 1);
    for (; matches[head]!.from < one.from - wide * spread; head += 1) {
      take(matches[head]!, -1);
      sum -= worth(matches[head]!);
    }
    if (sum > best.weight + 1e-9) best = { ...matches[head]!, weight: sum };
  }
  return best;
}

/** The terms of the query in a part of an entry, in their order; of a chunk that holds several the weightiest. */
function termsFound(
  { text, calls }: EntryText,
  part: {
    readonly from: number;
    readonly to: number;
    readonly weights: ReadonlyMap<string, number>;
  },
): readonly FoundTerm[] {
  const { from, to, weights } = part;
  const matches: FoundTerm[] = [];
  const add = (terms: readonly string[], start: number, end: number): void => {
    const [best] = terms
      .map((term) => ({ term, weight: weights.get(term) ?? 0 }))
      .sort((one, other) => other.weight - one.weight);
    if (best !== undefined && best.weight > 0) matches.push({ from: start, to: end, ...best });
  };
  eachChunk(text, { from, to: Math.min(to, Math.max(from, calls)) }, add);
  eachChunk(text, { from: Math.max(from, calls), to, escaped: true }, add);
  return matches;
}

/** The start of the line or word around `at`, if it is within `reach` units before. */
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
