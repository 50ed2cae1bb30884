import { renameSync } from 'node:fs';
import { link, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { unavailable } from '../driver-store.ts';
import { copyIgnoreFile } from '../files/make-folder.ts';
import { claimFolder } from './identity.ts';
import { inUse, isLocked, openAlready } from './in-use.ts';
import { noteOwner, storeOwner } from './owner.ts';

// A store that is to be moved must be nobody's meanwhile, and LevelDB would change one that it opens. Its
// lock is on the file LOCK, under whatever name: so an empty database beside the store, whose LOCK is a
// second name for that of the store, has the store, and never reads it.

/** A store that nobody opens meanwhile. */
export interface HeldStore {
  /** Its real path. */
  readonly path: string;
  /** Moves it to `aside`, and the folder `next` into its place; where either cannot be, all stays as it was. */
  swap(folders: { readonly next: string; readonly aside: string }): Promise<void>;
  release(): Promise<void>;
}

/** Keeps everybody else from opening the store in a folder that is there; throws `STORE_IN_USE`. `command` says what for. */
export async function holdStore(location: string, command: string): Promise<HeldStore> {
  const claim = await claimFolder(location);
  if ('openAs' in claim) throw openAlready(location, claim.openAs);
  const { path } = claim;
  let db: Level | undefined;
  let place: string | undefined;
  const release = async (): Promise<void> => {
    await db?.close().catch(() => undefined);
    if (place !== undefined) await rm(place, { recursive: true, force: true });
    claim.release();
  };
  try {
    place = await mkdtemp(`${path}.held-`);
    const isLinked = await shareLock(path, place);
    const owner = await storeOwner(path);
    if (!isLinked && owner !== undefined) throw await inUse(location);
    db = new Level(place);
    await db.open();
    let isMoved = false;
    const note = await noteOwner(path, command);
    return {
      path,
      async swap(folders) {
        await copyIgnoreFile(path, folders.next);
        // What lies there afterwards is another's to open.
        await note.remove();
        isMoved = true;
        swapFolders(path, folders);
      },
      async release() {
        if (!isMoved) await note.remove();
        await release();
      },
    };
  } catch (error) {
    await release();
    if (isLocked(error)) throw await inUse(location, error);
    throw (error as { code?: string }).code === 'STORE_IN_USE'
      ? error
      : unavailable(location, (error as Error).cause ?? error);
  }
}

/** Gives the lock of a store a second name; false on a disk that has none. The file is not opened where it is there: that could give the lock up. */
async function shareLock(path: string, place: string): Promise<boolean> {
  const lock = join(path, 'LOCK');
  await writeFile(lock, '', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return link(lock, join(place, 'LOCK')).then(
    () => true,
    () => false,
  );
}

function swapFolders(path: string, { next, aside }: { next: string; aside: string }): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    throw unavailable(path, error);
  }
  try {
    renameSync(next, path);
  } catch (error) {
    renameSync(aside, path);
    throw unavailable(path, error);
  }
}
