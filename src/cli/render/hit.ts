import type { Hit, StoreHit } from '../../index.ts';
import { clean, cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { ago, many, number } from '../paper/size.ts';
import { cut } from '../paper/width.ts';

/** Lines of text that are shown of a hit on a terminal; in a pipe all are. */
const mostLines = 5;

/** Options of showing hits. */
export interface HitsShown {
  readonly query: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the times of the session are only that of its file. */
  readonly isOfFile?: boolean;
  readonly paper: Paper;
}

/** Hits of a search, the best first: who said it, where and when, and the lines that answer, or where nobody scrolls all of the text; their words in bold. */
export function hitLines(
  hits: readonly (Hit & Pick<StoreHit, 'copies'>)[],
  { query, now, isOfFile = false, paper }: HitsShown,
): readonly string[] {
  const words = wordsOf(query);
  return hits.flatMap((hit, index) => {
    const { entry, role, frame, at, whole } = hit;
    const { glyphs, paint } = paper;
    const when = `${isOfFile ? '~' : ''}${ago(at, now)}`;
    const also = copiesText(hit);
    const place = [role, ...(frame === 'f0' ? [] : [`frame ${frame}`]), when, ...also];
    const { lines, isCut } = answeringLines(hit.text, words, paper);
    const rest = whole && !isCut ? [] : [paint(`  ${glyphs.more}`, 'gray')];
    return [
      ...(index === 0 ? [] : ['']),
      `${paint(entry, 'bold')}  ${paint(place.join(` ${glyphs.dot} `), 'gray')}`,
      ...lines.map((line) => `  ${line}`),
      ...rest,
    ];
  });
}

/** Sessions that are named as having a copy. */
const mostCopies = 3;

/** Which other sessions have the same entry, and as which where it is another there. */
function copiesText({ entry, copies = [] }: Pick<StoreHit, 'entry' | 'copies'>): readonly string[] {
  if (copies.length === 0) return [];
  const names = copies
    .slice(0, mostCopies)
    .map((copy) => cleanLine(copy.session) + (copy.entry === entry ? '' : ` as ${copy.entry}`));
  const more = copies.length - names.length;
  return [`also in ${names.join(', ')}${more === 0 ? '' : ` and ${number(more)} more`}`];
}

/** The lines of a text that answer some words, each in the width but for two cells, the words in bold. */
export function answeringLines(
  text: string,
  words: readonly string[],
  paper: Paper,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const { lines, isCut } = shownLines(text, words, paper);
  const highlights = lines.map((line) => highlighted(excerptOf(line, words, paper), words, paper));
  return { lines: highlights, isCut };
}

/** The words of a query that are highlighted. */
export const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].filter(
    (word) => word.length > 1,
  );

/** The lines of a text from the first that holds a word; all of them where nobody scrolls. */
function shownLines(
  text: string,
  words: readonly string[],
  { height }: Paper,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const all = clean(text).replaceAll('\t', '  ').split('\n');
  if (!Number.isFinite(height)) return { lines: all, isCut: false };
  const lines = all.filter((line) => line.trim() !== '');
  const holding = (line: string): number =>
    words.filter((word) => line.toLowerCase().includes(word)).length;
  const most = Math.max(...lines.map(holding));
  const first = Math.max(0, lines.findIndex((line) => holding(line) === most) - 1);
  const start = Math.max(0, Math.min(first, lines.length - mostLines));
  return {
    lines: lines.slice(start, start + mostLines),
    isCut: start > 0 || lines.length > start + mostLines,
  };
}

/** As much of a line as the paper takes, from the start or from shortly before the first of the words. */
function excerptOf(line: string, words: readonly string[], { longest, glyphs }: Paper): string {
  const room = longest - 2;
  const small = line.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((at) => at >= 0);
  const first = Math.min(...places, line.length);
  if (places.length === 0 || first < room * 0.7) return cut(line, room, glyphs.more);
  const start = first - Math.floor(room * 0.3);
  return cut(glyphs.more + line.slice(start), room, glyphs.more);
}

/** A line with the words in bold. */
function highlighted(line: string, words: readonly string[], { paint }: Paper): string {
  if (words.length === 0) return line;
  const any = new RegExp(`(?:${words.join('|')})`, 'giu');
  return line.replace(any, (word) => paint(word, 'bold'));
}

/** Why a query finds nothing that has no term. */
export const noTerms = 'words such as "the" and "of", signs and single letters stand everywhere.';

/** How many hits there are `where` was looked, and how to get more: that there are, where as many were found as were asked for. */
export function hitsText(
  { hits, isSpread }: { readonly hits: readonly unknown[]; readonly isSpread: boolean },
  limit: number,
  where: string,
): string {
  const count = hits.length;
  if (count < limit) return `${many(count, 'hit')} ${where}.`;
  const best = count === 1 ? 'The best hit' : `The best ${number(count)} hits`;
  const summary = isSpread
    ? `${number(count)} of the hits ${where}, the best few of each`
    : `${best} ${where}`;
  return `${summary}; more with --limit ${limit * 2}`;
}
