import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { flipBit, saidStore } from '../../engine/open/mended.ts';
import { newLocation } from '../../store/folder.ts';
import { flamestack } from '../call.ts';

test('what a refused store advises can be typed as it stands', async () => {
  const store = await saidStore();
  const backup = await newLocation();
  await flamestack(`backup ${backup} --store ${store}`);
  await flipBit(store);
  const refused = (await flamestack(`ls --store ${store}`)).err;
  expect(refused).toContain(`flamestack repair --store ${store}\n`);
  expect(refused).toContain(`flamestack restore <backup> --store ${store} --aside <new folder>\n`);

  const { exit, out, err } = await flamestack(`repair --store ${store}`);
  expect(exit).toBe(4);
  expect(out).toMatch(/^\d+\.log holds other bytes than it did\n/);
  expect(out).toContain('lost');
  expect(err).toContain(`The damaged store is in ${store}.damaged\n`);

  const again = await flamestack(`repair --store ${store}`);
  expect([again.exit, again.err]).toEqual([
    0,
    'This is gone for good, as is known; all else is sound.\n',
  ]);
  expect(again.out).toMatch(/^s\n {2}gone for good, entries: e\d+/);

  const there = await flamestack(`restore ${backup} --store ${store}`);
  expect([there.exit, there.out]).toEqual([2, '']);
  expect(there.err).toContain('--aside <new folder>');
  const restored = await flamestack(`restore ${backup} --store ${store} --aside ${store}.old`);
  expect(restored.exit).toBe(0);
  expect(restored.out).toMatch(/^\d+ records of \S+ are the store \S+ now\n$/);
  expect(restored.err).toContain(`The store that was there is in ${store}.old\n`);
  expect((await flamestack(`verify --store ${store}`)).exit).toBe(0);
  const sound = await flamestack(`repair --store ${store}`);
  expect([sound.exit, sound.err]).toEqual([0, 'Nothing is damaged.\n']);
  expect((await readdir(dirname(store))).sort()).toEqual(['store', 'store.damaged', 'store.old']);
});

test('scripts are told in JSON', async () => {
  const store = await saidStore();
  const backup = await newLocation();
  await flamestack(`backup ${backup} --store ${store}`);
  const other = await newLocation();
  const read = async (line: string): Promise<unknown> => JSON.parse((await flamestack(line)).out);
  expect(await read(`restore ${backup} --store ${other} --json`)).toMatchObject({
    schema: 'flamestack.restore/1',
    backup,
    location: other,
    aside: null,
  });
  expect(await read(`repair --store ${store} --json`)).toMatchObject({
    schema: 'flamestack.repair/1',
    aside: null,
    sessions: [{ id: 's', isSound: true }],
  });
  expect(await read(`compact --store ${store} --json`)).toMatchObject({
    schema: 'flamestack.compact/1',
    before: expect.any(Number) as number,
  });
});

test('what a session held gives its disk back, and the rest is there', async () => {
  const store = await saidStore();
  {
    await using opened = await openStore(store);
    const { after } = await opened.compact();
    const session = await opened.open('t', { window: 8_192 });
    const noise = Array.from({ length: 40_000 }, (_, n) =>
      Math.imul(n + 1, 0x9e3779b1).toString(36),
    );
    for (let n = 0; n < 400; n += 100)
      await session.append({
        role: 'user',
        content: noise.slice(n * 100, (n + 100) * 100).join(' '),
      });
    await session.close();
    expect((await opened.compact()).after).toBeGreaterThan(after + 100_000);
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(opened.compact({ signal: stop })).rejects.toThrow('enough');
  }
  await flamestack(`rm t --yes --store ${store}`);
  const { exit, out } = await flamestack(`compact --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toMatch(
    /: [\d.]+ (?:k|M)?B(?: before, [\d.]+ (?:k|M)?B now: [\d.]+ (?:k|M)?B given back|, and nothing to give back)\n$/,
  );
  expect((await flamestack(`verify --store ${store}`)).exit).toBe(0);
  await flamestack(`compact --store ${store}`);
  const again = await flamestack(`compact --store ${store}`);
  expect(again.out).toMatch(/: [\d.]+ (?:k|M)?B, and nothing to give back\n$/);
});

test.each(['restore x', 'repair', 'compact'])('%s is not for a server', async (line) => {
  const { exit, err } = await flamestack(`${line} --store postgres://me@here/db`);
  expect(exit).toBe(2);
  expect(err).toContain('PostgreSQL has no files');
});

test.each(['repair', 'compact'])('%s of nothing makes nothing', async (line) => {
  const store = await newLocation();
  const { exit, err } = await flamestack(`${line} --store ${store}`);
  expect(exit).toBe(3);
  expect(err).toContain('Is the path right?');
  expect(await readdir(dirname(store))).toEqual([]);
});
