import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  inspectFolder,
  noteFiles,
  noteManifest,
  readNoted,
  type Noted,
} from '../../src/store/guard.ts';
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
