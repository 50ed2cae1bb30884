import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Level } from 'level';
import { isEngineError } from '../core/values/error.ts';
import { unavailable } from './driver-store.ts';
import { headerOf, type Header } from './format.ts';
import { checkTables } from './level/damaged-tables.ts';
import { noteFiles } from './guard.ts';
import { shutFolder } from './files/make-folder.ts';
import { clearFolder, makeNewFolder, toFolder } from './files/new-folder.ts';
import { rowWriter } from './put-rows.ts';
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

/**
 * Copies all rows of a store into a new one at `folder`. Throws `OPTION_INVALID` where that is no empty
 * folder, or lies in the store, `STORE_DAMAGED` where a table of the store is, `STORE_UNAVAILABLE` where it cannot be written; then nothing of the copy is left.
 */
export async function copyStore(
  records: RecordStore,
  folder: string,
  options: CopyOptions,
): Promise<StoreCopy> {
  const location = toFolder(folder);
  await checkTables(records);
  const wasThere = existsSync(location);
  await makeNewFolder(location, { for: 'a backup', of: records.location });
  const header = await headerOf(records);
  const db = new Level(location, { errorIfExists: true });
  try {
    await db.open();
    const copied = await copyRows(records, db, { ...options, id: header.id });
    await db.close();
    await noteFiles(location, { header, sync: true });
    await shutFolder(location);
    return { location, ...copied };
  } catch (error) {
    await db.close().catch(() => undefined);
    await (wasThere ? clearFolder(location) : rm(location, { recursive: true, force: true }));
    options.signal?.throwIfAborted();
    throw isEngineError(error) ? error : unavailable(location, error);
  }
}

async function copyRows(
  records: RecordStore,
  db: Level,
  { signal, onProgress, id }: CopyOptions & Pick<Header, 'id'>,
): Promise<Omit<StoreCopy, 'location'>> {
  const damaged: { kind: RecordKind; key: string }[] = [];
  const held: RawRow[] = [];
  let rows = 0;
  const onWritten = (): void => onProgress?.({ rows });
  const writer = rowWriter(db, { sync: true, signal, onWritten });
  for await (const row of records.rows()) {
    rows += 1;
    const place = placeOf(row[0]);
    if (place !== null && !isSound(place, row[1], id)) damaged.push(place);
    if (place?.kind === 'meta') held.push(row);
    else await writer.put(...row);
  }
  await writer.flush();
  for (const row of held) await writer.put(...row);
  await writer.flush();
  return { rows, damaged };
}
