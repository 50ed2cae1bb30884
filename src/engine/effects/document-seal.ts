import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Seals } from '../../core/documents/parse-document.ts';
import { isEngineError } from '../../core/values/error.ts';
import { headerOf, sealKey, type SealKey } from '../../store/format.ts';
import type { RecordStore } from '../../store/store.ts';

// Whoever can write into the folder of documents can write a document. So each store has a key, and what it
// writes carries a digest that nobody makes without it. A store that was lost took its key along: then a person
// looks at what is to be believed.

/** The seals of a store, which gets a key where it has none. */
export async function sealsOf(store: RecordStore): Promise<Seals> {
  if ((await keyOf(store)) === null) {
    const { id } = await headerOf(store);
    const value: SealKey = { id, key: randomBytes(32).toString('hex') };
    await store.commit([{ type: 'put', kind: 'meta', key: sealKey, value }]);
  }
  // Another process may have been faster.
  return sealsBy(await keyOf(store));
}

/** The same for who only reads: without a key no seal holds. */
export const knownSeals = async (store: RecordStore): Promise<Seals> => sealsBy(await keyOf(store));

async function keyOf(store: RecordStore): Promise<string | null> {
  try {
    const row = (await store.get('meta', sealKey)) as SealKey | undefined;
    return row?.key ?? null;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return null;
    throw error;
  }
}

function sealsBy(secret: string | null): Seals {
  const make = (content: string): string =>
    secret === null ? '' : createHmac('sha256', secret).update(content).digest('hex');
  return {
    make,
    holds(content, seal) {
      const [expected, given] = [Buffer.from(make(content)), Buffer.from(seal)];
      const isLong = expected.length > 0 && expected.length === given.length;
      return isLong && timingSafeEqual(expected, given);
    },
  };
}
