import { fail, isEngineError } from '../core/values/error.ts';
import { damaged, type Driver, storeOver } from './driver-store.ts';
import { metaKey } from './key.ts';
import type { RecordStore } from './store.ts';
import { format } from './upcast.ts';

/**
 * {@link storeOver} an open database, with its format checked; closes a database that it cannot use.
 *
 * @internal
 */
export async function openStoreOver(
  db: Driver,
  options: Parameters<typeof storeOver>[1] & {
    readonly formatNoted?: number | undefined;
    /** Whether a database without rows becomes a store; else there is none: a copy was broken off. */
    readonly begins?: boolean;
  },
): Promise<RecordStore> {
  const store = storeOver(db, options);
  try {
    await checkFormat(store, options.formatNoted, options.begins);
    return store;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Writes the format into a new store, into one of an older format, or again where its row was lost and it was `noted`; throws `STORE_TOO_NEW` and `STORE_DAMAGED`, and `STORE_NOT_FOUND` where it has no rows and does not begin. */
export async function checkFormat(
  store: RecordStore,
  noted?: number,
  begins = true,
): Promise<void> {
  const { location } = store;
  const header = await readHeader(store, noted);
  const note = (): Promise<void> =>
    store.commit([
      { type: 'put', kind: 'meta', key: metaKey('format'), value: { version: format } },
    ]);
  if (header === undefined) {
    const isNew = await isEmpty(store);
    if (!isReadable(noted) && !isNew)
      throw damaged(location, new Error('Rows without a format version'));
    if (isNew && !begins)
      throw fail('STORE_NOT_FOUND', `There is no store in "${location}"`, { location });
    await note();
  } else if (typeof header.version !== 'number' || header.version < 1) {
    throw damaged(location, new Error('A format version that there never was'));
  } else if (header.version > format) {
    const message = `Store "${location}" has format ${header.version}; this version reads up to ${format}`;
    throw fail('STORE_TOO_NEW', message, { location, format: header.version, newest: format });
  } else if (header.version < format) await note();
}

/** Whether a store of a format that was noted can be read. */
const isReadable = (noted: number | undefined): boolean => noted !== undefined && noted <= format;

/** The row of the format; undefined where there is none, and where it is damaged and the format is known all the same. */
async function readHeader(
  store: RecordStore,
  noted: number | undefined,
): Promise<{ readonly version?: unknown } | undefined> {
  try {
    return (await store.get('meta', metaKey('format'))) as { version?: unknown } | undefined;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED') && isReadable(noted)) return undefined;
    throw error;
  }
}

async function isEmpty(store: RecordStore): Promise<boolean> {
  for await (const _ of store.rows()) return false;
  return true;
}
