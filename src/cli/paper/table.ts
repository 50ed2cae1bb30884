import type { Paper } from './paper.ts';
import { cut, isOneEach, widthOf } from './width.ts';

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
  /** The width of the widest of them and of the title. */
  readonly width: number;
  /** Whether each cell is as wide as it has units. */
  readonly isPlain: boolean;
}

/** The column with these cells, measured. */
export function filled<T extends Column>(column: T, cells: readonly string[]): T & FilledColumn {
  // Of thousands of cells, one look at all takes a tenth of a look at each.
  const isPlain = isOneEach(column.title) && isOneEach(cells.join(''));
  let width = widthOf(column.title);
  for (const cell of cells) {
    const taken = isPlain ? cell.length : widthOf(cell);
    if (taken > width) width = taken;
  }
  return { ...column, cells, width, isPlain };
}

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
  const over = columns.reduce((sum, { width }) => sum + width + 2, -2) - longest;
  const giving = over > 0 ? columns.find(({ gives }) => gives === true) : undefined;
  const fitted = columns.map((column) =>
    column === giving ? narrowed(column, Math.max(8, column.width - over), glyphs.more) : column,
  );
  const line = (at: number): string => {
    const parts: string[] = [];
    let gap = 0;
    for (const { title, align, cells, width, isPlain } of fitted) {
      const cell = at < 0 ? title : cells[at]!;
      const room = width - (isPlain ? cell.length : widthOf(cell));
      parts.push(spaces(align === 'right' ? gap + room : gap), cell);
      gap = align === 'right' ? 2 : room + 2;
    }
    return parts.join('').trimEnd();
  };
  return Array.from({ length: (columns[0]?.cells.length ?? -1) + 1 }, (_, at) => line(at - 1));
}

/** So many spaces; those of most columns are made once. */
const spaces = (count: number): string => (spaceCache[count] ??= ' '.repeat(Math.max(0, count)));
const spaceCache: string[] = [];

/** The column with its cells cut to a width. */
function narrowed(column: FilledColumn, width: number, more: string): FilledColumn {
  const cells = column.cells.map((cell) => cut(cell, width, more));
  return { ...column, title: cut(column.title, width, more), cells, width };
}
