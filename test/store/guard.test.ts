import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  inspectFolder,
  noteFiles,
  noteManifest,
  readNoted,
  type Noted,
} from '../../src/store/guard.ts';
import { journalKey } from '../../src/store/key.ts';
import { damagedTables } from '../../src/store/level/damaged-tables.ts';
import { openLevelStore } from '../../src/store/level/level-store.ts';
import { newLocation } from './folder.ts';

test('who opens a store notes it while whoever closed it does', async () => {
  const location = await newLocation();
  await (await openLevelStore(location, { durability: 'process' })).close();
  const opening = { header: { version: 1, id: 1 }, sync: false };
  const again = async (
    note: (...given: Parameters<typeof noteFiles>) => Promise<unknown>,
  ): Promise<void> => {
    for (let n = 0; n < 200; n += 1) await note(location, opening);
  };
  await Promise.all([again(noteFiles), again(noteManifest)]);
  const noted = await readNoted(location);
  expect(noted.header).toEqual(opening.header);
  expect(await inspectFolder(location)).toEqual({ is: 'store', noted });
});

test('how far sessions had come is read wherever it stands in a note', async () => {
  const location = await newLocation();
  await (await openLevelStore(location, { durability: 'process' })).close();
  const heads = new Map([['heads', [2, 8] as const]]);
  await noteFiles(location, { header: { version: 1, id: 1 }, sync: false, heads });
  const noted = await readNoted(location);
  expect(noted.heads).toEqual(heads);
  const file = join(location, 'guard.json');
  const { heads: written, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Noted;
  await writeFile(file, `${JSON.stringify({ header: rest.header, heads: written, ...rest })}\n`);
  expect(await readNoted(location)).toEqual(noted);
});

test.each(['CURRENT', 'guard.json'])(
  'a %s that cannot be read, though it is there, is no damage, and what it says is not forgotten',
  async (name) => {
    const location = await newLocation();
    const store = await openLevelStore(location, { durability: 'process' });
    await store.commit([{ type: 'put', kind: 'journal', key: journalKey('s', 1), value: {} }]);
    await store.close();
    const file = join(location, name);
    await rename(file, `${file}.aside`);
    // A link that leads to itself is there, and no reading of it succeeds.
    await symlink(name, file);
    const opening = openLevelStore(location, { durability: 'process' });
    await expect(opening).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await rename(`${file}.aside`, file);
    expect((await readNoted(location)).heads).toEqual(new Map([['s', [1, 0]]]));
  },
);

test('a table that cannot be read is not taken for a sound one', async () => {
  const location = await newLocation();
  await mkdir(location, { recursive: true });
  await symlink('000005.ldb', join(location, '000005.ldb'));
  const reading = async (): Promise<void> => {
    for await (const _ of damagedTables(location)) continue;
  };
  await expect(reading()).rejects.toMatchObject({ code: 'ELOOP' });
  await rm(join(location, '000005.ldb'));
  await expect(reading()).resolves.toBeUndefined();
});
