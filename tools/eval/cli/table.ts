import type { Total } from '../index.ts';
import type { Paper } from '../../../src/cli/render/paper.ts';
import { padEnd, padStart, widthOf } from '../../../src/cli/render/width.ts';
import type { Group, Row } from './row.ts';

/** Width of the column with the measures, in cells. */
const labelWidth = 18;

/** One method as a column. */
interface Column {
  readonly total: Total;
  /** Its name, at most a word on each of two lines. */
  readonly words: readonly [above: string, below: string];
  /** In cells. */
  readonly width: number;
}

/** A row for each measure and a column for each method; columns that are too many for the paper go below. */
export function tableLines(
  groups: readonly Group[],
  totals: readonly Total[],
  paper: Paper,
): readonly string[] {
  const columns = totals.map(columnOf);
  const lines: string[] = [];
  for (let from = 0; from < columns.length;) {
    let to = from + 1;
    while (to < columns.length && widthOfAll(columns.slice(from, to + 1)) <= paper.width) to += 1;
    lines.push(...partLines(groups, columns.slice(from, to), paper));
    from = to;
  }
  return lines;
}

function columnOf(total: Total): Column {
  const [first = '', second] = total.method.split('-');
  const words: Column['words'] = second === undefined ? ['', first] : [first, second];
  return { total, words, width: Math.max(6, ...words.map(widthOf)) + 2 };
}

function widthOfAll(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, labelWidth);
}

function partLines(
  groups: readonly Group[],
  columns: readonly Column[],
  paper: Paper,
): readonly string[] {
  const heads = [0, 1].map((at) =>
    padEnd('', labelWidth).concat(
      columns.map(({ words, width }) => padStart(words[at]!, width)).join(''),
    ),
  );
  return [
    ...heads.filter((line) => line.trim() !== ''),
    ...groups.flatMap(({ title, rows }) => [
      paper.paint(title, 'bold'),
      ...rows.map((row) => rowLine(row, columns, paper)),
    ]),
  ];
}

/** A row, the best of its values in bold. */
function rowLine(row: Row, columns: readonly Column[], { paint }: Paper): string {
  const values = columns.map(({ total }) => row.value(total));
  const known = values.filter((value) => value !== null);
  const best = row.isRated && known.length > 1 ? Math.max(...known) : null;
  const cells = values.map((value, index) => {
    const cell = padStart(value === null ? '-' : row.show(value), columns[index]!.width);
    return value !== null && value === best ? paint(cell, 'bold') : cell;
  });
  return padEnd(`  ${row.label}`, labelWidth) + cells.join('');
}
