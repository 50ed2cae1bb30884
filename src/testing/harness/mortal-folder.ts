import { cp, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '../../store/driver-store.ts';
import { openLevelStore } from '../../store/level/level-store.ts';
import type { Change, RecordStore, StoreHost } from '../../store/store.ts';

// A folder of LevelDB whose process can die. What a dead process leaves are the bytes in its files: they are copied
// as they are, before the database is closed, and the next life opens the copy.

/** How a write ends: the process dies before, within or after it, or the disk refuses it. */
export type Fate = 'before' | 'in' | 'after' | 'disk full' | 'input/output error';

/** What becomes of one of the writes to come. */
export interface Trap {
  readonly fate: Fate;
  /** Which one, from 1. */
  readonly write: number;
}

/** A folder of a store, and the process that has it open. */
export interface MortalFolder extends StoreHost {
  /** Whether reads or writes are under way. */
  readonly isBusy: boolean;
  /** Writes of steps since the trap was set or taken away. */
  readonly writes: number;
  /** Whether the process died, or was refused a write. */
  readonly isOver: boolean;
  /** Resolves with the end of this life. */
  readonly over: Promise<void>;
  /** What is open now. */
  readonly records: RecordStore;
  /** Sets the trap for the writes to come; none for null. */
  set(trap: Trap | null): void;
  /** Ends the process now, without a word. */
  die(): Promise<void>;
  /** Begins another life after a death or a refusal, over what is in the files. */
  revive(): void;
  /** Removes all files. */
  remove(): Promise<void>;
}

/** A folder for temporary files, with nothing in it. */
export async function mortalFolder(): Promise<MortalFolder> {
  const root = await mkdtemp(join(tmpdir(), 'flamestack-test-'));
  let lives = 0;
  let under = 0;
  let writes = 0;
  let trap: Trap | null = null;
  let failure: Error | null = null;
  let inner: RecordStore | null = null;
  let over = withResolvers();
  const folder = (life = lives): string => join(root, `life-${life}`);

  async function die(torn: ReadonlyMap<string, number> | null = null): Promise<void> {
    end(unavailable('the harness', new Error('the process died')));
    await cp(folder(), folder(lives + 1), { recursive: true });
    if (torn !== null) await tear(folder(lives + 1), torn);
    lives += 1;
    await inner?.close();
  }

  async function commit(
    records: RecordStore,
    changes: readonly Change[],
    options: Parameters<RecordStore['commit']>[1],
  ): Promise<void> {
    if (changes.some(({ kind }) => kind === 'journal')) writes += 1;
    const fate = trap !== null && writes === trap.write ? trap.fate : null;
    if (fate === null) return records.commit(changes, options);
    trap = null;
    if (fate === 'before') await die();
    else if (fate === 'in' || fate === 'after') {
      const before = await logSizes(folder());
      await records.commit(changes, options);
      await die(fate === 'in' ? before : null);
    } else end(unavailable('the harness', new Error(fate)));
    throw failure!;
  }

  async function track<T>(work: () => Promise<T>): Promise<T> {
    under += 1;
    try {
      return await work();
    } finally {
      under -= 1;
    }
  }

  /** A call of the store, unless its process is dead. */
  async function call<T>(work: () => Promise<T>): Promise<T> {
    if (failure !== null) throw failure;
    return track(work);
  }

  function end(error: Error): void {
    failure = error;
    over.resolve();
  }

  function mortal(records: RecordStore): RecordStore {
    return Object.assign(Object.create(records) as RecordStore, {
      location: 'the harness',
      get: (...args: Parameters<RecordStore['get']>) => call(() => records.get(...args)),
      getMany: (...args: Parameters<RecordStore['getMany']>) =>
        call(() => records.getMany(...args)),
      async *range(...args: Parameters<RecordStore['range']>) {
        const rows = records.range(...args)[Symbol.asyncIterator]();
        for (;;) {
          const row = await call(() => rows.next());
          if (row.done === true) return;
          yield row.value;
        }
      },
      commit: (...[changes, options]: Parameters<RecordStore['commit']>) =>
        call(() => commit(records, changes, options)),
      close: () => track(() => records.close()),
    });
  }

  return {
    get isBusy() {
      return under > 0;
    },
    get writes() {
      return writes;
    },
    get isOver() {
      return failure !== null;
    },
    set(next) {
      trap = next;
      writes = 0;
    },
    die: () => die(),
    revive() {
      failure = null;
      over = withResolvers();
    },
    get over() {
      return over.promise;
    },
    get records() {
      return inner!;
    },
    async open() {
      const opened = openLevelStore(folder(), { durability: 'process', command: 'test' });
      inner = await track(() => opened);
      return mortal(inner);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** The logs of a database, and how long they are, in bytes. */
async function logSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = (await readdir(folder)).filter((name) => /^\d+\.log$/.test(name));
  const sizes = names.map(async (name) => [name, (await stat(join(folder, name))).size] as const);
  return new Map(await Promise.all(sizes));
}

/** Cuts what was written to logs since they were so long in half. */
async function tear(folder: string, before: ReadonlyMap<string, number>): Promise<void> {
  for (const [name, size] of await logSizes(folder)) {
    const from = before.get(name) ?? 0;
    if (size > from) await truncate(join(folder, name), from + Math.ceil((size - from) / 2));
  }
}
