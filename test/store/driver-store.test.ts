import { AbstractIterator } from 'abstract-level';
import { MemoryLevel } from 'memory-level';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storeOver } from '../../src/store/driver-store.ts';
import { entryKey, metaKey } from '../../src/store/key.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { openMemoryStore } from '../../src/store/level/level-store.ts';
import type { RecordStore } from '../../src/store/store.ts';
import { recordCodec } from '../../src/store/record.ts';
import { codecIn } from './codec.ts';

async function filled(rows: number): Promise<RecordStore> {
  const store = await openMemoryStore();
  const numbers = Array.from({ length: rows }, (_, n) => n);
  await store.commit(
    numbers.map((n) => ({ type: 'put', kind: 'entry', key: entryKey('s', n), value: n })),
  );
  onTestFinished(() => store.close());
  return store;
}

/** Iterators that are open at the moment, and how many rows were asked for at once. */
function watchIterators(): { left: () => number; asked: number[] } {
  const seen = new Set<unknown>();
  const ended = new Set<unknown>();
  const asked: number[] = [];
  const prototype = AbstractIterator.prototype;
  const nextv: (size: number) => Promise<[string, string][]> = Reflect.get(prototype, 'nextv');
  const close: () => Promise<void> = Reflect.get(prototype, 'close');
  vi.spyOn(prototype, 'nextv').mockImplementation(function (this: unknown, size: number) {
    seen.add(this);
    asked.push(size);
    return nextv.call(this, size);
  });
  vi.spyOn(prototype, 'close').mockImplementation(function (this: unknown) {
    ended.add(this);
    return close.call(this);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return { left: () => [...seen].filter((it) => !ended.has(it)).length, asked };
}

test('a range reads a bounded number of rows at a time, few at first', async () => {
  const store = await filled(5_000);
  const { asked, left } = watchIterators();
  let rows = 0;
  for await (const _ of store.range('entry', {})) rows += 1;
  expect(rows).toBe(5_000);
  expect(asked[0]).toBe(16);
  expect(Math.max(...asked)).toBe(1_024);
  expect(left()).toBe(0);
});

test('a reader who leaves, fails or is aborted leaves no iterator open', async () => {
  const store = await filled(100);
  const { left } = watchIterators();
  for await (const _ of store.range('entry', {})) {
    expect(left()).toBeGreaterThan(0);
    break;
  }
  expect(left()).toBe(0);
  const failing = (async () => {
    for await (const _ of store.range('entry', {})) throw new Error('reader');
  })();
  await expect(failing).rejects.toThrow('reader');
  expect(left()).toBe(0);
  const controller = new AbortController();
  const aborted = (async () => {
    for await (const _ of store.range('entry', { signal: controller.signal })) controller.abort();
  })();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect(left()).toBe(0);
});

test('a damaged row rejects where it is read, one by one, among many, and in a range', async () => {
  const db = new MemoryLevel();
  await db.open();
  const store = await openStoreOver(db, { location: 'm', sync: false });
  onTestFinished(() => store.close());
  const key = entryKey('s', 1);
  await store.commit([{ type: 'put', kind: 'entry', key: entryKey('s', 0), value: 'sound' }]);
  const { encode } = await codecIn(db);
  await db.sublevel('entry').put(key, encode('entry', key, 'sound').replace('sound', 'wrong'));
  const damaged = { code: 'RECORD_DAMAGED', detail: { kind: 'entry', key } };
  await expect(store.get('entry', key)).rejects.toMatchObject(damaged);
  await expect(store.getMany('entry', [entryKey('s', 0), key])).rejects.toMatchObject(damaged);
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const [, value] of store.range('entry', {})) seen.push(value);
  })();
  await expect(reading).rejects.toMatchObject(damaged);
  expect(seen).toEqual(['sound']);
});

/** A database whose next read fails with `code`, if there is one. */
class BrokenLevel extends MemoryLevel {
  code: string | null = null;

  async _get(key: unknown, options: unknown): Promise<unknown> {
    const { code } = this;
    this.code = null;
    if (code !== null) throw Object.assign(new Error('broken'), { code });
    const get = Reflect.get(MemoryLevel.prototype, '_get') as BrokenLevel['_get'];
    return get.call(this, key, options);
  }
}

test.each([
  ['LEVEL_CORRUPTION', 'STORE_DAMAGED'],
  ['LEVEL_IO_ERROR', 'STORE_UNAVAILABLE'],
])('a read that fails with %s rejects with %s, and the next one works', async (cause, code) => {
  const db = new BrokenLevel();
  await db.open();
  const store = storeOver(db, { location: 'm', sync: false });
  onTestFinished(() => store.close());
  db.code = cause;
  const failure = { code, cause: { code: cause } };
  await expect(store.get('entry', 'k')).rejects.toMatchObject(failure);
  expect(await store.get('entry', 'k')).toBeUndefined();
});

test.each([[{}], [{ version: '1' }], [{ version: null }], [{ version: 0 }], [{ version: 1 }]])(
  'a store whose header says %j is damaged',
  async (header) => {
    const db = new MemoryLevel();
    await db.open();
    const key = metaKey('format');
    await db.sublevel('meta').put(key, recordCodec(0).encode('meta', key, header));
    const opening = openStoreOver(db, { location: 'm', sync: false });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    expect(db.status).toBe('closed');
  },
);
