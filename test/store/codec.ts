import type { AbstractLevel } from 'abstract-level';
import type { Header } from '../../src/store/format.ts';
import { metaKey } from '../../src/store/key.ts';
import { recordCodec, type RecordCodec } from '../../src/store/record.ts';

type Database = Pick<AbstractLevel<string | Buffer | Uint8Array>, 'get'>;

/** The records of the store in an open database. */
export async function codecIn(db: object): Promise<RecordCodec> {
  const key = metaKey('format');
  const text = await (db as Database).get(`!meta!${key}`);
  const { id } = recordCodec(0).decode('meta', key, String(text)) as Header;
  return recordCodec(id);
}
