import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore, repairStore } from '../../../../src/index.ts';
import { copyOf, filesIn, newLocation } from '../../../store/folder.ts';
import { contents, flipBit, saidStore, total } from '../mended.ts';

/** What lies beside a store, and is not it. */
const beside = async (location: string): Promise<readonly string[]> =>
  (await readdir(dirname(location))).filter((name) => name !== basename(location)).sort();

test('what is left of a damaged store takes its place, and the damaged one stays as it was', async () => {
  const location = await saidStore();
  await flipBit(location);
  const [log = ''] = await filesIn(location, /\.log$/);
  const bytes = await readFile(join(location, log));
  const { aside, salvage, sessions } = await repairStore(location);
  expect(aside).toBe(`${location}.damaged`);
  expect(await beside(location)).toEqual(['store.damaged']);
  expect(await readFile(join(aside!, log))).toEqual(bytes);
  expect(salvage).toMatchObject({ location, isWhole: false });
  const lost = sessions[0]!.known!.entries.length;
  const read = await contents(location);
  expect(read.size).toBe(total - lost);
  expect((await repairStore(location)).aside).toBe(null);
  await flipBit(location);
  expect((await repairStore(location)).aside).toBe(`${location}.damaged-2`);
});

test('a sound store is left alone', async () => {
  const location = await saidStore();
  const files = await filesIn(location, /./);
  const repair = await repairStore(location);
  expect(repair).toMatchObject({ location, aside: null, salvage: null });
  expect(repair.sessions).toMatchObject([{ id: 's', isSound: true }]);
  expect(await beside(location)).toEqual([]);
  expect((await filesIn(location, /./)).filter((name) => name !== 'LOCK')).toEqual(
    files.filter((name) => name !== 'LOCK'),
  );
});

test('a file that only looks like a table of the store is none of it', async () => {
  const location = await saidStore();
  await writeFile(join(location, '000003.ldb'), 'no table');
  await using store = await openStore(location, { readOnly: true });
  for await (const { isSound } of store.verify()) expect(isSound).toBe(true);
  expect(await repairStore(location)).toMatchObject({ aside: null, salvage: null });
});

test('how far a session came is noted when its last handle is closed', async () => {
  const location = await newLocation();
  await using store = await openStore(location);
  const session = await store.open('s', { window: 2_000 });
  for (const content of ['one', 'two']) await session.append({ role: 'user', content });
  await session.close();
  const { heads } = JSON.parse(await readFile(join(location, 'guard.json'), 'utf8')) as {
    heads: unknown;
  };
  expect(heads).toEqual({ s: [3, 2] });
});

test('a store that somebody has open is refused, under any name', async () => {
  const location = await saidStore();
  const link = await newLocation();
  await symlink(location, link);
  const store = await openStore(location);
  for (const name of [location, link])
    await expect(repairStore(name)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  const session = await store.open('s');
  await session.append({ role: 'user', content: 'Still mine.' });
  await store.close();
  expect(await beside(location)).toEqual([]);
  expect((await repairStore(location)).aside).toBe(null);
});

test('a store behind a link is mended where it is, and the link stays', async () => {
  const location = await saidStore();
  await flipBit(location);
  const link = await newLocation();
  await symlink(location, link);
  const { aside } = await repairStore(link);
  expect(aside).toBe(`${location}.damaged`);
  expect((await contents(link)).size).toBeGreaterThan(0);
  expect(await beside(link)).toEqual([]);
});

test('a name that is taken, or that cannot be moved to, leaves all as it was', async () => {
  const location = await saidStore();
  await flipBit(location);
  const taken = await newLocation();
  await mkdir(taken);
  await expect(repairStore(location, { aside: taken })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'aside' },
  });
  const within = join(location, 'aside');
  await expect(repairStore(location, { aside: within })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  expect(await beside(location)).toEqual([]);
  const named = await newLocation();
  expect((await repairStore(location, { aside: named })).aside).toBe(named);
});

test('what is broken off leaves all as it was', async () => {
  const location = await saidStore();
  await flipBit(location);
  const copy = await copyOf(location);
  const stop = new AbortController();
  const onProgress = ({ of }: { readonly of: string }): void => {
    if (of.endsWith('.log')) stop.abort(new Error('enough'));
  };
  await expect(repairStore(location, { signal: stop.signal, onProgress })).rejects.toThrow(
    'enough',
  );
  expect(await beside(location)).toEqual([]);
  const names = /\.(log|ldb)$|MANIFEST|CURRENT/;
  for (const name of await filesIn(copy, names))
    expect(await readFile(join(location, name))).toEqual(await readFile(join(copy, name)));
  expect((await repairStore(location)).aside).not.toBe(null);
});

test('where there is no store, nothing is made', async () => {
  const location = await newLocation();
  await expect(repairStore(location)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  await mkdir(location);
  await expect(repairStore(location)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  expect(await readdir(location)).toEqual([]);
});
