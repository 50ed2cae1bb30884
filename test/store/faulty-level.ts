import { MemoryLevel } from 'memory-level';
import type { Driver } from '../../src/store/driver-store.ts';

/** One operation as the driver gets it: keys with their sublevel, values as they are kept. */
interface Operation {
  readonly type: 'put' | 'del';
  readonly key: Uint8Array;
  readonly value?: Uint8Array;
}

/** One batch that took effect, and whether it was synced. */
export interface Write {
  readonly operations: readonly Operation[];
  readonly sync: boolean;
}

/** Which write fails, counted from 0, and whether it takes effect all the same. */
export interface Fault {
  readonly at: number;
  readonly mode: 'before' | 'after';
}

/** A database in memory that keeps a journal of its writes, one of which fails. */
export class FaultyLevel extends MemoryLevel {
  readonly journal: Write[] = [];
  /** Attempts so far. */
  attempts = 0;
  #fault: Fault | undefined;

  constructor(fault?: Fault) {
    super();
    this.#fault = fault;
  }

  /** From here on fails at one of the writes, counted from all attempts. */
  fail(fault: Fault): void {
    this.#fault = fault;
  }

  /** The only write that the store uses: every physical write of a batch goes through here. */
  async _batch(operations: Operation[], options: { sync?: boolean }): Promise<void> {
    const fails = this.attempts === this.#fault?.at ? this.#fault.mode : 'never';
    this.attempts += 1;
    if (fails === 'before') throw inputOutputError();
    const apply = Reflect.get(MemoryLevel.prototype, '_batch') as FaultyLevel['_batch'];
    await apply.call(this, operations, options);
    this.journal.push({ operations, sync: options.sync === true });
    if (fails === 'after') throw inputOutputError();
  }
}

function inputOutputError(): Error {
  return Object.assign(new Error('An injected input/output error'), { code: 'LEVEL_IO_ERROR' });
}

/** A database that holds `image` and fails at one of the writes after it. */
export async function revive(image: readonly Write[], fault?: Fault): Promise<FaultyLevel> {
  const db = new FaultyLevel(
    fault === undefined ? undefined : { ...fault, at: fault.at + image.length },
  );
  await fill(db, image);
  return db;
}

/** Opens a database, and writes what `image` wrote. */
export async function fill(db: FaultyLevel, image: readonly Write[]): Promise<void> {
  await db.open();
  const raw = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const;
  for (const { operations } of image)
    await db.batch(
      operations.map((operation) => ({ ...operation, ...raw })) as never[],
      raw as never,
    );
}

/** What a crash may leave: each prefix of the journal, the empty one and the whole one included. */
export function* crashImages(journal: readonly Write[]): Generator<readonly Write[]> {
  for (let end = 0; end <= journal.length; end += 1) yield journal.slice(0, end);
}

/**
 * What a loss of power may leave besides: the unsynced writes at the end are cut anywhere, and any one
 * unsynced write is missing, also from the middle (LevelDB begins a new log without syncing the last).
 */
export function* powerLossImages(journal: readonly Write[]): Generator<readonly Write[]> {
  for (const image of crashImages(journal)) {
    yield image;
    for (let end = image.length; end > 0 && image[end - 1]?.sync === false; end -= 1) {
      yield image.slice(0, end - 1);
    }
    for (const [hole, write] of image.entries()) {
      if (!write.sync) yield image.toSpliced(hole, 1);
    }
  }
}

/** A database that holds what `image` wrote. */
export async function materialize(image: readonly Write[]): Promise<Driver> {
  const db = new MemoryLevel<Uint8Array, Uint8Array>({
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
  });
  await db.open();
  for (const { operations } of image) {
    const copy = operations.map(({ type, key, value }) =>
      type === 'put' && value !== undefined ? { type, key, value } : { type: 'del' as const, key },
    );
    await db.batch(copy);
  }
  return db as unknown as Driver;
}
