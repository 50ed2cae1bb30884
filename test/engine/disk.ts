import { fail } from '../../src/core/values/error.ts';
import type { RecordKind, RecordStore } from '../../src/store/store.ts';
import { openMemoryStore } from '../../src/store/level/level-store.ts';

/** Rows that outlive the stores over them, as a disk does, and how many of them were read and written. */
export interface Disk {
  /** A store over the rows; closing it closes nothing else. */
  mount(): RecordStore;
  /** Rows read since `reset`, by kind. */
  readonly reads: Map<RecordKind, number>;
  /** Rows written since `reset`, by kind. */
  readonly writes: Map<RecordKind, number>;
  /** Batches since `reset`. */
  readonly commits: number;
  reset(): void;
}

/** An empty disk, or one over the rows of `inner`. */
export async function newDisk(inner?: RecordStore): Promise<Disk> {
  const rows = inner ?? (await openMemoryStore());
  const reads = new Map<RecordKind, number>();
  const writes = new Map<RecordKind, number>();
  const tally = (into: Map<RecordKind, number>, kind: RecordKind, by = 1): void =>
    void into.set(kind, (into.get(kind) ?? 0) + by);
  let commits = 0;

  function mount(): RecordStore {
    const under = new Set<Promise<unknown>>();
    let closed = false;
    const check = (): void => {
      if (closed) throw fail('STORE_CLOSED', 'The store at disk is closed', { location: 'disk' });
    };
    return {
      location: 'disk',
      async get(kind, key) {
        check();
        tally(reads, kind);
        return rows.get(kind, key);
      },
      async getMany(kind, keys) {
        check();
        tally(reads, kind, keys.length);
        return rows.getMany(kind, keys);
      },
      async *range(kind, range) {
        check();
        for await (const row of rows.range(kind, range)) {
          check();
          tally(reads, kind);
          yield row;
        }
      },
      rows: () => rows.rows(),
      erase: (session) => rows.erase(session),
      async commit(changes) {
        check();
        commits += 1;
        for (const { kind, type } of changes) if (type === 'put') tally(writes, kind);
        const work = rows.commit(changes);
        under.add(work);
        await work.finally(() => under.delete(work));
      },
      async close() {
        closed = true;
        await Promise.allSettled(under);
      },
    };
  }

  return {
    mount,
    reads,
    writes,
    get commits() {
      return commits;
    },
    reset() {
      reads.clear();
      writes.clear();
      commits = 0;
    },
  };
}

/** What a store says that cannot be read for a moment. */
export const passing = fail('STORE_UNAVAILABLE', 'Too many open files', { location: 'disk' });

/** A store whose nth reading of a kind of rows fails, and none after it. */
export function failingOnce(
  records: RecordStore,
  at: { readonly kind: RecordKind; readonly nth: number },
): RecordStore {
  let left = at.nth;
  const pass = (kind: RecordKind): void => {
    if (kind === at.kind && (left -= 1) === 0) throw passing;
  };
  return {
    ...records,
    async get(kind, key) {
      pass(kind);
      return records.get(kind, key);
    },
    async getMany(kind, keys) {
      pass(kind);
      return records.getMany(kind, keys);
    },
    async *range(kind, range) {
      pass(kind);
      yield* records.range(kind, range);
    },
  };
}
