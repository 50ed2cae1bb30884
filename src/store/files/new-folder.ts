import { existsSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fail } from '../../core/values/error.ts';
import { unavailable } from '../driver-store.ts';
import { inspectFolder } from '../guard.ts';
import { makeStoreFolder } from './make-folder.ts';
import { postgresAddress } from '../postgres/address.ts';

/** The path of a folder that is named; throws `OPTION_INVALID` for an address. */
export function toFolder(named: string): string {
  if (postgresAddress(named) === null) return resolve(named);
  const message = 'This is the address of a database; it takes a folder';
  throw fail('OPTION_INVALID', message, { option: 'folder' });
}

/** What a folder is made for, and the store whose rows come into it: its folder, or its address. */
interface NewFolder {
  readonly for: string;
  readonly of: string;
}

/** Makes the folder where it is not there; throws `OPTION_INVALID` where something is in it, or it lies in the store. */
export async function makeNewFolder(location: string, purpose: NewFolder): Promise<void> {
  const refuse = (why: string): never => {
    const message = `Folder "${location}" ${why}, so it is no place for ${purpose.for}; name a new one`;
    throw fail('OPTION_INVALID', message, { option: 'folder', location });
  };
  if (isAbsolute(purpose.of) && (await isWithin(location, purpose.of))) refuse('lies in the store');
  const { is } = await inspectFolder(location);
  const isEmpty = is === 'nothing' && (await readdir(location).catch(() => [])).length === 0;
  if (!isEmpty) refuse('is not empty');
  await makeStoreFolder(location).catch((error: unknown) => {
    throw unavailable(location, error);
  });
}

/** Whether a path is that of a folder or lies below it, whatever both are called. */
async function isWithin(path: string, folder: string): Promise<boolean> {
  const [inner, outer] = [await realPlace(path), await realPlace(folder)];
  return `${inner}${sep}`.startsWith(`${outer}${sep}`);
}

/** The real path, as far as it is there. */
async function realPlace(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return realpath(path).catch(async () => join(await realPlace(parent), basename(path)));
}

/** Removes all that is in a folder. */
export async function clearFolder(location: string): Promise<void> {
  for (const name of await readdir(location)) await rm(join(location, name), { recursive: true });
}

/**
 * Where a store is moved to that another one takes the place of: the folder that is named, or the first free name of
 * its kind beside it. Throws `OPTION_INVALID` where something is there.
 */
export function asideFolder(
  path: string,
  of: { named?: string | undefined; kind: string },
): string {
  const first = of.named === undefined ? `${path}.${of.kind}` : toFolder(of.named);
  if (!existsSync(first)) return first;
  if (of.named === undefined)
    for (let n = 2; ; n += 1) if (!existsSync(`${first}-${n}`)) return `${first}-${n}`;
  const message = `"${first}" is there already; name a folder that is not`;
  throw fail('OPTION_INVALID', message, { option: 'aside', location: first });
}
