import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { damagedBlock } from '../salvage/table-rows.ts';
import type { FileDamage } from './inventory.ts';

// LevelDB does not compare the sums of its blocks when it reads them. Most of what was changed is found by
// the sum of a record; but where a key was changed, the record is in no place where anybody looks.

/** The tables of a store in which a block does not match its sum; the store may be in use. */
export async function* damagedTables(path: string): AsyncGenerator<FileDamage> {
  for (const file of (await readdir(path)).filter((name) => /^\d+\.(ldb|sst)$/.test(name))) {
    const bytes = await readFile(join(path, file)).catch(() => null);
    const at = bytes === null ? null : damagedBlock(bytes);
    if (at !== null) yield { file, damage: tableDamage(file, at) };
  }
}

/** What {@link damagedBlock} found, in words. */
export const tableDamage = (file: string, at: number): string =>
  at < 0 ? `${file} is no whole table` : `${file} is damaged behind byte ${at}`;
