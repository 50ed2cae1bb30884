import { isEngineError, type EngineError } from '../core/values/error.ts';
import type { KeyRange, RecordKind, RecordStore } from './store.ts';

/** A row that was read, or one that does not match its checksum. */
export type ReadRow =
  | { readonly key: string; readonly value: unknown; readonly error?: undefined }
  | { readonly key: string; readonly value?: undefined; readonly error: EngineError };

/** The rows of a stretch, damaged ones too: reading goes on past them. One that is read damaged is read once more, for a read may go wrong as well. */
export async function* rowsPastDamage(
  store: RecordStore,
  kind: RecordKind,
  range: KeyRange,
): AsyncGenerator<ReadRow> {
  let left: KeyRange = range;
  for (;;) {
    let count = 0;
    let damage: DamagedRow;
    try {
      for await (const [key, value] of store.range(kind, left)) {
        count += 1;
        yield { key, value };
      }
      return;
    } catch (error) {
      if (!isDamagedRow(error)) throw error;
      damage = error;
    }
    const { key } = damage.detail;
    yield await readAgain(store, kind, { key, error: damage });
    left = rangeBeyond(left, key, count + 1);
    if (left.limit === 0) return;
  }
}

async function readAgain(store: RecordStore, kind: RecordKind, row: ReadRow): Promise<ReadRow> {
  const { key } = row;
  try {
    const value = await store.get(kind, key);
    return value === undefined ? row : { key, value };
  } catch (error) {
    if (isDamagedRow(error)) return row;
    throw error;
  }
}

/** What says of one row that it is damaged. */
type DamagedRow = EngineError<'RECORD_DAMAGED'> & { readonly detail: { readonly key: string } };

const isDamagedRow = (error: unknown): error is DamagedRow =>
  isEngineError(error, 'RECORD_DAMAGED') && error.detail.key !== undefined;

/** What is left of a range of which `count` rows were read, the last one at `key`. */
function rangeBeyond(range: KeyRange, key: string, count: number): KeyRange {
  const { gte, gt, lt, lte, limit, ...walk } = range;
  const most = limit === undefined ? {} : { limit: Math.max(0, limit - count) };
  if (walk.reverse === true) return { ...walk, ...most, ...definedIn({ gte, gt }), lt: key };
  return { ...walk, ...most, ...definedIn({ lt, lte }), gt: key };
}

const definedIn = (bounds: Readonly<Record<string, string | undefined>>): KeyRange =>
  Object.fromEntries(Object.entries(bounds).filter(([, bound]) => bound !== undefined));
