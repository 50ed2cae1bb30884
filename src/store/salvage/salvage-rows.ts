import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { fail, isEngineError } from '../../core/values/error.ts';
import { unavailable } from '../driver-store.ts';
import { ifThere } from '../files/if-there.ts';
import { format } from '../upcast.ts';
import { noteFiles, readNoted, type Noted } from '../guard.ts';
import { changesSince, tableDamage } from '../level/inventory.ts';
import type { FileDamage } from '../store.ts';
import { findDamage } from '../level/level-log.ts';
import { clearFolder, makeNewFolder, toFolder } from '../files/new-folder.ts';
import { isMachine, metaKey } from '../key.ts';
import { rowWriter } from '../put-rows.ts';
import { recordCodec } from '../record.ts';
import type { Heads, RecordKind } from '../store.ts';
import { fileRows } from './file-rows.ts';
import { damagedBlock } from './table-rows.ts';
import { unreadKinds, type UnreadFile } from './unread.ts';
import { storeIdIn } from './store-id.ts';
import { isSound, isWhole, placeOf, type Version } from './version.ts';

// LevelDB is not asked to open what is damaged: it drops what it cannot read, believes what it does not
// check, and may end the process. Every file is read for rows, whatever its name. Their versions are put
// into the new store, behind all rows, each under its key and its number; a walk over them then picks the
// newest of each that is sound.

/** What was read of a damaged store. */
export interface SalvagedRows {
  /** Rows that the new store has. */
  readonly rows: number;
  /** Rows of which no version matches its checksum. */
  readonly damaged: readonly { readonly kind: RecordKind; readonly key: string }[];
  readonly files: readonly FileDamage[];
  /** Those of them that held rows: of kinds without a sequence, nobody can name what is lost in them. */
  readonly unread: readonly UnreadFile[];
  /** How far its sessions had come, by what was noted. */
  readonly heads: Heads;
}

/** How a store is salvaged. */
export interface SalvageOptions {
  readonly signal?: AbortSignal;
  /** Called with each file, and each session; with the share of these that is done, 0 to 1, where it is known. */
  readonly onProgress?: (progress: { readonly of: string; readonly share?: number }) => void;
}

/** What LevelDB has beside the methods of every database of its family. */
interface Compacting {
  compactRange(start: string, end: string): Promise<void>;
}

/** Begins the keys of versions; every row's own begins with `!`. */
const aside = '~';
const beyond = '\u007F';
const numberWidth = 17;
const largestNumber = 2 ** 50;
const headerKey = metaKey('format');
/** What stands for a record that is not sound. */
const unsound = '?';

/** Writes all rows that can be read of the store at `location` into a new one in `folder`; the old one is only read. */
export async function salvageRows(
  location: string,
  folder: string,
  options: SalvageOptions,
): Promise<SalvagedRows> {
  const [from, to] = [toFolder(location), toFolder(folder)];
  const files = await storeFiles(from);
  await makeNewFolder(to, { for: 'what is salvaged', of: from });
  const noted = await readNoted(from);
  const damage = await damageIn(from, files);
  const unread = await unreadIn(from, damage);
  const all = await Promise.all(files.map((file) => bytesOf(from, file)));
  const { version = format, id: known } = noted.header ?? {};
  const header = { version, id: storeIdIn(all, known, isNoteOf(noted, damage)) };
  const db = new Level(to, { errorIfExists: true });
  try {
    await db.open();
    await putVersions(db, { from, files, options, id: header.id });
    const { rows, damaged } = await pickVersions(db, options);
    await db.put(`!meta!${headerKey}`, recordCodec(0).encode('meta', headerKey, header));
    await db.clear({ gte: aside });
    await (db as unknown as Compacting).compactRange('!', beyond);
    await db.close();
    const heads = noted.heads ?? new Map();
    const machines = new Map([...heads].filter(([id]) => isMachine(id)));
    // How far a session has come is told by what is made of its rows; a machine stays as it was.
    await noteFiles(to, { header, sync: true, heads: machines });
    return { rows: rows + 1, damaged, files: damage, unread, heads };
  } catch (error) {
    await db.close().catch(() => undefined);
    await clearFolder(to);
    options.signal?.throwIfAborted();
    throw isEngineError(error) ? error : unavailable(to, error);
  }
}

/** The files of a store, by name; throws `STORE_NOT_FOUND` where there are none that could hold rows. */
export async function storeFiles(location: string): Promise<readonly string[]> {
  const names = await ifThere(readdir(location), []);
  if (names.some((name) => /^(CURRENT|MANIFEST-\d+|\d+\.(ldb|sst|log))$/.test(name))) return names;
  throw fail('STORE_NOT_FOUND', `There is no store in "${location}"`, { location });
}

/** What is wrong with the files, each once. */
async function damageIn(from: string, files: readonly string[]): Promise<readonly FileDamage[]> {
  const found = new Map<string, FileDamage>();
  const { inventory } = await readNoted(from);
  if (inventory !== undefined)
    for await (const change of changesSince(from, inventory)) found.set(change.file, change);
  for (const file of files) {
    if (found.has(file)) continue;
    const damage = damageOf(file, await bytesOf(from, file));
    if (damage !== null) found.set(file, { file, damage });
  }
  return [...found.values()];
}

/** What is wrong with a file by what it holds, in words; null where nothing says so. */
function damageOf(file: string, bytes: Buffer): string | null {
  if (/\.(ldb|sst)$/.test(file)) {
    const at = damagedBlock(bytes);
    return at === null ? null : tableDamage(file, at);
  }
  const at = file.endsWith('.log') ? findDamage(bytes) : null;
  return at === null ? null : `${file} is damaged at byte ${at}`;
}

/** The damaged files that held rows; one that is missing held any. */
async function unreadIn(
  from: string,
  damage: readonly FileDamage[],
): Promise<readonly UnreadFile[]> {
  const unread: UnreadFile[] = [];
  for (const { file } of damage) {
    if (!/\.(ldb|sst|log)$/.test(file)) continue;
    const bytes = await ifThere(bytesOf(from, file), null);
    unread.push({ file, kinds: unreadKinds(bytes) });
  }
  return unread;
}

async function bytesOf(from: string, file: string): Promise<Buffer> {
  const path = join(from, file);
  const isFile = (await stat(path)).isFile();
  return isFile ? readFile(path) : Buffer.alloc(0);
}

async function putVersions(
  db: Level,
  {
    from,
    files,
    options,
    id,
  }: { from: string; files: readonly string[]; options: SalvageOptions; id: number },
): Promise<void> {
  const writer = rowWriter(db, { sync: false, signal: options.signal });
  for (const [at, file] of files.entries()) {
    options.onProgress?.({ of: file, share: at / files.length });
    const versions = [...fileRows(await bytesOf(from, file), id)];
    if (isForeign(versions, id)) continue;
    for (const version of versions) {
      const value = valueOf(version, id);
      if (value !== null) await writer.put(asideKey(version, value), value);
    }
  }
  await writer.flush();
}

/** Whether what was noted is of this folder: a MANIFEST or log is as it says. */
const isNoteOf = ({ inventory }: Partial<Noted>, damage: readonly FileDamage[]): boolean =>
  Object.keys(inventory?.sums ?? {}).some((name) => damage.every(({ file }) => file !== name));

/** Whether a file has rows and none is of this store: what another one deleted is not deleted here. */
function isForeign(versions: readonly Version[], id: number): boolean {
  const puts = versions.filter(({ key, text }) => text !== null && !key.startsWith('!meta!'));
  return puts.length > 0 && !puts.some(({ key, text }) => isWhole(key, text!, id));
}

/** The newest version of a key comes first, and of several copies of it one that is sound. */
function asideKey({ key, number }: Version, value: string): string {
  // A number that was damaged may be any.
  const rank = 2 * (largestNumber - Math.min(number, largestNumber)) + (value === unsound ? 1 : 0);
  return `${aside}${key}\0${String(rank).padStart(numberWidth, '0')}`;
}

/** What is put aside of a version: '' for a deletion; null where it is no row of ours. */
function valueOf({ key, text }: Version, id: number): string | null {
  const place = placeOf(key);
  if (place === null) return null;
  // A header may be that of another store: this one's is known.
  if (place.kind === 'meta') return null;
  if (text === null) return '';
  return isSound(place, text, id) ? text : unsound;
}

/** Writes the newest sound version of each key, unless a newer one deletes it. */
async function pickVersions(
  db: Level,
  { signal }: SalvageOptions,
): Promise<Pick<SalvagedRows, 'rows' | 'damaged'>> {
  const damaged: { kind: RecordKind; key: string }[] = [];
  let rows = 0;
  const writer = rowWriter(db, { sync: true, signal });
  let open: string | null = null;
  const settle = (): void => {
    const place = open === null ? null : placeOf(open);
    if (place !== null) damaged.push(place);
    open = null;
  };
  let done = '';
  for await (const [whole, value] of db.iterator({ gte: aside })) {
    const key = whole.slice(1, -numberWidth - 1);
    if (key === done) continue;
    if (key !== open) settle();
    if (value === unsound) {
      open = key;
      continue;
    }
    [open, done] = [null, key];
    if (value === '') continue;
    rows += 1;
    await writer.put(key, value);
  }
  settle();
  await writer.flush();
  return { rows, damaged };
}
