import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { entryKey, sessionRange } from '../../src/store/key.ts';
import { openLevelStore } from '../../src/store/level/level-store.ts';
import { readManifest } from '../../src/store/level/manifest.ts';
import { copyOf, filesIn, newLocation } from './folder.ts';

// Stores that were not closed: copies of the folder of an open one, as a kill leaves it. Each test harms one.

const power = { durability: 'power' } as const;
const rows = 120;
let killed: string;
let log: string;

beforeAll(async () => {
  killed = await leftOpen('power');
  [log = ''] = await filesIn(killed, /\.log$/);
});

async function leftOpen(durability: 'power' | 'process'): Promise<string> {
  const location = await newLocation();
  const store = await openLevelStore(location, { durability });
  for (let n = 1; n <= rows; n += 1) {
    const value = `row ${n} ${'words '.repeat((n * 37) % 900)}${n % 40 === 20 ? 'giant '.repeat(20_000) : ''}`;
    await store.commit([{ type: 'put', kind: 'entry', key: entryKey('s', n), value }]);
  }
  const copy = await copyOf(location);
  await store.close();
  return copy;
}

/** The rows of a store, after it was opened. */
async function rowsIn(location: string): Promise<number> {
  const store = await openLevelStore(location, power);
  let count = 0;
  for await (const _ of store.range('entry', sessionRange('s'))) count += 1;
  await store.close();
  return count;
}

const refused = (file: string) => ({ code: 'STORE_DAMAGED', detail: { file } });

test('a killed store opens with all of its rows', async () => {
  expect(await rowsIn(await copyOf(killed))).toBe(rows);
});

test('the MANIFEST names the log that there is', async () => {
  const [manifest = ''] = await filesIn(killed, /^MANIFEST/);
  const number = readManifest(await readFile(join(killed, manifest)))?.log;
  expect(`${String(number).padStart(6, '0')}.log`).toBe(log);
});

test('a log that ends anywhere is what a kill may leave, and opens with the rows before', async () => {
  const { length } = await readFile(join(killed, log));
  let before = 0;
  for (let part = 1; part <= 8; part += 1) {
    const copy = await copyOf(killed);
    await truncate(join(copy, log), Math.floor((length * part) / 8) - (part % 3));
    const count = await rowsIn(copy);
    expect(count).toBeGreaterThanOrEqual(before);
    before = count;
  }
  expect(before).toBeGreaterThanOrEqual(rows - 1);
});

test('a log that is damaged before its end is refused, wherever, with nothing touched', async () => {
  const bytes = await readFile(join(killed, log));
  const [table = 'none'] = await filesIn(killed, /\.ldb$/);
  for (let part = 0; part < 14; part += 1) {
    const copy = await copyOf(killed);
    const harmed = Buffer.from(bytes);
    const at = Math.floor((bytes.length * part) / 15);
    harmed[at] = harmed[at]! ^ (1 << (part % 8));
    await writeFile(join(copy, log), harmed);
    await expect(openLevelStore(copy, power), `byte ${at}`).rejects.toMatchObject(refused(log));
    expect((await readFile(join(copy, log))).equals(harmed)).toBe(true);
    if (table !== 'none') expect(await filesIn(copy, /\.ldb$/)).toContain(table);
  }
});

test('a stretch of zeros in a log is damage, one at its end is not', async () => {
  const bytes = await readFile(join(killed, log));
  const middle = await copyOf(killed);
  await writeFile(join(middle, log), Buffer.from(bytes).fill(0, 40_000, 44_096));
  await expect(openLevelStore(middle, power)).rejects.toMatchObject(refused(log));
  const end = await copyOf(killed);
  await writeFile(join(end, log), Buffer.concat([bytes, Buffer.alloc(4_096)]));
  expect(await rowsIn(end)).toBe(rows);
});

test('a log that is gone is named', async () => {
  const copy = await copyOf(killed);
  await rm(join(copy, log));
  await expect(openLevelStore(copy, power)).rejects.toMatchObject(refused(log));
});

test('where batches are not synced, a hole may be what a loss of power left, and the store opens', async () => {
  const copy = await leftOpen('process');
  const [own = ''] = await filesIn(copy, /\.log$/);
  const bytes = await readFile(join(copy, own));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(join(copy, own), bytes);
  expect(await rowsIn(copy)).toBeLessThan(rows);
});

test('a log of another time, of another store or of none is damage, whatever the durability', async () => {
  for (const durability of ['power', 'process'] as const) {
    const store = await openLevelStore(await newLocation(), { durability });
    await store.commit([{ type: 'put', kind: 'entry', key: entryKey('s', 1), value: 1 }]);
    await store.close();
    const again = await openLevelStore(store.location, { durability });
    await again.commit([{ type: 'put', kind: 'entry', key: entryKey('s', 2), value: 2 }]);
    const copy = await copyOf(store.location);
    await again.close();
    const [own = ''] = await filesIn(copy, /\.log$/);
    await writeFile(join(copy, own), await readFile(join(killed, log)));
    await expect(openLevelStore(copy, power)).rejects.toMatchObject(refused(own));
  }
  for (const copy of [await copyOf(killed), await leftOpen('process')]) {
    const [own = ''] = await filesIn(copy, /\.log$/);
    await writeFile(join(copy, own), 'not what it was\n'.repeat(3_000));
    await expect(openLevelStore(copy, power)).rejects.toMatchObject(refused(own));
  }
});
