import { resolve } from 'node:path';
import { Level } from 'level';
import { isEngineError } from '../core/values/error.ts';
import { unavailable } from './driver-store.ts';
import { noteFiles } from './guard.ts';
import { clearFolder, makeNewFolder } from './new-folder.ts';
import { isSound, placeOf } from './salvage/version.ts';
import type { RawRow, RecordKind, RecordStore } from './store.ts';

// A copy is made row by row from one view of the store, while others write to it. The row of the format
// is written last: a copy that was broken off is no store.

/** What was copied. */
export interface StoreCopy {
  /** The folder of the copy. */
  readonly location: string;
  readonly rows: number;
  /** Rows that do not match their checksums; the copy has them as they are. */
  readonly damaged: readonly { readonly kind: RecordKind; readonly key: string }[];
}

/** How a store is copied. */
export interface CopyOptions {
  readonly signal?: AbortSignal;
  /** Called about every thousand rows. */
  readonly onProgress?: (progress: { readonly rows: number }) => void;
}

/** Rows of a batch, and about how many characters. */
const batchRows = 1_000;
const batchText = 1 << 20;

/**
 * Copies all rows of a store into a new one at `folder`. Throws `OPTION_INVALID` where that is no empty
 * folder, `STORE_UNAVAILABLE` where it cannot be written; then nothing of the copy is left.
 */
export async function copyStore(
  records: RecordStore,
  folder: string,
  options: CopyOptions,
): Promise<StoreCopy> {
  const location = resolve(folder);
  await makeNewFolder(location, 'a backup');
  const { version: format } = (await records.get('meta', 'format')) as { readonly version: number };
  const db = new Level(location, { errorIfExists: true });
  try {
    await db.open();
    const copied = await copyRows(records, db, options);
    await db.close();
    await noteFiles(location, { format, sync: true });
    return { location, ...copied };
  } catch (error) {
    await db.close().catch(() => undefined);
    await clearFolder(location);
    options.signal?.throwIfAborted();
    throw isEngineError(error) ? error : unavailable(location, error);
  }
}

async function copyRows(
  records: RecordStore,
  db: Level,
  { signal, onProgress }: CopyOptions,
): Promise<Omit<StoreCopy, 'location'>> {
  const damaged: { kind: RecordKind; key: string }[] = [];
  const held: RawRow[] = [];
  let batch: RawRow[] = [];
  let text = 0;
  let rows = 0;
  const write = async (): Promise<void> => {
    const puts = batch.map(([key, value]) => ({ type: 'put', key, value }) as const);
    await db.batch(puts, { sync: true } as object);
    onProgress?.({ rows });
    batch = [];
    text = 0;
  };
  for await (const row of records.rows()) {
    signal?.throwIfAborted();
    rows += 1;
    const place = placeOf(row[0]);
    if (place !== null && !isSound(place, row[1])) damaged.push(place);
    if (place?.kind === 'meta') {
      held.push(row);
      continue;
    }
    batch.push(row);
    text += row[1].length;
    if (batch.length >= batchRows || text >= batchText) await write();
  }
  await write();
  batch = held;
  await write();
  return { rows, damaged };
}
