import type { Paper } from './paper.ts';
import { cut, widthOf } from './width.ts';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Whether it is cut when the line is too long; one column of a table is. */
  readonly gives?: boolean;
}

/** Rows under their titles, in the width of the paper; the giving column is cut where lines are. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { longest, glyphs }: Pick<Paper, 'longest' | 'glyphs'>,
): readonly string[] {
  const all = [columns.map(({ title }) => title), ...rows];
  const cells = all.map((row) => columns.map((_, index) => widthOf(row[index] ?? '')));
  const widths = columns.map((_, index) =>
    cells.reduce((most, row) => Math.max(most, row[index]!), 0),
  );
  const over = widths.reduce((sum, one) => sum + one + 2, -2) - longest;
  const giving = columns.findIndex(({ gives }) => gives === true);
  if (over > 0 && giving >= 0) widths[giving] = Math.max(8, widths[giving]! - over);
  return all.map((row, at) =>
    columns
      .map(({ align }, index) => {
        const [width, held] = [widths[index]!, row[index] ?? ''];
        const isWhole = cells[at]![index]! <= width;
        const cell = isWhole ? held : cut(held, width, glyphs.more);
        const space = ' '.repeat(
          Math.max(0, width - (isWhole ? cells[at]![index]! : widthOf(cell))),
        );
        return align === 'right' ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}
