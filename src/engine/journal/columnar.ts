// Hundreds of objects of one shape (the lines of a chronicle) take half the room as
// columns: each key once, with the values of all. Alike values are neighbors then,
// and four thousand lines are parsed as a dozen lists, not as four thousand.

/** Objects of one shape, as JSON. */
interface Columns {
  readonly length: number;
  /** The values of each key, in the order of the objects. */
  readonly columns: readonly (readonly [key: string, values: readonly unknown[]])[];
}

/** A list as columns, where all members have the same keys in the same order, else as it is. */
export type Tabular<T> = Columns | readonly T[];

/** The columns of a list of plain objects. */
export function toTable<T extends object>(list: readonly T[]): Tabular<T> {
  const keys = Object.keys(list[0] ?? {});
  const isAlike = list.every((member) => {
    let at = 0;
    for (const key in member) if (key !== keys[at++]) return false;
    return at === keys.length;
  });
  if (!isAlike) return list;
  const columns = keys.map((key) => [key, list.map((member) => member[key as keyof T])] as const);
  return { length: list.length, columns };
}

/** The list that columns were made of. */
export function fromTable<T extends object>(table: Tabular<T>): readonly T[] {
  if (!('columns' in table)) return table;
  const { length, columns } = table;
  const list: T[] = [];
  for (let at = 0; at < length; at += 1) {
    const member: Record<string, unknown> = {};
    for (const [key, values] of columns) member[key] = values[at];
    list.push(member as T);
  }
  return list;
}
