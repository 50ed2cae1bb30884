import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Header } from '../../format.ts';
import type { KeyRange, RecordKind } from '../../store.ts';
import { format } from '../../upcast.ts';
import type { Inventory } from '../inventory.ts';

// A list of thousands of sessions reads a row of each, and what is owed. While a store is closed these rows
// lie in one file beside LevelDB's, which is read at once, and LevelDB need not be opened for them.
//
//   8413ec3b [[
//   ["notes-app",{"created":1795273407606,"window":8192}]
//   ],[
//   ["notes-app:document%002017","document"]
//   ]]
//
// The sum covers the rows and what the file is sealed with: the header of the store, and the sums of its
// MANIFEST and logs as they were noted at the close. So the rows of another moment or store, or changed
// ones, are never taken for those of this one: who opens the store begins another MANIFEST. The owner takes
// the file away with the opening, keeps account of what it writes, and puts it back behind the close. Where
// there is none, or a row was damaged, the rows are read from LevelDB.

/** The file that holds the rows of a closed store by which it is listed. */
export const packedFile = 'sessions.packed';

/** The kinds that are packed, in the order of the file. */
export const packedKinds: readonly RecordKind[] = ['session', 'outbox'];

/** A row as it is packed. */
type Row = readonly [key: string, value: unknown];

const digits = 8;

/** The format of the file; one of another is not read. */
const packedFormat = 1;

/** What the rows of a store at one moment are sealed with. */
export type Seal = string;

/** Rows that were packed. */
export interface PackedRows {
  /** Those of a stretch, by key; null for a kind that is not packed. */
  range(kind: RecordKind, range: KeyRange): readonly Row[] | null;
}

/** What was noted of a store, as far as it is sealed. */
export interface ClosedNote {
  readonly header?: Partial<Header> | undefined;
  readonly manifest?: string;
  readonly inventory?: Inventory | undefined;
}

/** The seal of a store that was closed as it was noted, and that nobody opened since; null for any other. */
export async function sealOf(location: string, noted: ClosedNote): Promise<Seal | null> {
  const { header, manifest, inventory } = noted;
  if (inventory === undefined || header?.version !== format) return null;
  const current = await readFile(join(location, 'CURRENT'), 'utf8').catch(() => '');
  return current === `${manifest}\n` ? toSeal(header, inventory.sums) : null;
}

const toSeal = (header: Partial<Header>, sums: object): Seal =>
  JSON.stringify([packedFormat, header.version, header.id, sums]);

/** The rows that were packed under `seal`; null where there are none. */
export async function readPacked(location: string, seal: Seal): Promise<PackedRows | null> {
  const text = await readSealed(location, seal);
  return text === null ? null : toPacked(JSON.parse(text) as Row[][]);
}

/** The text of the rows that were packed under `seal`; null where there is none. */
export async function readSealed(location: string, seal: Seal): Promise<string | null> {
  const bytes = await readFile(join(location, packedFile)).catch(() => null);
  if (bytes === null) return null;
  const body = bytes.subarray(digits + 1);
  return bytes.toString('latin1', 0, digits) === sumOf(seal, body) ? body.toString('latin1') : null;
}

/** The text of the rows of each kind, a line each, in any order. */
export const toText = (lines: readonly (readonly string[])[]): string =>
  `[[\n${lines.map((some) => some.join(',\n')).join('\n],[\n')}\n]]`;

/** The lines of a text that {@link toText} made. */
export const linesIn = (text: string): readonly (readonly string[])[] =>
  text
    .slice('[[\n'.length, -'\n]]'.length)
    .split('\n],[\n')
    .map((some) => (some === '' ? [] : some.split(',\n')));

/** A row on its line, in ASCII: text of one byte a sign is read in half the time. */
export const toLine = (row: Row): string =>
  JSON.stringify(row).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Packs the text of rows under `seal`. */
export async function writeSealed(location: string, seal: Seal, body: string): Promise<void> {
  const file = join(location, packedFile);
  await writeFile(`${file}.tmp`, `${sumOf(seal, body)} ${body}`, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}

/** Takes away what is packed, and what a killed process left of it. */
export async function removePacked(location: string): Promise<void> {
  const file = join(location, packedFile);
  await Promise.all([file, `${file}.tmp`].map((one) => rm(one, { force: true })));
}

const sumOf = (seal: Seal, body: Uint8Array | string): string =>
  crc32(body, crc32(seal)).toString(16).padStart(digits, '0');

function toPacked(packed: readonly (readonly Row[])[]): PackedRows {
  // No key has a sign beyond ASCII, so the order of units is that of bytes.
  const sorted = packed.map((rows) => rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return {
    range(kind, { gt, gte, lt, lte, reverse = false, limit = Number.POSITIVE_INFINITY }) {
      const rows = sorted[packedKinds.indexOf(kind)];
      if (rows === undefined) return null;
      const first = firstOf(rows, (key) => (gt === undefined || key > gt) && !(key < (gte ?? '')));
      const end = firstOf(
        rows,
        (key) => (lt !== undefined && key >= lt) || (lte !== undefined && key > lte),
      );
      const found = rows.slice(first, end);
      return (reverse ? found.reverse() : found).slice(0, limit);
    },
  };
}

/** Where the first key is that `is` true of, as of all behind it; the end for none. */
function firstOf(rows: readonly Row[], is: (key: string) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (is(rows[middle]![0])) high = middle;
    else low = middle + 1;
  }
  return low;
}
