import type { Paper } from '../../paper/paper.ts';
import { tableLines } from './markdown-table.ts';
import { fence, prose, type Prose } from './prose.ts';

// An answer is shown while it comes, so its Markdown is read as it comes: a table waits until a line comes that is none
// of its own, everything else goes on to where it is broken at words.

/** The beginning of a line of a table. */
const row = /^\s*\|/;

/** An answer in Markdown from its beginning: its tables laid out, the rest as prose. */
export function markdown(paper: () => Paper): Prose {
  const lines = prose(paper().paint);
  /** The line that is not over, whether it is shown already, and lines that may be a table. */
  let line = '';
  let isShown = false;
  let rows: string[] = [];
  let isFenced = false;

  const table = (width: number): string => {
    const tableRows = rows.length === 0 ? [] : tableLines(rows, width, paper());
    const raw = rows;
    rows = [];
    if (tableRows === null) return raw.map((one) => lines.push(one, width)).join('');
    return tableRows.map((one) => `${one}\n`).join('');
  };
  const take = (part: string, width: number): string => {
    line += part;
    const isOver = part.endsWith('\n');
    const isRow = !isShown && !isFenced && row.test(line);
    if (!isShown && !isOver && (isRow || line.trim() === '')) return '';
    const whole = line;
    const text = isShown ? part : line;
    if (isOver) line = '';
    if (isRow) {
      rows.push(whole);
      return '';
    }
    isShown = !isOver;
    if (isOver && fence.test(whole.replace(/^\s*(?:(?:[-*+>]|\d+[.)])\s+)*/, '')))
      isFenced = !isFenced;
    return table(width) + lines.push(text, width);
  };
  return {
    push: (piece, width) =>
      piece
        .split(/(?<=\n)/)
        .map((part) => take(part, width))
        .join(''),
    end(width) {
      const rest = isShown ? '' : line;
      const isRow = !isFenced && row.test(rest);
      if (isRow) rows.push(rest);
      const rendered = table(width) + (isRow ? '' : lines.push(rest, width));
      [line, isShown, isFenced] = ['', false, false];
      return rendered + lines.end(width);
    },
  };
}
