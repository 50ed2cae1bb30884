import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { isMissing } from '../files/if-there.ts';
import { isAlive } from './owner.ts';

// Copies for reading lie inside the store: there their tables need no bytes, and whoever deletes the
// store deletes them. A process removes its own when it closes or ends them; what one left that was
// killed is removed by the next that opens the store.

/** The folder in a store that holds copies of it for reading. */
export const copiesFolder = 'readers';

const held = new Set<string>();
let isWatching = false;

/** A folder for one copy. */
export interface CopyFolder {
  readonly path: string;
  /** Removes it with all that is in it. */
  remove(): Promise<void>;
}

/** A new folder for a copy in `place`, which is made; removed at the latest when the process ends. */
export async function newCopyFolder(place: string): Promise<CopyFolder> {
  // Who only lists makes no copy, and loads nothing for it.
  const { randomUUID } = process.getBuiltinModule('node:crypto');
  const path = join(place, `${ourMark()}${process.pid}-${randomUUID()}`);
  // Held before it is there: another opening of this process may look for what is left over at that moment.
  held.add(path);
  if (!isWatching) process.once('exit', removeAll);
  isWatching = true;
  await makeIn(place, path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      held.delete(path);
      if (basename(place) === copiesFolder) await rmdir(place).catch(() => undefined);
    },
  };
}

/** Another process may remove the place, which was empty, before there is something in it. */
async function makeIn(place: string, path: string, left = 20): Promise<void> {
  await mkdir(place, { mode: 0o700 }).catch(ignore('EEXIST'));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await makeIn(place, path, left - 1);
  }
}

/** Removes the copies in a store whose processes are gone; gives the names of those that are there still. */
export async function sweepCopies(location: string): Promise<readonly string[]> {
  const place = join(location, copiesFolder);
  // What cannot be looked into may hold some.
  const names = await readdir(place).catch((error: unknown) => (isMissing(error) ? [] : ['']));
  const left: string[] = [];
  for (const name of names) {
    const path = join(place, name);
    if (isInUse(name, path) || !(await isRemoved(path))) left.push(name);
  }
  if (names.length > 0 && left.length === 0) await rmdir(place).catch(() => undefined);
  return left;
}

const isRemoved = (path: string): Promise<boolean> =>
  rm(path, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );

/** Whether a copy may still be read; of another machine that shares the folder nobody knows. */
function isInUse(name: string, path: string): boolean {
  if (held.has(path) || !name.startsWith(ourMark())) return true;
  const pid = Number.parseInt(name.slice(ourMark().length), 10);
  return pid !== process.pid && isAlive(pid);
}

/** Begins the names of the copies of this machine. */
const ourMark = (): string => `flamestack-copy-${hostname().replace(/[^\w.]/g, '_')}-`;

function removeAll(): void {
  for (const path of held) rmSync(path, { recursive: true, force: true });
}

const ignore =
  (code: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error;
  };
