import { constants, type Stats } from 'node:fs';
import { copyFile, link, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ifThere, isMissing } from '../files/if-there.ts';
import { readManifest } from './manifest.ts';

// The files of a store at one moment, while its owner writes. A table never changes, so a second name for
// it will do; a MANIFEST and logs only grow, so their beginnings are a state that the store was in. A log
// goes only when a MANIFEST says that its rows are in a table: as long as that says the same before and
// after, nothing was missed. Whatever was acknowledged before lies in the files by then, and a batch that
// is cut off is none.
//
// LevelDB gives a new table the number after the last one that the MANIFEST knows of. A second name
// under that number would be written through to the owner's table, so none but those that the MANIFEST
// names are taken.

/** Tries to find the MANIFEST unchanged; each takes a few milliseconds. */
const mostTries = 100;
/** How long an owner may need until a file is there that a MANIFEST names, in milliseconds. */
const pause = 5;

/** The MANIFEST that CURRENT names, as far as it was written. */
interface Current {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Puts the files of the store in the folder `from`, as they are at one moment, into the empty folder `to`.
 * Rejects with `LEVEL_CORRUPTION` where some are missing, and with what the system says.
 */
export async function takeFiles(from: string, to: string): Promise<void> {
  let missing = '';
  for (let left = mostTries; left > 0; left -= 1) {
    const current = await readCurrent(from);
    missing = current === null ? 'CURRENT' : await takeNamed(current, from, to);
    if (missing !== '') await sleep(pause);
    if (missing !== '' || current === null || !(await isStill(from, current))) continue;
    await writeFile(join(to, current.name), current.bytes);
    await writeFile(join(to, 'CURRENT'), `${current.name}\n`);
    return;
  }
  if (missing !== '') throw corruption(`${missing} is missing`);
  throw new Error('Its files change faster than they can be copied');
}

/** Null where another opening puts a new MANIFEST in place right now. */
async function readCurrent(from: string): Promise<Current | null> {
  try {
    const name = (await readFile(join(from, 'CURRENT'), 'utf8')).trimEnd();
    return { name, bytes: await readFile(join(from, name)) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function isStill(from: string, { name, bytes }: Current): Promise<boolean> {
  const now = await readFile(join(from, 'CURRENT'), 'utf8');
  const { size }: Partial<Stats> = await ifThere(stat(join(from, name)), {});
  return now.trimEnd() === name && size === bytes.length;
}

/** Takes what a MANIFEST names; gives the name of a file that is not there, '' where all are. */
async function takeNamed({ name, bytes }: Current, from: string, to: string): Promise<string> {
  const manifest = readManifest(bytes);
  if (manifest === null) throw corruption(`${name} cannot be read`);
  const files = await readdir(from);
  const tables = files.filter((file) => /\.(ldb|sst)$/.test(file));
  const byNumber = new Map(tables.map((file) => [numberIn(file), file]));
  const logs = files.filter((file) => file.endsWith('.log') && numberIn(file) >= manifest.log);
  const isLogThere = manifest.log === 0 || logs.some((file) => numberIn(file) === manifest.log);
  if (!isLogThere) return `${name}'s log`;
  try {
    await Promise.all(
      manifest.tables.map(async (number) => {
        const file = byNumber.get(number) ?? `${String(number).padStart(6, '0')}.ldb`;
        await share(join(from, file), join(to, file));
      }),
    );
    for (const file of logs) await copyFile(join(from, file), join(to, file), clone);
    return '';
  } catch (error) {
    const { path = '' } = error as NodeJS.ErrnoException;
    if (isMissing(error)) return path;
    throw error;
  }
}

/** Copies without bytes where a file system can. */
const clone = constants.COPYFILE_FICLONE;

/** Gives a file that never changes a second name; copies it where that cannot be. */
async function share(file: string, copy: string): Promise<void> {
  try {
    await link(file, copy);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    if (isMissing(error)) throw error;
    await copyFile(file, copy, clone);
  }
}

const numberIn = (file: string): number => Number.parseInt(file, 10);

const corruption = (message: string): Error =>
  Object.assign(new Error(message), { code: 'LEVEL_CORRUPTION' });
