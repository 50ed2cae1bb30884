import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// The lock is LevelDB's and dies with its process. This file only says who holds it, so that the
// second process can be told; after a kill it is stale, and nobody minds.

/** The file that names the process which has the store open. */
export const ownerFile = 'owner.json';

/** Writes down that this process holds the store; call it with the lock held. */
export async function writeOwner(location: string): Promise<void> {
  await writeFile(join(location, ownerFile), `${JSON.stringify({ pid: process.pid })}\n`);
}

/** The process id of the living process that says it holds the store, if one does. */
export async function readOwner(location: string): Promise<number | undefined> {
  try {
    const { pid } = JSON.parse(await readFile(join(location, ownerFile), 'utf8')) as {
      pid: unknown;
    };
    return typeof pid === 'number' && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the note; call it before the lock is released, or it may be the next owner's. */
export async function removeOwner(location: string): Promise<void> {
  await rm(join(location, ownerFile), { force: true });
}

/** Whether a process of this machine is alive; one that we may not signal is, too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
