import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineError, isEngineError } from '../../core/values/error.ts';
import { type Driver, openFailure } from '../driver-store.ts';
import { openStoreOver } from '../format.ts';
import { readNoted, type Noted } from '../guard.ts';
import type { RecordStore } from '../store.ts';
import { copiesFolder, newCopyFolder, sweepCopies, type CopyFolder } from './copy-folder.ts';
import { damagedTables } from './damaged-tables.ts';
import { readSearch, writeSearch } from './packed/packed-search.ts';
import { takeFiles } from './take-files.ts';

// LevelDB lets one process have a store, and writes when it opens it: what its log holds becomes a
// table. So who only reads opens a copy, beside the owner or on a disk that is full or read-only, and
// takes nobody's lock. What is derived (counts, an index) may be written to it; it goes with the copy.

/** The words of the system where it takes no more bytes. */
const full = /No space left on device|Disk quota exceeded|Read-only file system/;

/** Whether a store could not be opened because nothing can be written beside it. */
export const isFull = ({ cause }: EngineError): boolean =>
  full.test((cause as Error | undefined)?.message ?? '');

/**
 * The store in the folder `location` as it is now, for reading; `refusal` is what its commands throw. The
 * copy lies inside the store, or in the folder for temporary files where nothing can be written there. What was
 * `noted` of the store is read unless given; it is none of a later moment than the copy.
 * Throws `STORE_DAMAGED`, `STORE_TOO_NEW`, and `STORE_UNAVAILABLE` where there is no room for it.
 */
export async function openReadCopy(
  location: string,
  refusal: EngineError,
  noted?: Partial<Noted>,
): Promise<RecordStore> {
  const copied = { location, refusal, noted: noted ?? (await readNoted(location)) };
  await sweepCopies(location);
  try {
    return await openCopyIn(join(location, copiesFolder), copied);
  } catch (error) {
    if (!isEngineError(error, 'STORE_UNAVAILABLE')) throw error;
    return openCopyIn(tmpdir(), copied);
  }
}

async function openCopyIn(
  place: string,
  {
    location,
    refusal,
    noted,
  }: {
    readonly location: string;
    readonly refusal: EngineError;
    readonly noted: Partial<Noted>;
  },
): Promise<RecordStore> {
  let folder: CopyFolder | undefined;
  const remove = async (): Promise<void> => folder?.remove();
  try {
    folder = await newCopyFolder(place);
    const { path } = folder;
    await takeFiles(location, path);
    const { Level } = await import('level');
    const db: Driver = new Level(path, { createIfMissing: false });
    await db.open();
    const { header = {} } = noted;
    const options = { location, sync: false, noted: header, begins: false, afterClose: remove };
    const store = await openStoreOver(db, options);
    return {
      ...store,
      refusal,
      heads: () => noted.heads ?? null,
      searched: {
        read: () => readSearch(location, noted),
        // Nothing is written to a store where its copies may not lie.
        write: async (text) => {
          if (place !== tmpdir()) await writeSearch(location, { noted, aside: path }, text);
        },
      },
      damagedFiles: () => damagedTables(path),
    };
  } catch (error) {
    await remove();
    throw isEngineError(error) ? error : openFailure(location, error);
  }
}
