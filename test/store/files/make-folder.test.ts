import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { makeFolder } from '../../../src/store/files/make-folder.ts';
import { newFolder, newLocation } from '../folder.ts';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

/** The modes of what lies in a folder, without those that are only ours. */
async function openTo(path: string): Promise<readonly string[]> {
  const names = [path, ...(await readdir(path)).map((name) => join(path, name))];
  const modes = await Promise.all(names.map(modeOf));
  return names.filter((_, at) => (modes[at]! & 0o077) !== 0);
}

async function say(location: string): Promise<void> {
  await using store = await openStore(location);
  const session = await store.open('s', { window: 8_192 });
  await session.append({ role: 'user', content: 'Between us.' });
}

test('a store is its owner’s alone, and one that was wider is shut', async () => {
  const location = await newLocation();
  await say(location);
  expect(await openTo(location)).toEqual([]);
  await chmod(location, 0o755);
  for (const name of await readdir(location)) await chmod(join(location, name), 0o664);
  {
    await using store = await openStore(location, { readOnly: true });
    expect(store.location).toBe(location);
  }
  expect((await openTo(location)).length).toBeGreaterThan(3);
  await say(location);
  expect(await openTo(location)).toEqual([]);
  const wide = await newLocation();
  await mkdir(wide, { mode: 0o777 });
  await chmod(wide, 0o777);
  await say(wide);
  expect(await openTo(wide)).toEqual([]);
});

test('a folder is made with those it lies in, and where the system refuses that is said', async () => {
  const path = join(await newFolder(), 'a', 'b', 'c');
  await makeFolder(path);
  expect(await modeOf(path)).toBe(0o700);
  await makeFolder(path);
  await expect(makeFolder('/proc/flamestack/a')).rejects.toMatchObject({ code: 'ENOENT' });
  await using store = await openStore(':memory:');
  await expect(store.backup('/proc/flamestack/a')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
});
