import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore, restoreStore } from '../../../../src/index.ts';
import { filesIn, newLocation } from '../../../store/folder.ts';
import { contents, flipBit, saidStore, total } from '../mended.ts';

test('a backup is brought into a folder that is new, or empty', async () => {
  const backup = await saidStore();
  const empty = await newLocation();
  await mkdir(empty);
  for (const location of [join(await newLocation(), 'deep', 'store'), empty]) {
    expect(await restoreStore(backup, location)).toMatchObject({ location, aside: null });
    expect((await contents(location)).size).toBe(total);
  }
  expect((await contents(backup)).size).toBe(total);
});

test('a store that is there is moved aside by name, or nothing is done', async () => {
  const backup = await saidStore('backup');
  const location = await saidStore('store');
  await expect(restoreStore(backup, location)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'aside' },
  });
  expect((await contents(location)).get('e1')).toMatch(/^store/);
  const aside = await newLocation();
  expect(await restoreStore(backup, location, { aside })).toMatchObject({ location, aside });
  expect((await contents(location)).get('e1')).toMatch(/^backup/);
  expect((await contents(aside)).get('e1')).toMatch(/^store/);
  await expect(restoreStore(backup, location, { aside })).rejects.toThrow('is there already');
  expect(await readdir(dirname(location))).toEqual(['store']);
});

test('what is brought into a project is kept out of git, by the file that was there if one was', async () => {
  const backup = await saidStore('backup');
  const location = join(await newLocation(), '.flamestack');
  const ignore = join(location, '.gitignore');
  await restoreStore(backup, location);
  expect(await readFile(ignore, 'utf8')).toBe('*\n');
  await writeFile(ignore, '*\n!LOG\n');
  const aside = await newLocation();
  await restoreStore(backup, location, { aside });
  expect(await readFile(ignore, 'utf8')).toBe('*\n!LOG\n');
  expect((await contents(location)).size).toBe(total);
});

test('a damaged store makes room, too; somebody else’s files never do', async () => {
  const backup = await saidStore('backup');
  const location = await saidStore('store');
  await flipBit(location);
  await restoreStore(backup, location, { aside: await newLocation() });
  expect((await contents(location)).get('e1')).toMatch(/^backup/);
  const foreign = await newLocation();
  await mkdir(foreign);
  await writeFile(join(foreign, 'letter.txt'), 'Dear');
  const aside = await newLocation();
  await expect(restoreStore(backup, foreign, { aside })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
  });
  expect(await readdir(foreign)).toEqual(['letter.txt']);
});

test('a store that somebody has open stays', async () => {
  const backup = await saidStore('backup');
  const location = await saidStore('store');
  const link = await newLocation();
  await symlink(location, link);
  await using store = await openStore(location);
  for (const name of [location, link])
    await expect(restoreStore(backup, name, { aside: await newLocation() })).rejects.toMatchObject({
      code: 'STORE_IN_USE',
    });
  await (await store.open('s')).append({ role: 'user', content: 'Still mine.' });
});

test('a backup that is damaged, or none, is refused before anything is done', async () => {
  const backup = await saidStore();
  await flipBit(backup);
  const location = await newLocation();
  await expect(restoreStore(backup, location)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  await expect(restoreStore(location, backup)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  expect(await readdir(dirname(location))).toEqual([]);
});

test('what is broken off leaves all as it was', async () => {
  const backup = await saidStore('backup');
  const location = await saidStore('store');
  const stop = new AbortController();
  const options = {
    aside: await newLocation(),
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  };
  await expect(restoreStore(backup, location, options)).rejects.toThrow('enough');
  expect(await readdir(dirname(location))).toEqual(['store']);
  expect(await readdir(dirname(options.aside))).toEqual([]);
  const fresh = await newLocation();
  await expect(restoreStore(backup, fresh, options)).rejects.toThrow('enough');
  expect(await filesIn(fresh, /./).catch(() => [])).toEqual([]);
  expect((await contents(location)).get('e1')).toMatch(/^store/);
});
