import { MemoryLevel } from 'memory-level';
import { expect, onTestFinished, test } from 'vitest';
import { openOver } from '../../src/engine/open/open-store.ts';
import { journalKey } from '../../src/store/key.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { openMemoryStore } from '../../src/store/level/level-store.ts';
import type { RecordStore } from '../../src/store/store.ts';
import { FaultyLevel } from './faulty-level.ts';

const one = {};
const other = {};

function write(store: RecordStore, seq: number, owner: object): Promise<void> {
  const key = journalKey('s', seq);
  const expect = { session: 's', seq: seq - 1, born: 1, owner };
  return store.commit([{ type: 'put', kind: 'journal', key, value: { seq, by: owner === one } }], {
    expect,
  });
}

const conflict = { code: 'CONFLICT', retryable: true };

async function opened(db: MemoryLevel = new MemoryLevel()): Promise<RecordStore> {
  await db.open();
  const store = await openStoreOver(db, { location: 'm', sync: false });
  onTestFinished(() => store.close());
  return store;
}

test('who does not know the newest record is refused, and what it decides on that state after', async () => {
  const store = await opened();
  await write(store, 1, one);
  await write(store, 2, other);
  await expect(write(store, 2, one)).rejects.toMatchObject({
    ...conflict,
    detail: { session: 's', seq: 1 },
  });
  await expect(write(store, 3, one)).rejects.toMatchObject(conflict);
  expect(await store.get('journal', journalKey('s', 2))).toEqual({ seq: 2, by: false });
  expect(await store.get('journal', journalKey('s', 3))).toBeUndefined();
  await write(store, 3, other);
});

test('of two commits at once one is written', async () => {
  const store = await opened();
  const both = await Promise.allSettled([write(store, 1, one), write(store, 1, other)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await store.get('journal', journalKey('s', 1))).toEqual({ seq: 1, by: true });
});

test('stores over one database share the fence, and a store that was opened again knows what is there', async () => {
  const db = new MemoryLevel();
  const first = await opened(db);
  const second = await openStoreOver(db, { location: 'm', sync: false });
  await write(first, 1, one);
  await expect(write(second, 1, other)).rejects.toMatchObject(conflict);
  await write(second, 2, {});
});

test('the first commit after an opening looks whether its record is there', async () => {
  const store = await opened();
  const key = journalKey('s', 1);
  await store.commit([{ type: 'put', kind: 'journal', key, value: 'there' }]);
  await expect(write(store, 1, one)).rejects.toMatchObject(conflict);
  expect(await store.get('journal', key)).toBe('there');
});

test('a head whose write failed is looked up again', async () => {
  const db = new FaultyLevel({ at: 1, mode: 'before' });
  const store = await opened(db);
  await expect(write(store, 1, one)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const second = await openStoreOver(db, { location: 'm', sync: false });
  await write(second, 1, {});
});

test('of two engines over one store none overwrites the other: who lost reads again and decides again', async () => {
  const records = await openMemoryStore();
  const [first, second] = [await openOver(records), await openOver(records)];
  onTestFinished(() => first.close());
  const mine = await first.open('s', { window: 8_192 });
  const theirs = await second.open('s');
  const answers = await Promise.allSettled(
    [mine, theirs, mine].map((session, n) =>
      session.append({ role: 'user', content: `said ${n}` }),
    ),
  );
  expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await theirs.append({ role: 'user', content: 'said 3' })).toEqual({ id: 'e4' });
  const said: unknown[] = [];
  for await (const { content } of theirs.log()) said.push(content);
  expect(new Set(said)).toEqual(new Set(['said 0', 'said 1', 'said 2', 'said 3']));
  expect(said.length).toBe(4);
  await theirs.close();
  expect((await second.open('s')).state.entries).toBe(4);
});
