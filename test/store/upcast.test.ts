import { crc32 } from 'node:zlib';
import { MemoryLevel } from 'memory-level';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../src/index.ts';
import { openStoreOver } from '../../src/store/format.ts';
import { recordCodec } from '../../src/store/record.ts';
import type { RawRow, RecordKind } from '../../src/store/store.ts';
import { answersOf, overRows } from '../../tools/golden/answers.ts';
import { goldenStore, headerIn, rowOf } from './golden.ts';

// Two formats that never were: in the first a row of an entry named its message otherwise, and in the second
// counts of tokens had another name.

vi.mock('../../src/store/upcast.ts', () => ({ format: 3, upcasters: [renamed, renamedTokens] }));

function renamed(kind: RecordKind, value: unknown): unknown {
  if (kind !== 'entry') return value;
  const { said, ...rest } = value as { readonly said: unknown };
  return { ...rest, message: said };
}

function renamedTokens(kind: RecordKind, value: unknown): unknown {
  if (kind !== 'entry') return value;
  const { size, ...rest } = value as { readonly size: unknown };
  return { ...rest, tokens: size };
}

const golden = goldenStore(1);
const header = headerIn(golden.rows);
const { encode, decode } = recordCodec(header.id);

/** A row of today, as format 1 or 2 would have had it. */
function older(row: RawRow, version: 1 | 2): RawRow {
  const { kind, key, text } = rowOf(row);
  if (kind !== 'entry') return row;
  const { message, tokens, ...rest } = JSON.parse(text.slice(9)) as Record<string, unknown>;
  const value =
    version === 1 ? { ...rest, size: tokens, said: message } : { ...rest, size: tokens, message };
  return [row[0], textOf(kind, key, { version, body: JSON.stringify(value) })];
}

function textOf(
  kind: string,
  key: string,
  { version, body }: { version: number; body: string },
): string {
  const head = version === 1 ? ' ' : `${version} `;
  const before = crc32(`${kind}:${key}\n${version === 1 ? '' : head}`);
  const sum = (crc32(body, before) ^ header.id) >>> 0;
  return `${sum.toString(16).padStart(8, '0')}${head}${body}`;
}

const mixed = golden.rows.map((row, at) => older(row, at % 2 === 0 ? 1 : 2));

test('a store of older formats answers what it would in this one', async () => {
  expect(mixed.filter(([, text], at) => text !== golden.rows[at]![1]).length).toBeGreaterThan(90);
  expect(await overRows(mixed, answersOf)).toEqual(golden.answers);
});

test('a store of an older format is one of this format once it was opened, its rows as they were', async () => {
  await overRows(mixed, async (store, folder) => {
    const session = await store.open('tower');
    const { id } = await session.append({ role: 'user', content: 'Go on' });
    await store.close();
    const again = await openStore(folder);
    expect(await (await again.open('tower')).entry(id)).toMatchObject({ content: 'Go on' });
    const rows = new Map<string, string>();
    await again.close();
    for (const [key, text] of await rowsIn(folder)) rows.set(key, text);
    expect(decode('meta', 'format', rows.get('!meta!format')!)).toEqual({
      version: 3,
      id: header.id,
    });
    for (const [key, text] of mixed)
      if (key.startsWith('!entry!')) expect(rows.get(key)).toBe(text);
    const key = `tower:${id.slice(1).padStart(12, '0')}`;
    expect(rows.get(`!entry!${key}`)).toMatch(/^[0-9a-f]{8}3 \{"frame"/);
  });
});

async function rowsIn(folder: string): Promise<RawRow[]> {
  const { Level } = await import('level');
  const db = new Level(folder);
  const rows = await db.iterator().all();
  await db.close();
  return rows;
}

test('a record of a later format is not guessed at, and a changed number is damage', async () => {
  const text = textOf('entry', 'k', { version: 4, body: '{}' });
  expect(() => decode('entry', 'k', text)).toThrow(
    expect.objectContaining({ code: 'STORE_TOO_NEW' }),
  );
  const written = encode('entry', 'k', { a: 1 });
  expect(written).toMatch(/^[0-9a-f]{8}3 /);
  for (const version of ['', '1', '2', '03', '33', 'z'])
    expect(() =>
      decode('entry', 'k', `${written.slice(0, 8)}${version}${written.slice(9)}`),
    ).toThrow(expect.objectContaining({ code: 'RECORD_DAMAGED' }));
});

test('which format a store has is written as every version reads it', async () => {
  const db = new MemoryLevel();
  await db.open();
  await (await openStoreOver(db, { location: 'm', sync: false })).commit([]);
  expect(await db.sublevel('meta').get('format')).toMatch(/^[0-9a-f]{8} \{"version":3,"id":\d+\}$/);
});
