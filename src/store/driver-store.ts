import type { AbstractLevel, AbstractSublevel } from 'abstract-level';
import { EngineError, fail, isEngineError } from '../core/values/error.ts';
import { eraseSession } from './erase-session.ts';
import { newFence, type Fence } from './fence.ts';
import { groupCommit } from './group-commit.ts';
import { journalKey } from './key.ts';
import { recordCodec, type RecordCodec } from './record.ts';
import {
  kinds,
  type Change,
  type CompactOptions,
  type Compaction,
  type Erasure,
  type KeyRange,
  type RawRow,
  type RecordKind,
  type RecordStore,
} from './store.ts';

/** A database of the Level family. */
export type Driver = AbstractLevel<string | Buffer | Uint8Array>;
type KeySpace = AbstractSublevel<Driver, string | Buffer | Uint8Array, string, string>;
/** An operation of a batch; `key` has the prefix of its key space. */
type Operation =
  | { type: 'put'; key: string; value: string | Promise<string> }
  | { type: 'del'; key: string };

interface DriverStoreOptions {
  readonly location: string;
  readonly sync: boolean;
  /** The id of the store; 0 as long as only its header is read. */
  readonly id?: number;
  /** Hears of each commit that was written. */
  readonly onWritten?: (changes: readonly Change[]) => void;
  /** Hears that one failed, of which nobody knows whether it was written. */
  readonly onFailed?: () => void;
  /** Makes the bytes of the deleted rows of a session go, of these kinds. */
  readonly reclaim?: (session: string, kinds: readonly RecordKind[]) => Promise<Erasure['left']>;
  /** Writes the files anew. */
  readonly compact?: (options?: CompactOptions) => Promise<Compaction>;
  readonly beforeClose?: () => Promise<void>;
  readonly afterClose?: () => Promise<void>;
}

/** Rows of the first read: few, since many readers want only the first ones. */
const firstRead = 16;
const largestRead = 1_024;
/** Most bytes that one read brings into memory, give or take one row. */
const readBytes = 1 << 20;

/**
 * The store over an open database. `beforeClose` runs after the last commit and before the database is
 * closed, `afterClose` when it is; they must not reject.
 *
 * @internal
 */
export function storeOver(
  db: Driver,
  {
    location,
    sync,
    id = 0,
    onWritten,
    onFailed,
    reclaim,
    compact,
    beforeClose,
    afterClose,
  }: DriverStoreOptions,
): RecordStore {
  const spaces = Object.fromEntries(
    kinds.map((kind) => [kind, db.sublevel(kind)]),
  ) as unknown as Readonly<Record<RecordKind, KeySpace>>;
  const group = groupCommit<Operation>(location, (operations) => write(db, operations, sync));
  const fence = fenceOf(db, spaces.journal.prefix);
  const { encodeAside, decode } = recordCodec(id);
  let closing: Promise<void> | null = null;
  /** Iterators that are open: what they may read stays on the disk. */
  const views = new Set<object>();

  const refuseIfClosed = (): void => {
    if (closing !== null) throw fail('STORE_CLOSED', `Store "${location}" is closed`, { location });
  };
  const read = async <Rows>(reading: () => Promise<Rows>): Promise<Rows> => {
    refuseIfClosed();
    try {
      return await reading();
    } catch (error) {
      throw readFailure(location, error);
    }
  };
  const close = async (): Promise<void> => {
    await group.settled();
    await beforeClose?.();
    try {
      await db.close();
    } finally {
      await afterClose?.();
    }
  };

  const reclaimOf = async (
    session: string,
    of: readonly RecordKind[],
  ): Promise<Erasure['left']> => {
    const before = [...views];
    const left = (await read(async () => reclaim?.(session, of))) ?? [];
    return before.length > 0 && reclaim !== undefined ? [...left, stillRead] : left;
  };

  const store: RecordStore = {
    location,
    get: async (kind, key) => {
      const text = await read(() => spaces[kind].get(key));
      return text === undefined ? undefined : decode(kind, key, text);
    },
    getMany: async (kind, keys) => {
      const texts = await read(() => spaces[kind].getMany([...keys]));
      return texts.map((text, index) =>
        text === undefined ? undefined : decode(kind, keys[index] ?? '', text),
      );
    },
    range: (kind, range) => readRows(kind, range, { space: spaces[kind], read, views, decode }),
    rows: () => readAll(db, { read, views }),
    commit: async (changes, { expect } = {}) => {
      refuseIfClosed();
      const operations = changes.map((change) =>
        toOperation(change, spaces[change.kind].prefix, encodeAside),
      );
      try {
        if (expect !== undefined) fence.pass(expect);
      } catch (error) {
        if (!isEngineError(error)) throw readFailure(location, error);
        // What came first is read by whoever is told of it.
        await group.commit([], 0);
        throw error;
      }
      try {
        await group.commit(operations, operationSize(operations));
        onWritten?.(changes);
      } catch (error) {
        onFailed?.();
        if (expect !== undefined) fence.forget(expect.session);
        throw error;
      }
    },
    async erase(session) {
      const records = {
        keys: (kind: RecordKind, range: KeyRange) => read(() => spaces[kind].keys(range).all()),
        commit: (changes: readonly Change[]) => store.commit(changes),
        reclaim: (of: readonly RecordKind[]) => reclaimOf(session, of),
      };
      const erasure = await eraseSession(records, session);
      fence.reset(session);
      return erasure;
    },
    ...(compact && {
      compact: async (options) => {
        try {
          return await read(() => compact(options));
        } catch (error) {
          options?.signal?.throwIfAborted();
          throw error;
        }
      },
    }),
    reclaim: (session) => reclaimOf(session, kinds.filter(isReclaimed)),
    close: () => (closing ??= close()),
  };
  return store;
}

/** Whether rows of a kind hold what was said; the row of a session itself stays. */
const isReclaimed = (kind: RecordKind): boolean => kind !== 'meta' && kind !== 'session';

const stillRead: Erasure['left'][number] = {
  kind: 'read',
  text: 'Tables that are being read right now; they go when the store is opened next',
};

/** The fences of the databases that are open: all stores over one share it. */
const fences = new WeakMap<Driver, Fence>();

function fenceOf(db: Driver, prefix: string): Fence {
  const known = fences.get(db);
  if (known !== undefined) return known;
  const fence = newFence(
    (session, seq) => db.getSync(prefix + journalKey(session, seq)) !== undefined,
  );
  fences.set(db, fence);
  return fence;
}

/** How rows are read. */
interface Reading {
  readonly read: <Rows>(reading: () => Promise<Rows>) => Promise<Rows>;
  readonly views: Set<object>;
}

async function* readRows(
  kind: RecordKind,
  { signal, ...range }: KeyRange,
  over: Reading & Pick<RecordCodec, 'decode'> & { readonly space: KeySpace },
): AsyncGenerator<readonly [key: string, value: unknown]> {
  signal?.throwIfAborted();
  const bounds = { ...range, highWaterMarkBytes: readBytes };
  const iterator = await over.read(async () => over.space.iterator(bounds));
  over.views.add(iterator);
  try {
    for (let wanted = firstRead; ; wanted = Math.min(wanted * 4, largestRead)) {
      const page = await over.read(() => iterator.nextv(wanted));
      if (page.length === 0) return;
      for (const [key, text] of page) {
        signal?.throwIfAborted();
        yield [key, over.decode(kind, key, text)];
      }
      signal?.throwIfAborted();
    }
  } finally {
    over.views.delete(iterator);
    await iterator.close();
  }
}

/** Every row, of one iterator and so of one view. */
async function* readAll(db: Driver, { read, views }: Reading): AsyncGenerator<RawRow> {
  const iterator = await read(async () => db.iterator({ highWaterMarkBytes: readBytes } as object));
  views.add(iterator);
  try {
    for (;;) {
      const page = (await read(() => iterator.nextv(largestRead))) as RawRow[];
      if (page.length === 0) return;
      yield* page;
    }
  } finally {
    views.delete(iterator);
    await iterator.close();
  }
}

/** One batch of `operations`; a chained one takes a quarter less time than an array of them. */
async function write(db: Driver, operations: readonly Operation[], sync: boolean): Promise<void> {
  /** What is deflated aside: a batch must not be open while that is awaited. */
  const late = new Map<Promise<string>, string>();
  for (const one of operations)
    if (one.type === 'put' && typeof one.value !== 'string') late.set(one.value, await one.value);
  const batch = db.batch();
  for (const one of operations) {
    if (one.type === 'del') batch.del(one.key);
    else batch.put(one.key, typeof one.value === 'string' ? one.value : late.get(one.value)!);
  }
  const options: { sync: boolean } = { sync };
  return batch.write(options);
}

function toOperation(
  change: Change,
  prefix: string,
  encode: RecordCodec['encodeAside'],
): Operation {
  const { type, kind, key } = change;
  if (type === 'del') return { type, key: prefix + key };
  return { type, key: prefix + key, value: encode(kind, key, change.value) };
}

/** Approximate size of a batch of `operations`, in bytes; without the values that nobody has yet. */
function operationSize(operations: readonly Operation[]): number {
  const valueOf = (one: Operation): number =>
    one.type === 'put' && typeof one.value === 'string' ? one.value.length : 0;
  return operations.reduce((sum, one) => sum + one.key.length + valueOf(one), 0);
}

/** The error for a read that `cause` kept from its row. */
function readFailure(location: string, cause: unknown): EngineError {
  const isCorrupt = (cause as { code?: string }).code === 'LEVEL_CORRUPTION';
  return isCorrupt ? damaged(location, cause) : unavailable(location, cause);
}

/** The error for a database that did not open. */
export function openFailure(location: string, error: unknown): EngineError {
  return readFailure(location, (error as Error).cause ?? error);
}

/** The `STORE_DAMAGED` error for `cause`. */
export function damaged(location: string, cause: unknown): EngineError {
  const message = `Store "${location}" is damaged: ${(cause as Error).message}`;
  return new EngineError('STORE_DAMAGED', message, { detail: { location }, cause });
}

/** The error for a store that `cause` keeps from working. */
export function unavailable(location: string, cause: unknown): EngineError {
  // Level says that a database did not open, and why in the cause of that.
  const { message: reason } = ((cause as Error).cause ?? cause) as Error;
  const message = `Store "${location}" cannot be used: ${reason}`;
  return new EngineError('STORE_UNAVAILABLE', message, { detail: { location }, cause });
}
