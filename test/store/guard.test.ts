import { expect, test } from 'vitest';
import { inspectFolder, noteFiles, noteManifest, readNoted } from '../../src/store/guard.ts';
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
