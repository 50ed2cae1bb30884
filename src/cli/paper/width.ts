import { createRequire } from 'node:module';
import type measure from 'string-width';

/** What stands in one cell each: ASCII, Latin letters, dashes and quotes, lines and blocks. */
const plain = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02af\u2010-\u2027\u2190-\u2193\u2500-\u259f]*$/;
// What measures the rest takes longer to load than a short command takes: it is there when it is needed.
const require = createRequire(import.meta.url);
let stringWidth: typeof measure | undefined;
let segmenter: Intl.Segmenter | undefined;

const measured = (text: string): number =>
  (stringWidth ??= (require('string-width') as { default: typeof measure }).default)(text);

const graphemesOf = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text);

/** Whether each unit of a text is known to take one cell. */
export const isOneEach = (text: string): boolean => plain.test(text);

/** Cells that a line takes on a terminal: two for a wide character, none for a mark on another. */
export function widthOf(text: string): number {
  return isOneEach(text) ? text.length : measured(text);
}

/** The line in at most `width` cells, with `more` at its end if something is left out. */
export function cut(text: string, width: number, more = '…'): string {
  if (width <= 0) return '';
  // No character takes more cells than two for each of its units.
  if (2 * text.length <= width) return text;
  const isPlain = plain.test(text.length > width * 8 ? text.slice(0, width * 8) : text);
  if (isPlain && text.length <= width) return text;
  if (isPlain) return text.slice(0, Math.max(0, width - more.length)) + more.slice(0, width);
  const room = width - more.length;
  let kept = '';
  let used = 0;
  let fits = '';
  for (const { segment } of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > width) return fits + more.slice(0, width);
    kept += segment;
    if (used <= room) fits = kept;
  }
  return kept;
}

/** The line with spaces up to `width` cells; a longer one as it is. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** The same, spaces first. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** The words of `text` in lines of at most `width` cells; a longer word is broken. */
export function wrap(text: string, width: number): readonly string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => pieces(word, room))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= room) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** Text behind a head, its further lines below its first. */
export function hanging(head: string, text: string, width: number): readonly string[] {
  const room = Math.max(8, width - widthOf(head));
  return wrap(text, room).map((line, n) => (n === 0 ? head : ' '.repeat(widthOf(head))) + line);
}

/** A word in pieces of at most `width` cells. */
export function pieces(word: string, width: number): readonly string[] {
  if (plain.test(word))
    return word.length <= width ? [word] : word.match(new RegExp(`.{1,${width}}`, 'g'))!;
  const chunks: string[] = [];
  let [piece, used] = ['', 0];
  for (const { segment } of graphemesOf(word)) {
    const cells = widthOf(segment);
    if (piece !== '' && used + cells > width) {
      chunks.push(piece);
      [piece, used] = ['', 0];
    }
    piece += segment;
    used += cells;
  }
  return [...chunks, piece];
}
