import type { Header } from '../format.ts';
import { storeIdOf } from '../record.ts';
import { fileRows } from './file-rows.ts';
import { placeOf, type Version } from './version.ts';

// Which rows are those of a store is told by its id, and of a damaged store each place that holds it may be
// lost, or be that of another one. So they have a vote each: what was noted, each header, and most of the rows.

/** The id of the store in files; of several with as many votes, the one that was `noted`. */
export function storeIdIn(files: Iterable<Buffer>, noted: number | undefined): number {
  const votes = new Map<number, number>(noted === undefined ? [] : [[noted, 1]]);
  const rows = new Map<number, number>();
  for (const bytes of files) {
    const headers = new Set<number>();
    for (const row of fileRows(bytes, null)) {
      const { kind, id } = claimOf(row);
      if (id === null) continue;
      if (kind === 'meta') headers.add(id);
      else add(rows, id);
    }
    for (const id of headers) add(votes, id);
  }
  const most = largest(rows);
  if (most !== undefined) add(votes, most);
  return largest(votes) ?? 0;
}

/** The store that a row says it is of: a header by its value, any other by its sum. */
function claimOf({ key: whole, text }: Version): {
  readonly kind?: string;
  readonly id: number | null;
} {
  const place = placeOf(whole);
  if (place === null || text === null) return { id: null };
  const id = storeIdOf(place.kind, place.key, text);
  if (place.kind !== 'meta') return { kind: place.kind, id };
  return { kind: 'meta', id: id === 0 ? (JSON.parse(text.slice(9)) as Header).id : null };
}

const add = (counts: Map<number, number>, id: number): void =>
  void counts.set(id, (counts.get(id) ?? 0) + 1);

/** The first that is counted most often. */
const largest = (counts: ReadonlyMap<number, number>): number | undefined =>
  [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
