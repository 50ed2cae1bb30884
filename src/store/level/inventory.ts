import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ifThere } from '../files/if-there.ts';
import type { FileDamage } from '../store.ts';
import { damagedBlock } from '../salvage/table-rows.ts';

// LevelDB drops what it cannot read of a .log, and takes a missing one for one that never was. Nothing
// changes in the folder of a closed store, so what lies in it is noted at the close and compared at the
// next opening: the size of each file, and a sum of those that are small and hold the newest rows.

/** The sizes of the data files of a closed store, sums of its MANIFEST and logs, and when its tables were written, by their names. */
export interface Inventory {
  readonly sizes: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, string>>;
  /** In milliseconds since 1970; of a table that was written since, each block is compared with its sum. */
  readonly times?: Readonly<Record<string, number>>;
}

const data = /^(MANIFEST-\d+|\d+\.(ldb|sst|log))$/;
const summed = /^MANIFEST|\.log$/;

/** What lies in the folder of a store that was just closed; what is summed is on the disk then, whatever the durability. */
export async function takeInventory(path: string): Promise<Inventory> {
  const sizes: Record<string, number> = {};
  const sums: Record<string, string> = {};
  const times: Record<string, number> = {};
  for (const name of (await readdir(path)).filter((file) => data.test(file))) {
    const file = join(path, name);
    if (summed.test(name)) {
      await sync(file);
      sums[name] = sumOf(await readFile(file));
    }
    const { size, mtimeMs } = await stat(file);
    sizes[name] = size;
    if (!summed.test(name)) times[name] = Math.round(mtimeMs);
  }
  return { sizes, sums, times };
}

/** What is not as it was noted, file by file. Files that came since are not looked at. */
export async function* changesSince(
  path: string,
  { sizes, sums, times = {} }: Inventory,
): AsyncGenerator<FileDamage> {
  const files = Object.entries(sizes);
  const all = await Promise.all(files.map(([file]) => ifThere(stat(join(path, file)), null)));
  for (const [at, [file, had]] of files.entries()) {
    const [found, sum] = [all[at]!, sums[file]];
    if (found === null) yield { file, damage: `${file} is missing; it had ${had} bytes` };
    else if (found.size !== had)
      yield { file, damage: `${file} has ${found.size} bytes and had ${had}` };
    else if (sum !== undefined && sumOf(await readFile(join(path, file))) !== sum)
      yield { file, damage: `${file} holds other bytes than it did` };
    else if (sum === undefined && Math.round(found.mtimeMs) !== times[file])
      yield* damageOfTable(path, file);
  }
}

/** What is wrong with a table by its own sums, if anything; with one that is not there nothing. */
export async function* damageOfTable(path: string, file: string): AsyncGenerator<FileDamage> {
  const bytes = await ifThere(readFile(join(path, file)), null);
  const at = bytes === null ? null : damagedBlock(bytes);
  if (at !== null) yield { file, damage: tableDamage(file, at) };
}

/** What {@link damagedBlock} found, in words. */
export const tableDamage = (file: string, at: number): string =>
  at < 0 ? `${file} is no whole table` : `${file} is damaged behind byte ${at}`;

const sumOf = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
