import { MemoryLevel } from 'memory-level';
import { onTestFinished } from 'vitest';
import { openOver } from '../../src/engine/open/open-store.ts';
import type { Store } from '../../src/engine/open/open-store.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RecordKind } from '../../src/store/store.ts';

/** Entries of a {@link harmedStore}; the first of them are out of the window. */
export const total = 40;

/** Changes rows behind the store's back. */
export interface Harms {
  readonly del: (kind: RecordKind, key: string) => Promise<void>;
  /** Changes the last but one character of a row. */
  readonly flip: (kind: RecordKind, key: string) => Promise<void>;
}

/** A store with a session `s` of forty entries whose rows are harmed after it was closed. */
export async function harmedStore(
  harm: (harms: Harms) => Promise<void>,
): Promise<{ store: Store; harms: Harms }> {
  const db = new MemoryLevel();
  await db.open();
  const records = await openStoreOver(db, { location: 'm', sync: false });
  const before = await openOver(records);
  const session = await before.open('s', { window: 2_000 });
  for (let n = 1; n <= total; n += 1)
    await session.append({ role: 'assistant', content: `said${n} ${'and more '.repeat(80)}` });
  await session.close();
  // As after a kill: what was indexed before it was harmed is found all the same.
  await db.sublevel('search').clear();
  const harms: Harms = {
    del: (kind, key) => db.sublevel(kind).del(key),
    flip: async (kind, key) => {
      const space = db.sublevel(kind);
      const text = (await space.get(key))!;
      await space.put(key, `${text.slice(0, -2)}~${text.slice(-1)}`);
    },
  };
  await harm(harms);
  const store = await openOver(records);
  onTestFinished(() => store.close());
  return { store, harms };
}
