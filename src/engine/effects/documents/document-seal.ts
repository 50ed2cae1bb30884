import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Seals } from '../../../core/documents/parse-document.ts';
import { isEngineError } from '../../../core/values/error.ts';
import { idempotencyKey } from '../../../store/key.ts';
import type { Change, RecordStore } from '../../../store/store.ts';

// Whoever can write into the folder of documents can write a document. So each session has a key among its rows, and
// what is written of it carries a digest that nobody makes without that. A store that was lost, and a session that was
// deleted, took the key along; a redaction draws another one, and seals anew what it masked, so that a copy from before
// is no longer known. Then a person looks at what is to be believed.

/** What the key is called among the answers to idempotency keys: before each of those stands a command. */
export const sealName = 'documents';

/** The key of a session, and the one before it while a redaction has documents to seal anew. */
interface SealKeys {
  readonly key: string;
  readonly former?: string;
}

/** The seals of a session, which gets a key where it has none. */
export async function sealsOf(store: RecordStore, session: string): Promise<Seals> {
  if ((await keysOf(store, session)) === null)
    await store.commit([putKeys(session, { key: drawKey() })]);
  // Another process may have been faster.
  return knownSeals(store, session);
}

/** The same for who only reads: without a key no seal holds. */
export async function knownSeals(store: RecordStore, session: string): Promise<Seals> {
  const keys = await keysOf(store, session);
  return keys === null ? noSeals : sealsBy(keys.key, [keys.key]);
}

/** The same for who looks after files that a redaction may not have sealed anew yet. */
export async function formerSeals(store: RecordStore, session: string): Promise<Seals> {
  const keys = await keysOf(store, session);
  if (keys === null) return noSeals;
  const { key, former = key } = keys;
  return sealsBy(key, [key, former]);
}

/** The keys of a session from a redaction on; null where it has none. */
export async function nextKeys(store: RecordStore, session: string): Promise<SealKeys | null> {
  const keys = await keysOf(store, session);
  return keys && { key: drawKey(), former: keys.key };
}

/** The change after which what a redaction did not seal anew is not known. */
export async function withoutFormer(store: RecordStore, session: string): Promise<Change[]> {
  const keys = await keysOf(store, session);
  return keys?.former === undefined ? [] : [putKeys(session, { key: keys.key })];
}

const drawKey = (): string => randomBytes(32).toString('hex');

const putKeys = (session: string, value: SealKeys): Change => ({
  type: 'put',
  kind: 'key',
  key: idempotencyKey(session, sealName),
  value,
});

async function keysOf(store: RecordStore, session: string): Promise<SealKeys | null> {
  try {
    return ((await store.get('key', idempotencyKey(session, sealName))) as SealKeys) ?? null;
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return null;
    throw error;
  }
}

const noSeals: Seals = { make: () => '', holds: () => false };

const sealsBy = (key: string, known: readonly string[]): Seals => ({
  make: (content) => digestBy(key, content),
  holds: (content, seal) => known.some((one) => isSame(digestBy(one, content), seal)),
});

const digestBy = (key: string, content: string): string =>
  createHmac('sha256', key).update(content).digest('hex');

function isSame(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
}
