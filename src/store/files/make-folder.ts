import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

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

/** The folder of a project in which its store lies. */
const projectFolder = '.flamestack';
const ignoreFile = '.gitignore';

/** Makes the folder of a store. That of a project gets a file that keeps it out of git, unless it has one: what was said is not to be committed by `git add .`. */
export async function makeStoreFolder(path: string): Promise<void> {
  await makeFolder(path);
  if (basename(path) !== projectFolder) return;
  const ignore = writeFile(join(path, ignoreFile), '*\n', { flag: 'wx', mode: 0o600 });
  await ignore.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Gives a folder that takes the place of another what keeps that one out of git. */
export async function copyIgnoreFile(from: string, to: string): Promise<void> {
  const copied = copyFile(join(from, ignoreFile), join(to, ignoreFile));
  await copied.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
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
