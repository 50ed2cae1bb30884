import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../core/values/error.ts';
import { ownerFile } from './owner.ts';

// LevelDB takes a folder without CURRENT for a new one, and one with a shortened MANIFEST for an older
// one; both times it deletes the tables that it then knows nothing of. So we look before it does. A
// MANIFEST only ever grows, and each open begins a new one: its name and size are noted at open and at
// close, and a store that has less than was noted is refused.
//
// LOCK is never opened here: on POSIX, closing any handle on it would give up the process's lock.

/** The file that keeps the length of the MANIFEST as last seen. */
const guardFile = 'guard.json';

const record = /^\d+\.(ldb|sst|log)$/;
const manifestName = /^MANIFEST-(\d+)$/;
const ownFile = new RegExp(
  `^(CURRENT|MANIFEST-\\d+|\\d+\\.(ldb|sst|log|dbtmp)|LOCK|LOG|LOG\\.old|${ownerFile}|${guardFile}(\\.tmp)?)$`,
);
/** Files that a folder may hold without being foreign. */
const harmless = new Set(['.DS_Store', '.gitignore', '.gitkeep', 'lost+found']);

/** What a folder holds: a store; nothing, or nothing yet; or the files of somebody else, one of which is named. */
export type FolderState = { is: 'store' } | { is: 'nothing' } | { is: 'foreign'; stranger: string };

/**
 * What the folder at `location` holds; changes nothing. Throws `STORE_DAMAGED` where there are data and
 * LevelDB would delete them, and `OPTION_INVALID` where `location` is no folder.
 */
export async function inspectFolder(location: string): Promise<FolderState> {
  const first = await folderState(location);
  if (!('damage' in first)) return first;
  // Another process that is opening the store right now may have changed it between two looks of ours.
  const second = await folderState(location);
  if (!('damage' in second)) return second;
  throw fail('STORE_DAMAGED', `Store "${location}" is damaged: ${second.damage}`, { location });
}

/** Notes the MANIFEST as it is; call it with the lock held. */
export async function noteManifest(location: string): Promise<void> {
  const manifest = (await readFile(join(location, 'CURRENT'), 'utf8')).trim();
  const { size } = await stat(join(location, manifest));
  const temporary = join(location, `${guardFile}.tmp`);
  await writeFile(temporary, `${JSON.stringify({ manifest, size })}\n`);
  await rename(temporary, join(location, guardFile));
}

async function folderState(location: string): Promise<FolderState | { damage: string }> {
  const files = await namesIn(location);
  if (files.includes('CURRENT')) return (await damageOf(location)) ?? { is: 'store' };
  const orphan = files.find((file) => record.test(file));
  if (orphan !== undefined) return { damage: `it has data (${orphan}) and no CURRENT` };
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

async function damageOf(location: string): Promise<{ damage: string } | null> {
  const current = await readFile(join(location, 'CURRENT'), 'utf8').catch(() => '');
  const manifest = current.trimEnd();
  if (!manifestName.test(manifest) || current !== `${manifest}\n`) {
    return { damage: 'CURRENT names no MANIFEST' };
  }
  const size = (await stat(join(location, manifest)).catch(() => null))?.size ?? 0;
  if (size === 0) return { damage: `${manifest} is missing or empty` };
  const noted = await readNote(location);
  const least = noted?.manifest === manifest ? noted.size : 0;
  if (size < least) return { damage: `${manifest} has ${size} bytes and had ${least}` };
  if (noted !== null && generation(noted.manifest) > generation(manifest)) {
    return { damage: `CURRENT names ${manifest} and named ${noted.manifest}` };
  }
  return null;
}

/** The last note, or null where there is none that can be read: then only the plain damages are seen. */
async function readNote(location: string): Promise<{ manifest: string; size: number } | null> {
  try {
    const text = await readFile(join(location, guardFile), 'utf8');
    const { manifest, size } = JSON.parse(text) as { manifest: unknown; size: unknown };
    return typeof manifest === 'string' && typeof size === 'number' ? { manifest, size } : null;
  } catch {
    return null;
  }
}

const generation = (manifest: string): number => Number(manifestName.exec(manifest)?.[1] ?? 0);
