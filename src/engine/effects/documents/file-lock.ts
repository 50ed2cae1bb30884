import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPlain } from './plain-file.ts';
import { isAlive } from '../../../store/level/owner.ts';
import { fieldOf, jsonOf } from '../../../core/values/json.ts';

// Keeps processes from changing one file at once. The lock is a file beside it
// that names its owner: host, process, and a random id. It is held for a few
// milliseconds; the lock of a killed process is removed, at once where that
// process is known to be gone, else when the lock is old.

/** Age from which on a lock counts as abandoned, in milliseconds. */
const oldest = 10_000;

/** How long to wait for a lock, in milliseconds: longer than it takes to grow old. */
const patience = 15_000;

/** Longest lock, in bytes. */
const longest = 4_096;

/** Longest pause between two looks at a lock, in milliseconds. */
const pause = 20;

/**
 * Runs `work` while no other process changes the file at `path`; `isHeld` says whether the lock is
 * still ours. Rejects with `EBUSY` where the lock stays with others.
 */
export async function holding(
  path: string,
  work: (isHeld: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const own = JSON.stringify({ host: hostname(), pid: process.pid, turn: randomUUID() });
  await take(lock, own);
  const isHeld = async (): Promise<boolean> => (await read(lock)) === own;
  try {
    await work(isHeld);
  } finally {
    if (await isHeld()) await rm(lock, { force: true });
  }
}

async function take(lock: string, own: string): Promise<void> {
  const end = performance.now() + patience;
  while (!(await create(lock, own))) {
    const owner = await read(lock);
    const isFree =
      owner !== null && (await isAbandoned(lock, owner)) && (await remove(lock, owner));
    if (isFree) continue;
    if (performance.now() >= end)
      throw Object.assign(new Error(`${lock} is held by ${owner}`), { code: 'EBUSY' });
    await sleep(1 + Math.random() * pause);
  }
}

/** Creates the lock if there is none; says whether it did. A lock that could not be written is removed. */
async function create(lock: string, own: string): Promise<boolean> {
  const file = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (file === null) return false;
  try {
    await file.writeFile(own);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/** Who holds a lock; null where nobody does. */
async function read(lock: string): Promise<string | null> {
  return readPlain(lock, longest).then(
    (bytes) => bytes.toString(),
    () => null,
  );
}

async function isAbandoned(lock: string, owner: string): Promise<boolean> {
  const name = jsonOf(owner);
  const pid = fieldOf(name, 'pid');
  const isOurs = fieldOf(name, 'host') === hostname();
  if (isOurs && typeof pid === 'number' && !isAlive(pid)) return true;
  const found = await stat(lock).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > oldest;
}

/** Removes a lock that is still that of `owner`, and puts back another that came in its place; says whether it was removed. */
async function remove(lock: string, owner: string): Promise<boolean> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch {
    return false;
  }
  const isTheirs = (await read(aside)) === owner;
  if (!isTheirs) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
  return isTheirs;
}
