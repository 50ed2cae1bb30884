import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../core/values/error.ts';
import { ifThere, isMissing } from '../files/if-there.ts';
import type { RecordStore } from '../store.ts';
import { damageOfTable } from './inventory.ts';
import { readManifest } from './manifest.ts';
import type { FileDamage } from '../store.ts';

// LevelDB does not compare the sums of its blocks when it reads them. Most of what was changed is found by
// the sum of a record; but where a key was changed, the record is in no place where anybody looks, and where
// a length was, LevelDB may end the process. So whoever is to read or write all rows looks here before.

/** The tables of a store in which a block does not match its sum; the store may be in use. Others than its MANIFEST names are none of it. */
export async function* damagedTables(path: string): AsyncGenerator<FileDamage> {
  const names = await ifThere(readdir(path), []);
  const numbers = await tablesNamed(path);
  for (const file of names.filter((name) => /^\d+\.(ldb|sst)$/.test(name)))
    if (numbers?.has(Number.parseInt(file, 10)) !== false) yield* damageOfTable(path, file);
}

/** The numbers of the tables that the MANIFEST names; null where it cannot be read. */
async function tablesNamed(path: string): Promise<ReadonlySet<number> | null> {
  try {
    const name = (await readFile(join(path, 'CURRENT'), 'utf8')).trimEnd();
    const manifest = readManifest(await readFile(join(path, name)));
    return manifest && new Set(manifest.tables);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Throws `STORE_DAMAGED`, with the first `file`, where tables of a store are damaged; tells each of them if it is to. */
export async function checkTables(
  { location, damagedFiles }: Pick<RecordStore, 'location' | 'damagedFiles'>,
  tell?: (damage: FileDamage) => void,
): Promise<void> {
  let first: FileDamage | undefined;
  for await (const found of damagedFiles?.() ?? []) {
    first ??= found;
    if (tell === undefined) break;
    tell(found);
  }
  if (first === undefined) return;
  const { file, damage } = first;
  const message = `Store "${location}" is damaged: ${damage}; salvage reads what is sound`;
  throw fail('STORE_DAMAGED', message, { location, file });
}
