// Hundreds of objects of one shape (the names of a ledger) take half the room as
// a table: their keys once, then a row for each.

/** Objects of one shape, as JSON. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A list as it is kept: a table where all members have the same keys in the same order, else as it is. */
export type Tabled<T> = Table | readonly T[];

/** The table of a list of plain objects. */
export function toTable<T extends object>(list: readonly T[]): Tabled<T> {
  const columns = Object.keys(list[0] ?? {});
  const isAlike = list.every((member) => {
    const keys = Object.keys(member);
    return keys.length === columns.length && keys.every((key, at) => key === columns[at]);
  });
  return isAlike ? { columns, rows: list.map((member) => Object.values(member)) } : list;
}

/** The list that a table was made of. */
export function fromTable<T extends object>(table: Tabled<T>): readonly T[] {
  if (!('columns' in table)) return table;
  const { columns, rows } = table;
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])) as T);
}
