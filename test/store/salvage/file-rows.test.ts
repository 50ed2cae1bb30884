import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, it } from 'vitest';
import { recordCodec } from '../../../src/store/record.ts';
import { fileRows } from '../../../src/store/salvage/file-rows.ts';
import { isWhole, type Version } from '../../../src/store/salvage/version.ts';
import { newFolder } from '../folder.ts';

/** What lies in the folder of a database, file by file. */
type Files = ReadonlyMap<string, Buffer>;

const filesOf = (folder: string): Files =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));

/** The newest rows of all files. */
function rowsIn(files: Iterable<Buffer>): ReadonlyMap<string, string> {
  const newest = new Map<string, Version>();
  for (const bytes of files)
    for (const row of fileRows(bytes, id))
      if (row.number >= (newest.get(row.key)?.number ?? 0)) newest.set(row.key, row);
  return new Map([...newest].flatMap(([key, { text }]) => (text === null ? [] : [[key, text]])));
}

const id = 77;

/** A database of tables and a log, in which rows were replaced and deleted; its rows, and its files. */
async function database(): Promise<{ rows: ReadonlyMap<string, string>; files: Files }> {
  const folder = await newFolder();
  const options = { writeBufferSize: 65_536, maxFileSize: 65_536 };
  const db = new Level(folder, options);
  await db.open();
  for (let n = 0; n < 600; n += 1) {
    const key = `s:${String(n % 500).padStart(12, '0')}`;
    const words = Array.from(
      { length: 40 },
      (_, index) => `word${(n * 7919 + index * 104729) % 997}`,
    );
    const value = n === 77 ? 'a giant'.repeat(20_000) : `${n} ${words.join(' ')}`;
    await db.put(`!entry!${key}`, recordCodec(id).encode('entry', key, value));
    if (n % 9 === 0) await db.del(`!entry!s:${String(n >> 1).padStart(12, '0')}`);
  }
  const rows = new Map(await db.iterator().all());
  await db.close();
  return { rows, files: filesOf(folder) };
}

it('reads what LevelDB reads, of tables and of logs', async () => {
  const { rows, files } = await database();
  expect([...files.keys()].filter((name) => name.endsWith('.ldb')).length).toBeGreaterThan(2);
  expect(rowsIn(files.values())).toEqual(rows);
});

it('reads a table without its index, and a log without its beginning', async () => {
  const { rows, files } = await database();
  const cut = [...files].map(([name, bytes]) =>
    name.endsWith('.ldb') ? bytes.subarray(0, -48) : bytes,
  );
  expect(rowsIn(cut)).toEqual(rows);
});

it('gives no row that was never written, whatever byte is changed, and all but those around it', async () => {
  const { rows, files } = await database();
  const all = new Set(
    [...files.values()].flatMap((bytes) => [...fileRows(bytes, id)].map(({ text }) => text)),
  );
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let trial = 0; trial < 20; trial += 1) {
    const names = [...files.keys()].filter((name) => /ldb|log/.test(name));
    const name = names[random(names.length)]!;
    const bytes = Buffer.from(files.get(name)!);
    bytes[random(bytes.length)]! ^= 1 << random(8);
    const found = rowsIn([...files].map(([one, intact]) => (one === name ? bytes : intact)));
    const sound = [...found].filter(([key, text]) => isWhole(key, text, id));
    expect(sound.filter(([, text]) => !all.has(text))).toEqual([]);
    const lost = [...rows.keys()].filter((key) => !found.has(key));
    expect(lost.length, `${name} ${trial}`).toBeLessThan(20);
  }
});
