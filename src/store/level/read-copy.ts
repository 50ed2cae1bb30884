import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import type { EngineError } from '../../core/values/error.ts';
import { type Driver, storeOver } from '../driver-store.ts';
import type { RecordStore } from '../store.ts';

// LevelDB writes when it opens: what its log holds becomes a table. On a disk that is full
// or read-only that fails, and with it all reading. So such a store is read from a copy in
// the folder for temporary files, and takes no writes.

/** The words of the system where it takes no more bytes. */
const full = /No space left on device|Disk quota exceeded|Read-only file system/;

/** Whether a store could not be opened because nothing can be written beside it. */
export const isFull = ({ cause }: EngineError): boolean =>
  full.test((cause as Error | undefined)?.message ?? '');

/** The store in the folder at `path`, as a copy for reading, gone when it is closed; every commit fails with `failure`, and so does this where the copy has no room. */
export async function openReadCopy(path: string, failure: EngineError): Promise<RecordStore> {
  const folder = await mkdtemp(join(tmpdir(), 'flamestack-copy-')).catch(() => {
    throw failure;
  });
  const removeNow = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  const remove = async (): Promise<void> => {
    process.off('exit', removeNow);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await cp(path, folder, { recursive: true });
    const db: Driver = new Level(folder, { createIfMissing: false });
    await db.open();
    const store = storeOver(db, { location: path, sync: false, afterClose: remove });
    return { ...store, commit: () => Promise.reject(failure) };
  } catch {
    await remove();
    throw failure;
  }
}
