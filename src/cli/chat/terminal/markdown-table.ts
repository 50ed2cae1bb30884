import type { Paper } from '../../paper/paper.ts';
import { padEnd, padStart, widthOf, wrap } from '../../paper/width.ts';

/** The line below the titles of a table. */
const divider = /^\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?$/;

/** Cells between two columns, and the least that a column takes. */
const [gap, least] = [2, 6];

/** Lines of Markdown as a table in `width` cells, long cells in several lines; null where they are none, or too many columns. */
export function tableLines(
  rows: readonly string[],
  width: number,
  { paint, glyphs }: Pick<Paper, 'paint' | 'glyphs'>,
): readonly string[] | null {
  const [titles, under, ...rest] = rows.map((row) => row.trim());
  if (titles === undefined || under === undefined || !divider.test(under)) return null;
  const head = cellsOf(titles);
  const isRight = cellsOf(under).map((cell) => /^-+:$/.test(cell));
  const body = rest.map((row) => head.map((_, index) => cellsOf(row)[index] ?? ''));
  const widths = fitted(
    head.map((_, index) => Math.max(...[head, ...body].map((row) => widthOf(row[index]!)))),
    width - gap * (head.length - 1),
  );
  if (widths === null) return null;
  const laid = (row: readonly string[]): readonly string[] => {
    const cells = row.map((cell, index) => wrap(cell, widths[index]!));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      cells
        .map((lines, index) =>
          (isRight[index] === true ? padStart : padEnd)(lines[at] ?? '', widths[index]!),
        )
        .join(' '.repeat(gap))
        .trimEnd(),
    );
  };
  const rule = widths.map((cells) => glyphs.rule.repeat(cells)).join(' '.repeat(gap));
  return [
    ...laid(head).map((line) => paint(line, 'bold')),
    paint(rule, 'gray'),
    ...body.flatMap(laid),
  ];
}

/** The cells of a row, without what makes them bold. */
function cellsOf(row: string): readonly string[] {
  const inner = row.replace(/^\|/, '').replace(/(?<!\\)\|$/, '');
  return inner
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('**', ''));
}

/** Widths that fit into `room`, the widest made narrower first; null where the least of each is too much. */
function fitted(widths: readonly number[], room: number): readonly number[] | null {
  let [low, high] = [least, Math.max(least, ...widths)];
  const within = (most: number): number =>
    widths.reduce((sum, one) => sum + Math.min(one, most), 0);
  if (within(low) > room) return null;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (within(middle) > room) high = middle - 1;
    else low = middle;
  }
  return widths.map((one) => Math.min(one, low));
}
