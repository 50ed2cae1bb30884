import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../core/values/error.ts';
import { inspectFolder } from './guard.ts';

/** Makes the folder for `what` where it is not there; throws `OPTION_INVALID` where something is in it. */
export async function makeNewFolder(location: string, what: string): Promise<void> {
  const { is } = await inspectFolder(location);
  const isEmpty = is === 'nothing' && (await readdir(location).catch(() => [])).length === 0;
  if (!isEmpty) {
    const message = `Folder "${location}" is not empty, so it is no place for ${what}; name a new one`;
    throw fail('OPTION_INVALID', message, { option: 'folder', location });
  }
  await mkdir(location, { recursive: true, mode: 0o700 });
}

/** Removes all that is in a folder. */
export async function clearFolder(location: string): Promise<void> {
  for (const name of await readdir(location)) await rm(join(location, name), { recursive: true });
}
