/**
 * Rows as a table in Markdown. The first row is its head; a row of one cell is a title across it. Columns but the first
 * are numbers unless told, and stand to the right.
 */
export function markdownTable(
  rows: readonly (readonly string[])[],
  { numbers = true }: { readonly numbers?: boolean } = {},
): string {
  const [head = [], ...rest] = rows;
  const whole = rows.filter(({ length }) => length === head.length);
  const widths = head.map((_, column) => Math.max(...whole.map((row) => row[column]!.length)));
  const isRight = (column: number): boolean => numbers && column > 0;
  const line = (cells: readonly string[]): string =>
    `| ${widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return isRight(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(' | ')} |`;
  const rule = widths.map((width, column) =>
    isRight(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), line(rule), ...rest.map(line)].join('\n');
}
