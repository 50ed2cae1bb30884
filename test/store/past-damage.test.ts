import { expect, test } from 'vitest';
import { fail } from '../../src/core/values/error.ts';
import { rowsPastDamage, type ReadRow } from '../../src/store/past-damage.ts';
import type { RecordStore } from '../../src/store/store.ts';
import { openMemoryStore } from '../../src/store/level/level-store.ts';

/** A store of rows `a`, `b`, `c`, of which a walk reads `b` damaged; by its key it `isRead`. */
async function harmed(isRead: boolean): Promise<RecordStore> {
  const records = await openMemoryStore();
  await records.commit(
    ['a', 'b', 'c'].map((key) => ({ type: 'put', kind: 'meta', key, value: `is ${key}` })),
  );
  const damage = () => fail('RECORD_DAMAGED', 'It is damaged', { kind: 'meta', key: 'b' });
  return {
    ...records,
    async *range(kind, range) {
      for await (const row of records.range(kind, range))
        if (row[0] === 'b') throw damage();
        else yield row;
    },
    get: async (kind, key) => {
      if (key === 'b' && !isRead) throw damage();
      return records.get(kind, key);
    },
  };
}

async function rowsOf(store: RecordStore): Promise<readonly ReadRow[]> {
  const rows: ReadRow[] = [];
  for await (const row of rowsPastDamage(store, 'meta', { lt: 'd' })) rows.push(row);
  return rows;
}

test('a row that is read damaged once is read again, and is as it was written', async () => {
  expect(await rowsOf(await harmed(true))).toEqual(
    ['a', 'b', 'c'].map((key) => ({ key, value: `is ${key}` })),
  );
});

test('a row that is damaged is told to be, and reading goes on past it', async () => {
  const [a, b, c, ...others] = await rowsOf(await harmed(false));
  expect([a, c]).toEqual(['a', 'c'].map((key) => ({ key, value: `is ${key}` })));
  expect([b?.key, b?.error?.code, others]).toEqual(['b', 'RECORD_DAMAGED', []]);
});
