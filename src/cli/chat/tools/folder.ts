import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

// What a model may read is one folder. A path is judged by where it leads in truth,
// links resolved, and opened without following another one. What is kept there of
// sessions, and by git, is not for a model: it may hold what was said elsewhere.

/** One folder and what may be read in it. Every path is refused that leads out of it. */
export interface Folder {
  /** Where a path leads, from the folder on; rejects where that is not to be read. */
  check(path: string): Promise<string>;
  read(path: string): Promise<string>;
  /** Names in a folder, those of folders with a slash at the end. */
  list(path: string): Promise<readonly string[]>;
}

/** Longest file that is read, in bytes. */
const longestFile = 2_000_000;

/** Folders that are not read, whatever lies above them. */
const keptNames: readonly string[] = ['.git', '.flamestack'];

/** Null for a place that is not there; what is kept is not read because it could not be looked for. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** The folder at `path`, without those of `kept`: a store and its documents. */
export async function folderAt(path: string, kept: readonly string[] = []): Promise<Folder> {
  const root = await realpath(path);
  const placeOf = async (target: string): Promise<string> => {
    const place = await realpath(resolve(root, target)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new Error(`${target} is not there.`) : error;
    });
    if (!isIn(root, place)) throw new Error(`${target} is outside of the folder that may be read.`);
    const names = relative(root, place).toLowerCase().split(sep);
    const places = await Promise.all(
      kept.map((one) => realpath(resolve(root, one)).catch(nullIfMissing)),
    );
    const isKept = places.some((one) => one !== null && isIn(one, place));
    if (isKept || names.some((name) => keptNames.includes(name)))
      throw new Error(`${target} is not read from here: sessions and git keep their own there.`);
    return place;
  };
  return {
    check: async (target) => relative(root, await placeOf(target)) || '.',
    async read(target) {
      const place = await placeOf(target);
      // A pipe without another end is no reason to wait.
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      const file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const about = await file.stat();
        if (about.isDirectory()) throw new Error(`${target} is a folder; list_files shows it.`);
        if (!about.isFile()) throw new Error(`${target} is no regular file.`);
        if (about.nlink > 1) throw new Error(`${target} has another name elsewhere (a hard link).`);
        if (about.size > longestFile) throw new Error(`${target} is too large to read.`);
        const bytes = await file.readFile();
        if (bytes.includes(0)) throw new Error(`${target} is no text.`);
        return bytes.toString('utf8');
      } finally {
        await file.close();
      }
    },
    async list(target) {
      const entries = await readdir(await placeOf(target), { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    },
  };
}

/** Whether a path is a folder or leads into it. */
function isIn(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
