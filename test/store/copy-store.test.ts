import { existsSync } from 'node:fs';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { openStore } from '../../src/engine/open/open-store.ts';
import { salvageStore } from '../../src/engine/open/repair/salvage-store.ts';
import { entryKey } from '../../src/store/key.ts';
import { flamestack } from '../cli/call.ts';
import { harmedStore } from '../engine/harmed.ts';
import { filesIn, newLocation } from './folder.ts';

const hello = { role: 'user', content: 'hello' } as const;

async function said(location: string): Promise<number> {
  await using store = await openStore(location, { create: false });
  const session = await store.open('s');
  let count = 0;
  for await (const _ of session.log()) count += 1;
  return count;
}

test('a store is copied while it is written to, as it was at one moment', async () => {
  await using store = await openStore(await newLocation());
  const session = await store.open('s', { window: 8_192 });
  for (let n = 0; n < 50; n += 1) await session.append(hello);
  const copy = await newLocation();
  const done = new AbortController();
  const writing = (async () => {
    while (!done.signal.aborted) await session.append(hello);
  })();
  const { location, rows, damaged } = await store.backup(copy);
  done.abort();
  await writing;
  expect(location).toBe(copy);
  expect(rows).toBeGreaterThan(100);
  expect(damaged).toEqual([]);
  expect((await stat(copy)).mode & 0o777).toBe(0o700);
  for (const name of await filesIn(copy, /./))
    expect((await stat(join(copy, name))).mode & 0o077, name).toBe(0);
  const entries = await said(copy);
  expect(entries).toBeGreaterThanOrEqual(50);
  expect(entries).toBeLessThan(session.state.entries);
  await using again = await openStore(copy);
  for await (const check of again.verify()) expect(check.isSound).toBe(true);
  await (await again.open('s')).append(hello);
});

test('a store in memory is copied to the disk', async () => {
  await using store = await openStore(':memory:');
  await (await store.open('s', { window: 8_192 })).append(hello);
  const copy = await newLocation();
  await store.backup(copy);
  expect(await said(copy)).toBe(1);
});

test('a folder that holds something is refused and left as it is', async () => {
  await using store = await openStore(':memory:');
  const folder = await newLocation();
  await mkdir(folder);
  await writeFile(join(folder, '.gitignore'), '*');
  await expect(store.backup(folder)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'folder', location: folder },
  });
  expect(await filesIn(folder, /./)).toEqual(['.gitignore']);
  const other = await newLocation();
  await store.backup(other);
  await expect(store.backup(other)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('a place in the store itself is refused, by whatever name', async () => {
  const location = await newLocation();
  const link = await newLocation();
  {
    await using store = await openStore(location);
    await (await store.open('s', { window: 8_192 })).append(hello);
    await symlink(location, link);
    for (const place of [join(location, 'bk'), join(link, 'a', 'bk'), link])
      await expect(store.backup(place)).rejects.toThrow('lies in the store');
  }
  for (const place of [join(link, 'bk'), link])
    await expect(salvageStore(location, place)).rejects.toThrow('lies in the store');
  expect(await filesIn(location, /^bk|^a$/)).toEqual([]);
});

test('a copy that is broken off leaves nothing', async () => {
  const { store } = await harmedStore(async () => undefined);
  const folder = await newLocation();
  const stop = new AbortController();
  const copying = store.backup(folder, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(copying).rejects.toThrow('enough');
  expect(existsSync(folder)).toBe(false);
  await store.backup(folder);
});

test('damaged rows are copied as they are, and named', async () => {
  const { store } = await harmedStore(({ flip }) => flip('entry', entryKey('s', 3)));
  const { damaged } = await store.backup(await newLocation());
  expect(damaged).toEqual([{ kind: 'entry', key: entryKey('s', 3) }]);
});

test('the command copies, and says how to check the copy', async () => {
  const location = await newLocation();
  {
    await using store = await openStore(location);
    await (await store.open('s', { window: 8_192 })).append(hello);
  }
  const copy = await newLocation();
  const { exit, out, err } = await flamestack(`backup ${copy} --store ${location}`);
  expect(exit).toBe(0);
  expect(out).toMatch(/^\d records copied to /);
  expect(err).toContain(`flamestack verify --store ${copy}`);
  expect((await flamestack(`verify --store ${copy}`)).exit).toBe(0);
  expect((await flamestack(`backup ${copy} --store ${location}`)).exit).toBe(2);
});

test('a copy that was broken off before its first row is no store', async () => {
  const path = await newLocation();
  const db = new Level(path);
  await db.open();
  await db.close();
  for (const options of [{ create: false }, { readOnly: true }])
    await expect(openStore(path, options)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  await (await openStore(path)).close();
  await (await openStore(path, { create: false })).close();
});
