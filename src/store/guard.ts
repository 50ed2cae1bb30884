import { existsSync } from 'node:fs';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../core/values/error.ts';
import type { Header } from './format.ts';
import { ifThere } from './files/if-there.ts';
import { copiesFolder } from './level/copy-folder.ts';
import { toHeads } from './level/heads.ts';
import { isOpenHere } from './level/identity.ts';
import { changesSince, damageOfTable, takeInventory, type Inventory } from './level/inventory.ts';
import type { FileDamage } from './store.ts';
import { batchesOf, findDamage, mayBeLog } from './level/level-log.ts';
import { readManifest } from './level/manifest.ts';
import { ownerFile, storeOwner } from './level/owner.ts';
import { packedFile } from './level/packed/packed-rows.ts';
import { searchFile } from './level/packed/packed-search.ts';
import type { Heads } from './store.ts';

// LevelDB takes a folder without CURRENT for a new one, and one with a shortened MANIFEST for an older
// one; both times it deletes the tables that it then knows nothing of. So we look before it does. A
// MANIFEST only ever grows, and each open begins a new one: its name and size are noted at open and at
// close, and a store that has less than was noted is refused. At close all other files are noted, too.
// After a crash they are as they may be; but the log that the MANIFEST names is there, and where each
// batch was synced, none is damaged before its end.
//
// LOCK is never opened here: on POSIX, closing any handle on it would give up the process's lock.

/** The file that keeps the length of the MANIFEST as last seen. */
const guardFile = 'guard.json';

const record = /^\d+\.(ldb|sst|log)$/;
const manifestName = /^MANIFEST-(\d+)$/;
const logName = /^(\d+)\.log$/;
const ownFile = new RegExp(
  `^(CURRENT|MANIFEST-\\d+|\\d+\\.(ldb|sst|log|dbtmp)|LOCK|LOG|LOG\\.old|${ownerFile}(\\.tmp)?|${copiesFolder}|${packedFile}(\\.tmp)?|${searchFile}|${guardFile}((\\.closed)?\\.tmp)?)$`,
);
/** Files that a folder may hold without being foreign. */
const harmless = new Set(['.DS_Store', '.gitignore', '.gitkeep', 'lost+found']);

/** What a folder holds: a store, and what was noted of it; nothing, or nothing yet; or the files of somebody else, one of which is named. */
export type FolderState =
  | { is: 'store'; noted: Partial<Noted> }
  | { is: 'nothing' }
  | { is: 'foreign'; stranger: string };

/**
 * What the folder at `location` holds; changes nothing. Throws `STORE_DAMAGED` where there are data and
 * LevelDB would delete them, and `OPTION_INVALID` where `location` is no folder.
 */
export async function inspectFolder(location: string): Promise<FolderState> {
  let found = await look(location);
  // Another process that is opening the store right now may have changed it between two looks of ours.
  for (let left = moreLooks; left > 0 && 'damage' in found; left -= 1) found = await look(location);
  if (!('damage' in found)) return found;
  const { damage, file } = found;
  const message = `Store "${location}" is damaged: ${damage}. Nothing was touched; put a backup in its place`;
  throw fail('STORE_DAMAGED', message, { location, file });
}

/** Looks at a folder in which something is not as it should be. */
const moreLooks = 3;

/** {@link folderState}; a file that went while it was read is one that is missing. */
const look = (location: string): Promise<FolderState | FileDamage> =>
  folderState(location).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    const file = basename(error.path ?? 'CURRENT');
    return { damage: `${file} is missing`, file };
  });

/** How a store was opened. */
export interface Opening {
  /** The header that it was found to have. */
  readonly header: Header;
  /** Whether each batch is synced. */
  readonly sync: boolean;
  /** How far its sessions had come. */
  readonly heads?: Heads;
}

/** Notes the MANIFEST as it is, and how the store was opened; call it with the lock held. */
export async function noteManifest(location: string, opening: Opening): Promise<void> {
  await writeNote(location, { ...opening, ...(await manifestOf(location)) }, `${guardFile}.tmp`);
}

/** What was noted of a store when it was last opened or closed, as far as it can be read; changes nothing. */
export async function readNoted(location: string): Promise<Partial<Noted>> {
  return (await readNote(location)) ?? {};
}

/** What is noted of a store. */
export interface Noted {
  /** The header that it had; without what nobody noted. */
  readonly header?: Partial<Header> | undefined;
  /** How far its sessions had come. */
  readonly heads?: Heads | undefined;
  /** The MANIFEST then. */
  readonly manifest?: string;
  /** All files; there where the store was closed. */
  readonly inventory?: Inventory | undefined;
}

/**
 * Notes all files of a store that was just closed, and gives what it noted. Another process may have opened it by now: it began
 * another MANIFEST, so that nobody asks what a note says of this one.
 */
export async function noteFiles(location: string, opening: Opening): Promise<Partial<Noted>> {
  const { manifest } = await manifestOf(location);
  const inventory = await takeInventory(location);
  const size = inventory.sizes[manifest];
  if (size === undefined) return {};
  const note = { ...opening, manifest, size, inventory };
  // A name of its own: who opens it notes at the same moment.
  await writeNote(location, note, `${guardFile}.closed.tmp`);
  return note;
}

/** What is kept in the guard's file. */
interface Note extends Noted {
  readonly manifest: string;
  readonly size: number;
  /** Whether each batch is synced. */
  readonly sync?: boolean | undefined;
}

async function manifestOf(location: string): Promise<Note> {
  const manifest = (await readFile(join(location, 'CURRENT'), 'utf8')).trim();
  const { size } = await stat(join(location, manifest));
  return { manifest, size };
}

/** Writes a note in one step, by way of a file that nobody else writes at that time. */
async function writeNote(location: string, note: Note, aside: string): Promise<void> {
  const temporary = join(location, aside);
  const { heads, ...rest } = note;
  const text = JSON.stringify({ ...rest, heads: heads && Object.fromEntries(heads) });
  await writeFile(temporary, `${text}\n`, { mode: 0o600 });
  await rename(temporary, join(location, guardFile));
}

async function folderState(location: string): Promise<FolderState | FileDamage> {
  const files = await namesIn(location);
  if (files.includes('CURRENT')) {
    const noted = await readNote(location);
    return (await damageOf(location, noted)) ?? { is: 'store', noted: noted ?? {} };
  }
  const orphan = files.find((file) => record.test(file));
  if (orphan !== undefined)
    return { damage: `it has data (${orphan}) and no CURRENT`, file: 'CURRENT' };
  const stranger = files.find((file) => !ownFile.test(file) && !harmless.has(file));
  return stranger === undefined ? { is: 'nothing' } : { is: 'foreign', stranger };
}

async function namesIn(location: string): Promise<readonly string[]> {
  try {
    return await readdir(location);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code !== 'ENOTDIR') throw error;
    throw fail('OPTION_INVALID', `Location "${location}" is not a folder`, { option: 'location' });
  }
}

async function damageOf(location: string, noted: Note | null): Promise<FileDamage | null> {
  const current = await ifThere(readFile(join(location, 'CURRENT'), 'utf8'), '');
  const file = current.trimEnd();
  if (!manifestName.test(file) || current !== `${file}\n`)
    return { damage: 'CURRENT names no MANIFEST', file: 'CURRENT' };
  const size = (await ifThere(stat(join(location, file)), null))?.size ?? 0;
  if (size === 0) return { damage: `${file} is missing or empty`, file };
  if (noted === null) return null;
  if (generation(noted.manifest) > generation(file)) {
    const damage = `CURRENT names ${file} and named ${noted.manifest}`;
    return { damage, file: 'CURRENT' };
  }
  if (noted.manifest !== file) return null;
  if (size < noted.size) return { damage: `${file} has ${size} bytes and had ${noted.size}`, file };
  if (noted.inventory !== undefined) {
    for await (const change of changesSince(location, noted.inventory)) return change;
    return null;
  }
  // Whoever has it open writes to its logs right now; LevelDB says so.
  const owner = await storeOwner(location);
  const isElsewhere = owner !== undefined && owner.pid !== process.pid;
  if (isElsewhere || (await isOpenHere(location))) return null;
  const damage = await damageOfLogs(location, file, noted.sync === true);
  return damage ?? damageOfTables(location, file);
}

/** How much of the tables of a store that was not closed is looked at, in bytes: the rest is read by `verify`. */
const mostOfTables = 64 * 2 ** 20;

/** What is wrong with the newest tables that a MANIFEST names. */
async function damageOfTables(location: string, manifest: string): Promise<FileDamage | null> {
  const end = readManifest(await readFile(join(location, manifest)));
  let left = mostOfTables;
  for (const number of end?.tables.toSorted((a, b) => b - a) ?? []) {
    const name = String(number).padStart(6, '0');
    const file = existsSync(join(location, `${name}.sst`)) ? `${name}.sst` : `${name}.ldb`;
    left -= (await ifThere(stat(join(location, file)), null))?.size ?? 0;
    if (left < 0) return null;
    for await (const damage of damageOfTable(location, file)) return damage;
  }
  return null;
}

/** What is wrong with the logs of a store that was not closed. */
async function damageOfLogs(
  location: string,
  manifest: string,
  isSynced: boolean,
): Promise<FileDamage | null> {
  const end = readManifest(await readFile(join(location, manifest)));
  if (end === null) return null;
  const logs = (await readdir(location))
    .filter((name) => Number(logName.exec(name)?.[1]) >= end.log)
    .toSorted();
  if (!logs.some((name) => Number(logName.exec(name)?.[1]) === end.log)) {
    const file = `${String(end.log).padStart(6, '0')}.log`;
    return { damage: `${file} is missing, which ${manifest} names`, file };
  }
  // Changes are numbered without a gap, from that on which the MANIFEST names or one before.
  let next: number | null = null;
  for (const file of logs) {
    const log = await ifThere(readFile(join(location, file)), Buffer.alloc(0));
    if (!mayBeLog(log)) return { damage: `${file} is no log`, file };
    const at = isSynced ? findDamage(log) : null;
    if (at !== null)
      return { damage: `${file} is damaged at byte ${at}, and goes on behind it`, file };
    for (const batch of batchesOf(log)) {
      const isFirst = batch.begin === end.newest + 1 || (end.isGrown && batch.begin <= end.newest);
      const isNext = next === null ? isFirst : batch.begin === next;
      if (!isNext && (isSynced || next === null))
        return { damage: `${file} lacks what came before byte ${batch.at}`, file };
      next = batch.end;
    }
  }
  if (next === null || next > end.newest) return null;
  const file = logs.at(-1)!;
  return { damage: `${file} ends before what ${manifest} knows of`, file };
}

/** The last note, or null where there is none that can be read: then only the plain damages are seen. */
async function readNote(location: string): Promise<Note | null> {
  const text = await ifThere(readFile(join(location, guardFile), 'utf8'), '');
  try {
    // The heads of thousands stand behind all else, and are read by few; no brace is in them.
    const begin = text.lastIndexOf(',"heads":{');
    const at = text.indexOf('}', begin) === text.length - '}}\n'.length ? begin : -1;
    const apart = at < 0 ? text : `${text.slice(0, at)}}`;
    const note = JSON.parse(apart) as { [field in keyof Note]: unknown };
    const { header, manifest, size, sync, inventory } = note;
    let heads: Heads | undefined | null = null;
    if (typeof manifest !== 'string' || typeof size !== 'number') return null;
    return {
      header: typeof header === 'object' && header !== null ? header : {},
      manifest,
      size,
      sync: sync === true,
      get heads() {
        if (heads === null)
          heads = toHeads(at < 0 ? note.heads : headsIn(`{${text.slice(at + 1)}`));
        return heads;
      },
      inventory: isInventory(inventory) ? inventory : undefined,
    };
  } catch {
    return null;
  }
}

/** The heads that a text holds; undefined where it cannot be read. */
function headsIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly heads: unknown }).heads;
  } catch {
    return undefined;
  }
}

function isInventory(value: unknown): value is Inventory {
  const { sizes, sums } = Object(value) as Readonly<Record<string, unknown>>;
  return [sizes, sums].every((part) => typeof part === 'object' && part !== null);
}

const generation = (manifest: string): number => Number(manifestName.exec(manifest)?.[1] ?? 0);
