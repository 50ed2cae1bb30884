import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store, StoreOptions } from '../../../index.ts';
import { isAddress, type CommandCall } from '../../call/call.ts';
import { exists } from './exists.ts';
import { openWaiting } from './open-store.ts';

/**
 * Opens a store, or makes it, gives it to `work`, and closes it whatever comes of it. Of a store that
 * was made for it nothing is left where no session came into it.
 */
export async function withMadeStore<T>(
  { location, ...options }: StoreOptions & { readonly location: string },
  call: CommandCall,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const isKept = location !== ':memory:' && !isAddress(location);
  const isMade = isKept && (await isEmpty(location));
  const missing = isKept ? await missingFolders(location) : [];
  const store = await openWaiting(location, call, options);
  try {
    return await work(store);
  } finally {
    const isBare = isMade && (await hasNoSession(store));
    await store.close();
    if (isBare) await clear(location, missing);
  }
}

/** Whether nothing is in a folder, or it is not there; one that cannot be looked into may hold a store. */
const isEmpty = (folder: string): Promise<boolean> =>
  readdir(folder).then(
    (names) => names.length === 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );

/** The folder and those it lies in, as far as they are not there, the innermost first. */
async function missingFolders(path: string): Promise<readonly string[]> {
  if (await exists(path)) return [];
  const parent = dirname(path);
  return [path, ...(parent === path ? [] : await missingFolders(parent))];
}

async function hasNoSession(store: Store): Promise<boolean> {
  for await (const _ of store.sessions({ limit: 1 })) return false;
  return true;
}

/** Removes what is in a folder, and of the folders that were made those that are empty then. */
async function clear(location: string, folders: readonly string[]): Promise<void> {
  for (const name of await readdir(location))
    await rm(join(location, name), { recursive: true, force: true });
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}
