import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { openStore, salvageStore } from '../../src/index.ts';
import { entryKey } from '../../src/store/key.ts';
import { contents, saidStore, total } from '../engine/open/mended.ts';
import { filesIn, newLocation } from './folder.ts';

const row = `!entry!${entryKey('s', 30)}`;
const header = '!meta!format';

/** Works on the rows of a closed store, past all that guards it. */
async function harm(location: string, work: (db: Level) => Promise<unknown>): Promise<void> {
  const db = new Level(location);
  await work(db);
  await db.close();
  await rm(join(location, 'guard.json'));
}

test('a row of another store with a session of the same name is not taken for its own', async () => {
  const [location, other] = [await saidStore(), await saidStore('SAID')];
  let foreign = '';
  await harm(other, async (db) => (foreign = (await db.get(row))!));
  await harm(location, (db) => db.put(row, foreign));
  const read = await contents(location);
  expect(read.size).toBe(total - 1);
  expect([...read.values()].filter((text) => String(text).startsWith('SAID'))).toEqual([]);
  await using store = await openStore(location);
  await expect((await store.open('s')).entry('e30')).rejects.toMatchObject({
    code: 'RECORD_DAMAGED',
  });
});

test('of a store whose header and notes are gone all is salvaged, and another’s rows are not', async () => {
  const [location, other] = [await saidStore(), await saidStore('SAID')];
  const rows: [string, string][] = [];
  await harm(other, async (db) => rows.push(...(await db.iterator({ gte: '!entry!' }).all())));
  await harm(location, async (db) => {
    await db.del(header);
    for (const [key, text] of rows.slice(0, 40)) await db.put(`${key.slice(0, -1)}x`, text);
  });
  await expect(openStore(location)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  const copy = await newLocation();
  await salvageStore(location, copy);
  const read = await contents(copy);
  expect(read.size).toBe(total);
  expect([...read.values()].every((text) => String(text).startsWith('said'))).toBe(true);
});

test('of a store in which a table of another one lies, nothing of that is salvaged, however much it is', async () => {
  const location = await saidStore();
  const other = await saidStore('SAID');
  for (const place of [location, other]) await (await openStore(place)).close();
  const [table = ''] = await filesIn(other, /\.ldb$/);
  await copyFile(join(other, table), join(location, 'LOCK'));
  await copyFile(join(other, table), join(location, '900000.ldb'));
  const copy = await newLocation();
  await salvageStore(location, copy);
  const read = await contents(copy);
  expect(read.size).toBe(total);
  expect([...read.values()].every((text) => String(text).startsWith('said'))).toBe(true);
});

test('a copy is of the same store, and one that begins of another', async () => {
  const location = await saidStore();
  const [copy, salvaged] = [await newLocation(), await newLocation()];
  {
    await using store = await openStore(location);
    await store.backup(copy);
  }
  await salvageStore(location, salvaged);
  const headers = new Set<string | undefined>();
  for (const place of [location, copy, salvaged, await saidStore()])
    await harm(place, async (db) => headers.add(await db.get(header)));
  expect(headers.size).toBe(2);
});
