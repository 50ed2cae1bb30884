import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { metaKey } from '../../../src/store/key.ts';
import { openLevelStore } from '../../../src/store/level/level-store.ts';
import { recordCodec } from '../../../src/store/record.ts';
import { hostSuite } from '../../../src/testing/suites/host.ts';
import { filesIn, newLocation } from '../folder.ts';

hostSuite({
  test,
  host: async () => {
    const location = await newLocation();
    return { open: (options) => openLevelStore(location, { ...options, durability: 'power' }) };
  },
});

const power = { durability: 'power' } as const;

test('a new store makes its folder with its parents, for nobody else to read', async () => {
  const location = join(await newLocation(), 'deep', 'down');
  const store = await openLevelStore(location, power);
  await store.close();
  expect((await stat(location)).mode & 0o777).toBe(0o700);
  expect((await stat(dirname(location))).mode & 0o777).toBe(0o700);
});

test('a store names its format', async () => {
  const store = await openLevelStore(await newLocation(), { durability: 'process' });
  expect(await store.get('meta', metaKey('format'))).toEqual({
    version: 1,
    id: expect.any(Number) as number,
  });
  await store.close();
});

test('without create, a store that is not there is not found and not made', async () => {
  const location = await newLocation();
  const opening = openLevelStore(location, { ...power, create: false });
  await expect(opening).rejects.toMatchObject({ code: 'STORE_NOT_FOUND', detail: { location } });
  await expect(stat(location)).rejects.toMatchObject({ code: 'ENOENT' });
  await mkdir(location);
  await expect(openLevelStore(location, { ...power, create: false })).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
  });
  expect(await filesIn(location, /./)).toEqual([]);
});

test('without create, a store that is there is opened', async () => {
  const location = await newLocation();
  await (await openLevelStore(location, power)).close();
  await (await openLevelStore(location, { ...power, create: false })).close();
});

test('a folder of other files is refused and not littered', async () => {
  const location = await newLocation();
  await mkdir(location);
  await writeFile(join(location, 'thesis.tex'), 'years of work');
  await expect(openLevelStore(location, power)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'location', stranger: 'thesis.tex' },
  });
  expect(await filesIn(location, /./)).toEqual(['thesis.tex']);
});

test('the store of a project is kept out of git, by a file of its own that is left as it is', async () => {
  const project = await newLocation();
  const store = join(project, '.flamestack');
  await (await openLevelStore(store, power)).close();
  const ignore = join(store, '.gitignore');
  expect(await readFile(ignore, 'utf8')).toBe('*\n');
  expect(await filesIn(project, /./)).toEqual(['.flamestack']);
  execFileSync('git', ['init', '-q', project]);
  expect(execFileSync('git', ['-C', project, 'status', '--porcelain'], { encoding: 'utf8' })).toBe(
    '',
  );

  await writeFile(ignore, 'LOG\n');
  await (await openLevelStore(store, power)).close();
  expect(await readFile(ignore, 'utf8')).toBe('LOG\n');
  const other = join(await newLocation(), '.flamestack');
  await mkdir(other, { recursive: true });
  await writeFile(join(other, '.gitignore'), 'LOG\n');
  await (await openLevelStore(other, power)).close();
  expect(await readFile(join(other, '.gitignore'), 'utf8')).toBe('LOG\n');
  const named = await newLocation();
  await (await openLevelStore(named, power)).close();
  expect(await filesIn(named, /gitignore/)).toEqual([]);
});

test('a folder with nothing but a .gitignore is a place for a store', async () => {
  const location = await newLocation();
  await mkdir(location);
  await writeFile(join(location, '.gitignore'), '*\n');
  await (await openLevelStore(location, power)).close();
});

test('a location that is a file, or no name at all, is refused', async () => {
  const location = await newLocation();
  await writeFile(location, 'a file');
  await expect(openLevelStore(location, power)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  await expect(openLevelStore('', power)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('a folder that the system will not make is refused, and not tried for ever', async () => {
  await expect(openLevelStore('/proc/flamestack', power)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
});

test('a store of a newer format is refused and stays openable by its own version', async () => {
  const location = await newLocation();
  await (await openLevelStore(location, power)).close();
  await writeHeader(location, { version: 2 });
  await expect(openLevelStore(location, power)).rejects.toMatchObject({
    code: 'STORE_TOO_NEW',
    detail: { format: 2, newest: 1 },
  });
  await writeHeader(location, { version: 1, id: 7 });
  await (await openLevelStore(location, power)).close();
});

test('a LevelDB folder of something else is no store', async () => {
  const location = await newLocation();
  const other = new Level(location);
  await other.put('theirs', 'data');
  await other.close();
  await expect(openLevelStore(location, power)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  const again = new Level(location);
  expect(await again.get('theirs')).toBe('data');
  await again.close();
});

test('the same process cannot open a store twice, and is told that it is the owner', async () => {
  const location = await newLocation();
  const store = await openLevelStore(location, power);
  await expect(openLevelStore(location, power)).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    retryable: true,
    detail: { pid: process.pid },
  });
  await store.close();
  await (await openLevelStore(location, power)).close();
});

test('of many who open at once, one gets the store and the others hear that it is in use', async () => {
  const location = await newLocation();
  const openings = await Promise.allSettled(
    Array.from({ length: 5 }, () => openLevelStore(location, power)),
  );
  const stores = openings.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  const errors = openings.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : []));
  expect(stores).toHaveLength(1);
  expect(errors).toEqual(Array.from({ length: 4 }, () => 'STORE_IN_USE'));
  await stores[0]?.close();
});

test('a closed store leaves no owner behind', async () => {
  const location = await newLocation();
  const store = await openLevelStore(location, power);
  expect(await filesIn(location, /owner/)).toEqual(['owner.json']);
  await store.close();
  expect(await filesIn(location, /owner/)).toEqual([]);
});

async function writeHeader(location: string, value: unknown): Promise<void> {
  const db = new Level(location);
  const key = metaKey('format');
  await db
    .sublevel('meta')
    .put(key, recordCodec(0).encode('meta', key, value), { sync: true } as object);
  await db.close();
}

test('through a link a store is the same one: in use, with its lock left alone, and free when it is closed', async () => {
  const location = await newLocation();
  const alias = `${location}-alias`;
  const store = await openLevelStore(location, power);
  await symlink(location, alias, 'junction');
  const second = openLevelStore(alias, power);
  await expect(second).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    retryable: true,
    detail: { location: alias, openAs: location, pid: process.pid },
  });
  await expect(openLevelStore(location, power)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  expect(openElsewhere(location)).toBe('LEVEL_LOCKED');
  expect(await filesIn(location, /owner/)).toEqual(['owner.json']);
  await store.close();
  const again = await openLevelStore(alias, power);
  await expect(openLevelStore(location, power)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  expect(openElsewhere(location)).toBe('LEVEL_LOCKED');
  await again.close();
  expect(openElsewhere(location)).toBe('open');
});

test('a store that was moved while it is open is still the same one', async () => {
  const location = await newLocation();
  const store = await openLevelStore(location, power);
  await rename(location, `${location}-moved`);
  await expect(openLevelStore(`${location}-moved`, power)).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    detail: { openAs: location },
  });
  await store.close();
});

/** What another process gets that opens the database: `open`, or the code of its refusal. */
function openElsewhere(location: string): string {
  const script = `
    const db = new (require('level').Level)(${JSON.stringify(location)});
    db.open().then(() => 'open', (error) => error.cause.code).then((word) => process.stdout.write(word));`;
  return execFileSync(process.execPath, ['-e', script], {
    cwd: join(import.meta.dirname, '..', '..'),
    encoding: 'utf8',
  });
}
