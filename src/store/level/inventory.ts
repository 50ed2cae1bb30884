import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

// LevelDB drops what it cannot read of a .log, and takes a missing one for one that never was. Nothing
// changes in the folder of a closed store, so what lies in it is noted at the close and compared at the
// next opening: the size of each file, and a sum of those that are small and hold the newest rows.

/** The sizes of the data files of a closed store, and sums of its MANIFEST and logs, by their names. */
export interface Inventory {
  readonly sizes: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, string>>;
}

const data = /^(MANIFEST-\d+|\d+\.(ldb|sst|log))$/;
const summed = /^MANIFEST|\.log$/;

/** What lies in the folder of a store that was just closed; what is summed is on the disk then, whatever the durability. */
export async function takeInventory(path: string): Promise<Inventory> {
  const sizes: Record<string, number> = {};
  const sums: Record<string, string> = {};
  for (const name of (await readdir(path)).filter((file) => data.test(file))) {
    const file = join(path, name);
    if (summed.test(name)) {
      await sync(file);
      sums[name] = sumOf(await readFile(file));
    }
    sizes[name] = (await stat(file)).size;
  }
  return { sizes, sums };
}

/** What is wrong with a file, in words. */
export interface FileDamage {
  readonly file: string;
  readonly damage: string;
}

/** What is not as it was noted, file by file. Files that came since are not looked at. */
export async function* changesSince(
  path: string,
  { sizes, sums }: Inventory,
): AsyncGenerator<FileDamage> {
  for (const [file, had] of Object.entries(sizes)) {
    const size = await stat(join(path, file)).then(
      (found) => found.size,
      () => null,
    );
    const sum = sums[file];
    if (size === null) yield { file, damage: `${file} is missing; it had ${had} bytes` };
    else if (size !== had) yield { file, damage: `${file} has ${size} bytes and had ${had}` };
    else if (sum !== undefined && sumOf(await readFile(join(path, file))) !== sum)
      yield { file, damage: `${file} holds other bytes than it did` };
  }
}

const sumOf = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
