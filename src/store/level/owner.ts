import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// The lock is LevelDB's and dies with its process. This file only says who holds it, so that the
// second process can be told; after a kill it is stale, and nobody minds.

/** The file that names the process which has the store open. */
export const ownerFile = 'owner.json';

/** Who has a store open to write there. */
export interface StoreOwner {
  readonly pid: number;
  /** What it does with it, as it says itself. */
  readonly command?: string;
  /** The session that it opened last. */
  readonly session?: string;
}

/** The note of this process that it holds a store; made with the lock held. */
export interface OwnerNote {
  /** Notes a session, too, behind what goes on. */
  name(session: string): void;
  /** Removes the note; call it before the lock is released, or it may be the next owner's. */
  remove(): Promise<void>;
}

/** Writes down that this process holds the store. */
export async function noteOwner(location: string, command?: string): Promise<OwnerNote> {
  const { pid } = process;
  let owner: StoreOwner = command === undefined ? { pid } : { pid, command };
  let written: StoreOwner | null = null;
  const write = async (): Promise<void> => {
    if (written === owner) return;
    written = owner;
    const temporary = join(location, `${ownerFile}.tmp`);
    await writeFile(temporary, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    await rename(temporary, join(location, ownerFile));
  };
  await write();
  let last = Promise.resolve();
  return {
    name(session) {
      if (owner.session === session) return;
      owner = { ...owner, session };
      last = last.then(write).catch(() => undefined);
    },
    async remove() {
      await last;
      await rm(join(location, ownerFile), { force: true });
    },
  };
}

/** The living process that has a store of this machine open to write there, as it says itself; none of one elsewhere. */
export async function storeOwner(location: string): Promise<StoreOwner | undefined> {
  try {
    const text = await readFile(join(location, ownerFile), 'utf8');
    const { pid, command, session } = JSON.parse(text) as { [field in keyof StoreOwner]: unknown };
    if (typeof pid !== 'number' || !isAlive(pid)) return undefined;
    return {
      pid,
      ...(typeof command === 'string' ? { command } : {}),
      ...(typeof session === 'string' ? { session } : {}),
    };
  } catch {
    return undefined;
  }
}

/** Whether a process of this machine is alive; one that we may not signal is, too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
