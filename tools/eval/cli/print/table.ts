import type { Paper } from '../../../../src/cli/paper/paper.ts';
import { padEnd, padStart, widthOf } from '../../../../src/cli/paper/width.ts';
import type { Group, Row } from '../row.ts';

/** What a column is of. */
interface OfMethod {
  readonly method: string;
}

/** One method as a column. */
interface Column<Total> {
  readonly total: Total;
  /** Its name, at most a word on each of two lines. */
  readonly words: readonly [above: string, below: string];
  /** In cells. */
  readonly width: number;
}

/** A row for each measure and a column for each method; columns that are too many for the paper go below. */
export function tableLines<Total extends OfMethod>(
  groups: readonly Group<Total>[],
  totals: readonly Total[],
  paper: Paper,
): readonly string[] {
  const columns = totals.map((total) => columnOf(total));
  const labels = groups.flatMap(({ rows }) => rows.map(({ label }) => widthOf(label) + 2));
  const label = Math.max(...labels);
  const lines: string[] = [];
  for (let from = 0; from < columns.length;) {
    let to = from + 1;
    while (to < columns.length && label + widthOfAll(columns.slice(from, to + 1)) <= paper.width)
      to += 1;
    lines.push(...partLines(groups, columns.slice(from, to), { paper, label }));
    from = to;
  }
  return lines;
}

function columnOf<Total extends OfMethod>(total: Total): Column<Total> {
  const [first = '', second] = total.method.split('-');
  const words: Column<Total>['words'] = second === undefined ? ['', first] : [first, second];
  return { total, words, width: Math.max(6, ...words.map(widthOf)) + 2 };
}

function widthOfAll(columns: readonly Column<unknown>[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** What lines are laid out on: the paper, and the width of the column with the measures. */
interface Layout {
  readonly paper: Paper;
  readonly label: number;
}

function partLines<Total>(
  groups: readonly Group<Total>[],
  columns: readonly Column<Total>[],
  layout: Layout,
): readonly string[] {
  const { paper, label } = layout;
  const heads = [0, 1].map((at) =>
    padEnd('', label).concat(
      columns.map(({ words, width }) => padStart(words[at]!, width)).join(''),
    ),
  );
  return [
    ...heads.filter((line) => line.trim() !== ''),
    ...groups.flatMap(({ title, rows }) => [
      paper.paint(title, 'bold'),
      ...rows.map((row) => rowLine(row, columns, layout)),
    ]),
  ];
}

/** A row, the best of its values in bold. */
function rowLine<Total>(
  row: Row<Total>,
  columns: readonly Column<Total>[],
  { paper: { paint }, label }: Layout,
): string {
  const values = columns.map(({ total }) => row.value(total));
  const known = values.filter((value) => value !== null);
  const best = row.isRated && known.length > 1 ? Math.max(...known) : null;
  const cells = values.map((value, index) => {
    const cell = padStart(value === null ? '-' : row.show(value), columns[index]!.width);
    return value !== null && value === best ? paint(cell, 'bold') : cell;
  });
  return padEnd(`  ${row.label}`, label) + cells.join('');
}
