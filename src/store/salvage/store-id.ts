import type { Header } from '../format.ts';
import { storeIdOf } from '../record.ts';
import { fileRows } from './file-rows.ts';
import { placeOf, type Version } from './version.ts';

// Which rows are those of a store is told by its id. It is noted beside the rows; where that note is lost, or of
// another store, it is the id that most rows have: each tells the one that it was written under.

/** The id of the store in files: the one that was `noted`, if that is sure, or there is a row of it. */
export function storeIdIn(
  files: Iterable<Buffer>,
  noted: number | undefined,
  isSure: boolean,
): number {
  if (noted !== undefined && isSure) return noted;
  const rows = new Map<number, number>();
  for (const bytes of files)
    for (const row of fileRows(bytes, null)) {
      const id = claimOf(row);
      if (id !== null) rows.set(id, (rows.get(id) ?? 0) + 1);
    }
  if (noted !== undefined && rows.has(noted)) return noted;
  const [most] = [...rows].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? noted ?? 0;
}

/** The store that a row says it is of: a header by its value, any other by its sum; null for what is no row. */
function claimOf({ key: whole, text }: Version): number | null {
  const place = placeOf(whole);
  if (place === null || text === null) return null;
  const id = storeIdOf(place.kind, place.key, text);
  if (place.kind !== 'meta') return id;
  return id === 0 ? (JSON.parse(text.slice(9)) as Header).id : null;
}
