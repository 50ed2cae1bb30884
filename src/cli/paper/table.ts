import type { Paper } from './paper.ts';
import { cut, widthOf } from './width.ts';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Whether it is cut when the line is too long; one column of a table is. */
  readonly gives?: boolean;
}

/** A column with what stands in it. */
export interface FilledColumn extends Column {
  /** A cell for each row. */
  readonly cells: readonly string[];
  /** Their widths, the title's first. */
  readonly widths: readonly number[];
}

/** The column with these cells, measured. */
export const filled = <T extends Column>(
  column: T,
  cells: readonly string[],
): T & FilledColumn => ({ ...column, cells, widths: [column.title, ...cells].map(widthOf) });

/** The width of the widest cell of a column, its title's at least. */
export const widestIn = ({ widths }: FilledColumn): number =>
  widths.reduce((most, one) => (one > most ? one : most), 0);

/** Rows under their titles, in the width of the paper; the giving column is cut where lines are. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paper: Pick<Paper, 'longest' | 'glyphs'>,
): readonly string[] {
  const held = columns.map((column, index) =>
    filled(
      column,
      rows.map((row) => row[index] ?? ''),
    ),
  );
  return tableOf(held, paper);
}

/** The lines of a table of columns that have as many cells each. */
export function tableOf(
  columns: readonly FilledColumn[],
  { longest, glyphs }: Pick<Paper, 'longest' | 'glyphs'>,
): readonly string[] {
  const widths = columns.map(widestIn);
  const over = widths.reduce((sum, one) => sum + one + 2, -2) - longest;
  const giving = columns.findIndex(({ gives }) => gives === true);
  if (over > 0 && giving >= 0) widths[giving] = Math.max(8, widths[giving]! - over);
  return Array.from(columns[0]?.widths ?? [], (_, at) =>
    columns
      .map(({ title, align, cells, widths: measured }, index) => {
        const width = widths[index]!;
        const whole = at === 0 ? title : cells[at - 1]!;
        const isWhole = measured[at]! <= width;
        const cell = isWhole ? whole : cut(whole, width, glyphs.more);
        // Units that take no cell, or cells beside their unit, are added to what is to be filled.
        const room = width + cell.length - (isWhole ? measured[at]! : widthOf(cell));
        return align === 'right' ? cell.padStart(room) : cell.padEnd(room);
      })
      .join('  ')
      .trimEnd(),
  );
}
