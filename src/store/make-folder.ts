import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Bits that let others than the owner in. */
const others = 0o077;

/** Makes a folder for its owner alone, and those it lies in. Node's `recursive` never ends where a system refuses with `ENOENT`, as in `/proc`. */
export async function makeFolder(path: string): Promise<void> {
  const make = (): Promise<void> => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}

/** Shuts the folder of a store and its files to others, as far as they are ours: LevelDB makes them as the process makes any. */
export async function shutFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await shut(path);
  for (const name of await readdir(path).catch(() => [])) await shut(join(path, name));
}

async function shut(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  const isOpen = found !== null && !found.isSymbolicLink() && (found.mode & others) !== 0;
  // What is somebody else's stays as it is; `doctor` tells of it.
  if (isOpen) await chmod(path, found.mode & 0o700).catch(() => undefined);
}
