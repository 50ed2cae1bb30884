import type { Paper } from './paper.ts';
import { cut, padEnd, padStart, widthOf } from './width.ts';

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
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => widthOf(row[index] ?? ''))),
  );
  const over = widths.reduce((sum, one) => sum + one + 2, -2) - longest;
  const giving = columns.findIndex(({ gives }) => gives === true);
  if (over > 0 && giving >= 0) widths[giving] = Math.max(8, widths[giving]! - over);
  return all.map((row) =>
    columns
      .map(({ align }, index) => {
        const cell = cut(row[index] ?? '', widths[index]!, glyphs.more);
        return align === 'right' ? padStart(cell, widths[index]!) : padEnd(cell, widths[index]!);
      })
      .join('  ')
      .trimEnd(),
  );
}
