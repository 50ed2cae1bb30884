import { fail, isEngineError } from '../core/values/error.ts';
import { damaged, type Driver, storeOver } from './driver-store.ts';
import { metaKey } from './key.ts';
import type { RecordStore } from './store.ts';
import { format } from './upcast.ts';

/** What a store begins with. */
export interface Header {
  readonly version: number;
  /** Drawn when it was begun: 32 bits that are part of the sum of each of its records. */
  readonly id: number;
}

/** The header of a store that begins. */
export function newHeader(): Header {
  const { randomInt } = process.getBuiltinModule('node:crypto');
  return { version: format, id: randomInt(1, 2 ** 32) };
}

/** The header of an open store. */
export async function headerOf(store: RecordStore): Promise<Header> {
  return (await store.get('meta', metaKey('format'))) as Header;
}

/**
 * {@link storeOver} an open database, with its format checked; closes a database that it cannot use.
 *
 * @internal
 */
export async function openStoreOver(
  db: Driver,
  options: Parameters<typeof storeOver>[1] & {
    /** What was noted of its header. */
    readonly noted?: Partial<Header>;
    /** Whether a database without rows becomes a store; else there is none: a copy was broken off. */
    readonly begins?: boolean;
  },
): Promise<RecordStore> {
  const { location, sync, noted, begins } = options;
  try {
    const { id } = await checkHeader(storeOver(db, { location, sync }), noted, begins);
    return storeOver(db, { ...options, id });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The header of a store; writes it into a new one, into one of an older format, and again where its row was lost and it was `noted`. Throws `STORE_TOO_NEW` and `STORE_DAMAGED`, and `STORE_NOT_FOUND` where it has no rows and does not begin. */
export async function checkHeader(
  store: RecordStore,
  noted: Partial<Header> = {},
  begins = true,
): Promise<Header> {
  const { location } = store;
  const isNoted = isHeader(noted);
  const write = async (value: Header): Promise<Header> => {
    await store.commit([{ type: 'put', kind: 'meta', key: metaKey('format'), value }]);
    return value;
  };
  const header = await readHeader(store, isNoted);
  if (header === undefined) {
    const isNew = await isEmpty(store);
    if (!isNoted && !isNew) throw damaged(location, new Error('Rows without a format version'));
    if (isNew && !begins)
      throw fail('STORE_NOT_FOUND', `There is no store in "${location}"`, { location });
    return write(isNoted && !isNew ? { ...noted, version: format } : newHeader());
  }
  const { version } = header;
  if (typeof version === 'number' && version > format) {
    const message = `Store "${location}" has format ${version}; this version reads up to ${format}`;
    throw fail('STORE_TOO_NEW', message, { location, format: version, newest: format });
  }
  if (!isHeader(header)) throw damaged(location, new Error('A format that there never was'));
  return header.version < format ? write({ ...header, version: format }) : header;
}

/** Whether something is the header of a store that can be read. */
const isHeader = (header: {
  readonly version?: unknown;
  readonly id?: unknown;
}): header is Header =>
  typeof header.version === 'number' &&
  header.version >= 1 &&
  header.version <= format &&
  Number.isSafeInteger(header.id);

/** The row of the format; undefined where there is none, and where it is damaged and the format is known all the same. */
async function readHeader(
  store: RecordStore,
  isNoted: boolean,
): Promise<{ readonly version?: unknown; readonly id?: unknown } | undefined> {
  try {
    return await headerOf(store);
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED') && isNoted) return undefined;
    throw error;
  }
}

async function isEmpty(store: RecordStore): Promise<boolean> {
  for await (const _ of store.rows()) return false;
  return true;
}
