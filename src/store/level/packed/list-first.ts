import { fail, type EngineError } from '../../../core/values/error.ts';
import type { KeyRange, RecordKind, RecordStore } from '../../store.ts';
import type { ClosedNote, PackedRows } from './packed-rows.ts';
import { readSearch } from './packed-search.ts';

/** What stands behind rows that are packed. */
interface Behind {
  readonly noted: ClosedNote;
  readonly location: string;
  readonly refusal: EngineError;
  /** Opens the store they are of, for reading. */
  readonly open: () => Promise<RecordStore>;
}

/** A store for reading whose packed rows tell what they can, until something else is read: then it is opened, and tells all. */
export function listFirst(
  packed: PackedRows,
  { location, refusal, noted, open }: Behind,
): RecordStore {
  let opened: Promise<RecordStore> | undefined;
  let isClosed = false;
  const whole = async (): Promise<RecordStore> => {
    if (isClosed) throw fail('STORE_CLOSED', `Store "${location}" is closed`, { location });
    return (opened ??= open());
  };
  const known = (kind: RecordKind, range: KeyRange): ReturnType<PackedRows['range']> =>
    opened === undefined && !isClosed ? packed.range(kind, range) : null;
  return {
    location,
    refusal,
    heads: () => noted.heads ?? null,
    searched: {
      read: () => readSearch(location, noted),
      write: async (text) => (await whole()).searched?.write(text),
    },
    get: async (kind, key) => (await whole()).get(kind, key),
    getMany: async (kind, keys) => (await whole()).getMany(kind, keys),
    async *range(kind: RecordKind, range: KeyRange) {
      yield* known(kind, range) ?? (await whole()).range(kind, range);
    },
    known,
    outlines: () => (opened === undefined && !isClosed ? packed.outlines : null),
    async *rows() {
      yield* (await whole()).rows();
    },
    async *damagedFiles() {
      yield* (await whole()).damagedFiles?.() ?? [];
    },
    commit: async (changes, options) => (await whole()).commit(changes, options),
    erase: async (session) => (await whole()).erase(session),
    async close() {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}
