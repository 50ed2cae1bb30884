import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Header } from '../../format.ts';
import { isMachine } from '../../key.ts';
import { toAscii, type SessionLine } from '../../session-line.ts';
import type { Heads, KeyRange, Outlines, RecordKind } from '../../store.ts';
import { format } from '../../upcast.ts';
import type { Inventory } from '../inventory.ts';
import { partitionPoint } from '../../../core/values/partition-point.ts';

// A list of thousands of sessions reads a row of each, and what is owed. While a store is closed these rows
// lie in one file beside LevelDB's, which is read at once, and LevelDB need not be opened for them.
//
//   8413ec3b {"ids":["notes-app"],"said":[1795273407606], … "ends":[49],"owed":[["notes-app:document","document"]]}
//   {"created":1795273407606,"window":8192, … }
//
// What puts the sessions in order, and what is owed, stands in columns on the first line, and below it their
// rows, of which those are read that are shown.
//
// The sum covers the rows and what the file is sealed with: the header of the store, and the sums of its
// MANIFEST and logs as they were noted at the close. So the rows of another moment or store, or changed
// ones, are never taken for those of this one: who opens the store begins another MANIFEST. The owner takes
// the file away with the opening, keeps account of what it writes, and puts it back behind the close. Where
// there is none, or a row was damaged, the rows are read from LevelDB.

/** The file that holds the rows of a closed store by which it is listed. */
export const packedFile = 'sessions.packed';

/** A row as it is packed. */
export type Row = readonly [key: string, value: unknown];

const digits = 8;

/** The format of the file; one of another is not read. */
const packedFormat = 2;

/** What the rows of a store at one moment are sealed with. */
export type Seal = string;

/** Rows that were packed. */
export interface PackedRows {
  /** Those of a stretch, by key; null for a kind that is not packed. */
  range(kind: RecordKind, range: KeyRange): readonly Row[] | null;
  readonly outlines: Outlines;
}

/** What was noted of a store, as far as it is sealed. */
export interface ClosedNote {
  readonly header?: Partial<Header> | undefined;
  readonly manifest?: string;
  readonly inventory?: Inventory | undefined;
  readonly heads?: Heads | undefined;
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
  return text === null ? null : toPacked(text);
}

/** The text of what was packed under `seal`; null where there is none. */
export async function readSealed(location: string, seal: Seal): Promise<string | null> {
  const bytes = await readSmallFile(join(location, packedFile));
  if (bytes === null) return null;
  const body = bytes.subarray(digits + 1);
  return bytes.toString('latin1', 0, digits) === sumOf(seal, body) ? body.toString('latin1') : null;
}

/** Longest file that is read, in bytes. */
const longestFile = 2 ** 28;

/** The bytes of a file; null where there is none, where it is none, as a pipe is that nobody writes to, and where it is longer than any of ours. */
export async function readSmallFile(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile() || found.size > longestFile) return null;
  return readFile(file).catch(() => null);
}

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

/** Columns of the rows of sessions by key, where their JSON ends, and the rows of the outbox. */
interface Columns extends Omit<Outlines, 'row' | 'parents'> {
  readonly parents: readonly (readonly [id: string, parent: string])[];
  readonly ends: readonly number[];
  readonly owed: readonly Row[];
}

/** The text of lines, by key, and of the rows of the outbox. */
export function toText(
  lines: readonly (readonly [key: string, line: SessionLine])[],
  owed: readonly Row[],
): string {
  let end = -1;
  const parents = lines.flatMap(([key, { parent }]) =>
    parent === undefined ? [] : [[key, parent] as const],
  );
  const columns: Columns = {
    ids: lines.map(([key]) => key),
    said: lines.map(([, { said }]) => said),
    updated: lines.map(([, { updated }]) => updated),
    stamps: lines.map(([, { stamp }]) => stamp),
    ends: lines.map(([, { json }]) => (end += json.length + 1)),
    parents,
    owed,
  };
  return [toAscii(JSON.stringify(columns)), ...lines.map(([, { json }]) => json), ''].join('\n');
}

/** What {@link toText} was given. */
export function linesIn(text: string): readonly [Map<string, SessionLine>, Map<string, unknown>] {
  const { columns, json } = columnsIn(text);
  const { ids, said, updated, stamps, parents, owed } = columns;
  const parentOf = new Map(parents);
  const lines = ids.map((id, at): [string, SessionLine] => [
    id,
    {
      json: json(at),
      said: said[at]!,
      updated: updated[at]!,
      stamp: stamps[at]!,
      parent: parentOf.get(id),
    },
  ]);
  return [new Map(lines), new Map(owed)];
}

function columnsIn(text: string): {
  readonly columns: Columns;
  readonly json: (at: number) => string;
} {
  const first = text.indexOf('\n') + 1;
  const columns = JSON.parse(text.slice(0, first)) as Columns;
  const json = (at: number): string =>
    text.slice(first + (at === 0 ? 0 : columns.ends[at - 1]! + 1), first + columns.ends[at]!);
  return { columns, json };
}

function toPacked(text: string): PackedRows {
  const { columns, json } = columnsIn(text);
  const { ids, owed } = columns;
  const parents = new Map(columns.parents);
  const row = (at: number): unknown => JSON.parse(json(at));
  const owing = owed.map(([key]) => key);
  // Durable machines stand behind all sessions.
  const sessions = partitionPoint(ids.length, (at) => !isMachine(ids[at]!));
  return {
    outlines: { ...columns, ids: ids.slice(0, sessions), parents, row },
    range(kind, range) {
      if (kind === 'session') return placesIn(ids, range).map((at) => [ids[at]!, row(at)]);
      return kind === 'outbox' ? placesIn(owing, range).map((at) => owed[at]!) : null;
    },
  };
}

/** The places of the keys in a stretch; no key has a sign beyond ASCII, so the order of units is that of bytes. */
function placesIn(
  keys: readonly string[],
  { gt, gte, lt, lte, reverse = false, limit = Number.POSITIVE_INFINITY }: KeyRange,
): readonly number[] {
  const isBefore = (key: string): boolean => (gt !== undefined && key <= gt) || key < (gte ?? '');
  const isBehind = (key: string): boolean =>
    (lt !== undefined && key >= lt) || (lte !== undefined && key > lte);
  const first = partitionPoint(keys.length, (at) => isBefore(keys[at]!));
  const end = partitionPoint(keys.length, (at) => !isBehind(keys[at]!));
  const found = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  return (reverse ? found.reverse() : found).slice(0, limit);
}
