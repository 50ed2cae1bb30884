import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

// What a model may touch is one folder. A path is judged by where it leads in
// truth, links resolved, and opened without following another one. What is kept
// there of sessions, and what git runs, is nobody's to write from here: a store
// would be damaged, a document believed, a hook run.

/** One folder and what is in it. Every path is refused that leads out of it. */
export interface Folder {
  /** Where it is, links resolved. */
  readonly path: string;
  /** Rejects where a path leads out of it. */
  check(path: string): Promise<void>;
  /** Rejects where nothing may be written, either. */
  checkWrite(path: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Names in a folder, those of folders with a slash at the end. */
  list(path: string): Promise<readonly string[]>;
  /** Puts a text in the place of what was there, and makes folders on the way. */
  write(path: string, text: string): Promise<void>;
}

/** Longest file that is read, in bytes. */
const longestFile = 2_000_000;

/** Folders into which nothing is written, whatever lies above them. */
const keptNames: readonly string[] = ['.git', '.flamestack'];

/** The folder at `path`; nothing is written into those of `kept`, a store and its documents. */
export async function folderAt(path: string, kept: readonly string[] = []): Promise<Folder> {
  const root = await realpath(path);
  const placeToWrite = async (given: string): Promise<string> => {
    const place = await placeOf(root, given);
    const names = relative(root, place).toLowerCase().split(sep);
    const places = await Promise.all(kept.map((one) => realPlace(resolve(root, one))));
    if (names.some((name) => keptNames.includes(name)) || places.some((one) => isIn(one, place)))
      throw new Error(`${given} is not written from here: sessions and git keep their own there.`);
    return place;
  };
  return {
    path: root,
    async check(given) {
      await placeOf(root, given);
    },
    async checkWrite(given) {
      await placeToWrite(given);
    },
    async read(given) {
      const file = await open(
        await placeOf(root, given),
        constants.O_RDONLY | constants.O_NOFOLLOW | nonBlocking,
      );
      try {
        const about = await file.stat();
        if (about.isDirectory()) throw new Error(`${given} is a folder; list_files shows it.`);
        if (!about.isFile()) throw new Error(`${given} is no regular file.`);
        if (about.size > longestFile) throw new Error(`${given} is too large to read.`);
        const bytes = await file.readFile();
        if (bytes.includes(0)) throw new Error(`${given} is no text.`);
        return bytes.toString('utf8');
      } finally {
        await file.close();
      }
    },
    async list(given) {
      const entries = await readdir(await placeOf(root, given), { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    },
    async write(given, text) {
      const place = await placeToWrite(given);
      await mkdir(dirname(place), { recursive: true });
      const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
      const file = await open(place, O_WRONLY | O_CREAT | O_NOFOLLOW | nonBlocking, 0o666);
      try {
        const about = await file.stat();
        if (!about.isFile()) throw new Error(`${given} is no regular file.`);
        if (about.nlink > 1) throw new Error(`${given} has another name elsewhere (a hard link).`);
        await file.truncate(0);
        await file.writeFile(text);
      } finally {
        await file.close();
      }
    },
  };
}

/** A pipe without another end is no reason to wait. */
const nonBlocking = constants.O_NONBLOCK;

/** Where a path leads in truth, itself or to be made; throws where that is outside of `root`. */
async function placeOf(root: string, given: string): Promise<string> {
  const place = await realPlace(resolve(root, given));
  if (!isIn(root, place)) throw new Error(`${given} is outside of the folder that may be used.`);
  return place;
}

/** Whether a path is a folder or leads into it. */
function isIn(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with every link on it resolved; what is not there yet stays as it is said. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const isLink = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isLink) throw new Error(`${basename(path)} is a link to nowhere.`);
  const parent = dirname(path);
  return parent === path ? path : join(await realPlace(parent), basename(path));
}
