import {
  appendFile,
  cp,
  open,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { beforeAll, expect, test, vi } from 'vitest';
import { isEngineError } from '../../src/core/values/error.ts';
import { entryKey, sessionRange } from '../../src/store/key.ts';
import { openLevelStore } from '../../src/store/level/level-store.ts';
import type { RecordStore } from '../../src/store/store.ts';
import { copyOf, filesIn, newLocation } from './folder.ts';

// A real store, closed with its newest rows in a log and the others in a table; each test harms a copy.

const power = { durability: 'power' } as const;
const inTable = 200;
const total = 300;
const data = /^\d+\.(ldb|log)$/;

let sound: string;

const text = (n: number): string => `entry ${n} of the store ${'lorem ipsum '.repeat(n % 40)}`;

beforeAll(async () => {
  sound = await newLocation();
  await fill(sound, 0, inTable);
  await fill(sound, inTable, total);
});

/** LevelDB turns the log of the last opening into a table, so each call leaves one of either. */
async function fill(location: string, from: number, to: number): Promise<void> {
  const store = await openLevelStore(location, power);
  for (let n = from; n < to; n += 10) {
    const batch = Array.from({ length: 10 }, (_, i) => n + i);
    await store.commit(
      batch.map((at) => ({ type: 'put', kind: 'entry', key: entryKey('s', at), value: text(at) })),
    );
  }
  await store.close();
}

/** What reading everything brings: each row right, missing, or an error with a code; never another value. */
async function readAll(
  store: RecordStore,
): Promise<{ right: number; missing: number; errors: string[] }> {
  let right = 0;
  let missing = 0;
  const errors: string[] = [];
  const note = (error: unknown): void => {
    if (!isEngineError(error)) throw error;
    errors.push(error.code);
  };
  for (let n = 0; n < total; n += 1) {
    try {
      const value = await store.get('entry', entryKey('s', n));
      if (value === undefined) missing += 1;
      else expect(value).toBe(text(n));
      right += value === undefined ? 0 : 1;
    } catch (error) {
      note(error);
    }
  }
  try {
    for await (const [key, value] of store.range('entry', sessionRange('s'))) {
      expect(value).toBe(text(Number(key.slice(2))));
    }
  } catch (error) {
    note(error);
  }
  return { right, missing, errors };
}

async function damagedOpen(location: string, file?: string): Promise<void> {
  const before = await filesIn(location, data);
  await expect(openLevelStore(location, power)).rejects.toMatchObject({
    code: 'STORE_DAMAGED',
    detail: { location, ...(file === undefined ? {} : { file }) },
  });
  expect(await filesIn(location, data)).toEqual(before);
}

test('the sound store has a table and a log, and reads whole', async () => {
  const files = await filesIn(sound, data);
  expect(files.filter((file) => file.endsWith('.ldb'))).toHaveLength(1);
  expect(files.filter((file) => file.endsWith('.log'))).toHaveLength(1);
  const store = await openLevelStore(await copyOf(sound), power);
  expect(await readAll(store)).toEqual({ right: total, missing: 0, errors: [] });
  await store.close();
});

test('a flipped byte in a .ldb gives right values, rows that are missing, or typed errors', async () => {
  const [file = ''] = await filesIn(sound, /\.ldb$/);
  const { length } = await readFile(join(sound, file));
  let noticed = 0;
  for (let part = 0; part < 16; part += 1) {
    const copy = await copyOf(sound);
    const path = join(copy, file);
    // As a disk does it, which changes no time.
    const { mtimeMs } = await stat(join(sound, file));
    await flip(path, Math.floor(((part + 0.5) * length) / 16));
    await utimes(path, 0, Math.round(mtimeMs) / 1_000);
    const outcome = await openAndRead(copy);
    if (outcome.missing > 0 || outcome.errors.length > 0) noticed += 1;
  }
  expect(noticed).toBeGreaterThan(8);
});

test('a table that somebody changed is refused by name before LevelDB reads it, wherever it was', async () => {
  const [file = ''] = await filesIn(sound, /\.ldb$/);
  const { length } = await readFile(join(sound, file));
  const footer = Array.from({ length: 16 }, (_, back) => length - 1 - 3 * back);
  const others = Array.from({ length: 10 }, (_, part) => Math.floor(((part + 0.5) * length) / 10));
  for (const at of [...footer, ...others]) {
    const copy = await copyOf(sound);
    await flip(join(copy, file), at);
    const code = await openAndRead(copy);
    // Between the blocks and the footer stands nothing.
    if (code.errors.length > 0 || code.missing > 0) await damagedOpen(copy, file);
    else expect(at).toBeGreaterThan(length - 48);
  }
});

test('a table of a killed store is looked at, too', async () => {
  const copy = await copyOf(sound);
  const store = await openLevelStore(copy, power);
  const killed = await copyOf(copy);
  await store.close();
  await rm(join(killed, 'owner.json'));
  const [file = ''] = await filesIn(killed, /\.ldb$/);
  expect(await openAndRead(await copyOf(killed))).toMatchObject({ missing: 0, errors: [] });
  await flip(join(killed, file), (await readFile(join(killed, file))).length - 1);
  await damagedOpen(killed, file);
});

/** What may become of a file, by its path. */
const harms: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'lost its first bit': (path) => flip(path, 0),
  'lost a bit in the middle': async (path) => flip(path, (await readFile(path)).length >> 1),
  'lost its last bit': async (path) => flip(path, (await readFile(path)).length - 1),
  'was emptied': (path) => truncate(path, 0),
  'lost its end': async (path) => truncate(path, (await readFile(path)).length - 1),
  'has more at its end': (path) => appendFile(path, 'more'),
  'was deleted': (path) => rm(path),
  'was replaced': async (path) => writeFile(path, (await readFile(path)).reverse()),
};

test.each(Object.entries(harms))(
  'a closed store whose log %s is refused by name with every data file kept',
  async (_, harm) => {
    const copy = await copyOf(sound);
    const [log = ''] = await filesIn(copy, /\.log$/);
    await harm(join(copy, log));
    await damagedOpen(copy, log);
    await cp(join(sound, log), join(copy, log));
    expect(await openAndRead(copy)).toMatchObject({ missing: 0, errors: [] });
  },
);

test('a closed store that lost the end of a table is refused by name with every data file kept', async () => {
  const copy = await copyOf(sound);
  const [table = ''] = await filesIn(copy, /\.ldb$/);
  await truncate(join(copy, table), (await readFile(join(copy, table))).length - 1);
  await damagedOpen(copy, table);
});

test('what a store left that was closed by another program since is not compared', async () => {
  const copy = await copyOf(sound);
  const other = new Level(copy);
  await other.open();
  await other.close();
  expect(await openAndRead(copy)).toMatchObject({ missing: 0, errors: [] });
});

async function openAndRead(location: string): Promise<{ missing: number; errors: string[] }> {
  try {
    const store = await openLevelStore(location, power);
    const outcome = await readAll(store);
    await store.close();
    return outcome;
  } catch (error) {
    if (!isEngineError(error)) throw error;
    return { missing: 0, errors: [error.code] };
  }
}

test('a store whose CURRENT was deleted is refused with every data file kept', async () => {
  const copy = await copyOf(sound);
  await rm(join(copy, 'CURRENT'));
  await damagedOpen(copy);
  await cp(join(sound, 'CURRENT'), join(copy, 'CURRENT'));
  expect((await openAndRead(copy)).missing).toBe(0);
});

test.each(['', 'MANIFEST-', 'MANIFEST-000001', 'MANIFEST-999999\n', '../other\n'])(
  'a store whose CURRENT says %j is refused with every data file kept',
  async (content) => {
    const copy = await copyOf(sound);
    await writeFile(join(copy, 'CURRENT'), content);
    await damagedOpen(copy);
  },
);

// Cut back to what it was at the opening, a MANIFEST is as sound as ever to LevelDB, which then deletes
// the tables that came since.
test('a store whose MANIFEST was truncated is refused with every data file kept, wherever the cut', async () => {
  const grown = await newLocation();
  await (await openLevelStore(grown, power)).close();
  const store = await openLevelStore(grown, power);
  const [manifest = ''] = await filesIn(grown, /^MANIFEST/);
  const { length: opening } = await readFile(join(grown, manifest));
  for (let n = 0; n < 80; n += 1) {
    const value = 'enough for a table '.repeat(4_000);
    await store.commit([{ type: 'put', kind: 'entry', key: entryKey('s', n), value }]);
  }
  // A table is written beside, and told of in the MANIFEST when it is whole.
  const size = async (): Promise<number> => (await readFile(join(grown, manifest))).length;
  await vi.waitFor(async () => expect(await size()).toBeGreaterThan(opening), 30_000);
  await store.close();
  const length = await size();
  for (const left of [0, 1, opening >> 1, opening, length - 1]) {
    const copy = await copyOf(grown);
    await truncate(join(copy, manifest), left);
    await damagedOpen(copy);
    await cp(join(grown, manifest), join(copy, manifest));
    const mended = await openLevelStore(copy, power);
    expect(await mended.get('entry', entryKey('s', 0))).toMatch(/^enough/);
    await mended.close();
  }
});

test('a store whose CURRENT names an older MANIFEST than it did is refused', async () => {
  const copy = await copyOf(sound);
  const [manifest = ''] = await filesIn(copy, /^MANIFEST/);
  await cp(join(copy, manifest), join(copy, 'MANIFEST-000001'));
  await writeFile(join(copy, 'CURRENT'), 'MANIFEST-000001\n');
  await damagedOpen(copy);
});

test('a store whose MANIFEST was deleted is refused with every data file kept', async () => {
  const copy = await copyOf(sound);
  const [manifest = ''] = await filesIn(copy, /^MANIFEST/);
  await rm(join(copy, manifest));
  await damagedOpen(copy);
});

test('a store with a flipped byte in its MANIFEST is refused with every data file kept', async () => {
  const copy = await copyOf(sound);
  const [manifest = ''] = await filesIn(copy, /^MANIFEST/);
  await flip(join(copy, manifest), 20);
  await damagedOpen(copy);
});

test('a store that lost a table is refused with every other data file kept', async () => {
  const copy = await copyOf(sound);
  const [table = ''] = await filesIn(copy, /\.ldb$/);
  await rm(join(copy, table));
  await damagedOpen(copy);
});

test('a store without its note, or with a torn one, opens', async () => {
  for (const content of [null, '', '{"manifest":']) {
    const copy = await copyOf(sound);
    await rm(join(copy, 'guard.json'));
    if (content !== null) await writeFile(join(copy, 'guard.json'), content);
    expect(await openAndRead(copy)).toMatchObject({ missing: 0, errors: [] });
  }
});

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 0x10;
  await file.write(byte, 0, 1, at);
  await file.close();
}
