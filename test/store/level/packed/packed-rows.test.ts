import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test, vi } from 'vitest';
import {
  isEngineError,
  openReader,
  openStore,
  type SessionSummary,
} from '../../../../src/index.ts';
import { openLevelReader, openLevelStore } from '../../../../src/store/level/level-store.ts';
import { packedFile } from '../../../../src/store/level/packed/packed-rows.ts';
import { copyOf, newLocation } from '../../folder.ts';

/** What a list says, and whether LevelDB was opened for it. */
async function listOf(location: string) {
  const opened = vi.spyOn(Level.prototype, 'open');
  try {
    await using reader = await openReader(location);
    const sessions: SessionSummary[] = [];
    for await (const session of reader.sessions()) sessions.push(session);
    const titles = sessions.map(({ title, damage }) => (damage === undefined ? title : 'damaged'));
    return { titles, isPacked: opened.mock.calls.length === 0, sessions };
  } finally {
    opened.mockRestore();
  }
}

/** Says something in sessions of a store, which is closed behind. */
async function say(location: string, ...said: readonly (readonly [id: string, text: string])[]) {
  await using store = await openStore(location);
  for (const [id, content] of said) {
    await using session = await store.open(id, { window: 8_192 });
    await session.append({ role: 'user', content });
  }
}

test('a closed store is listed from what is packed, as it is from LevelDB, and follows what is written', async () => {
  const location = await newLocation();
  await say(location, ['b', 'Use “tabs”.'], ['a', 'Ask "why", then\nwrite.']);
  for (const more of [
    ['b', 'Again.'],
    ['a-1', 'Go on.'],
    ['c', '日本 😀'],
  ] as const) {
    await say(location, more);
    const packed = await listOf(location);
    expect(packed.isPacked).toBe(true);
    const copy = await copyOf(location);
    await writeFile(join(copy, packedFile), '');
    expect(await listOf(copy)).toEqual({ ...packed, isPacked: false });
  }
  await using store = await openStore(location);
  await store.delete('a');
  await store.close();
  expect(await listOf(location)).toMatchObject({
    titles: ['Go on.', 'Use “tabs”.', '日本 😀'],
    isPacked: true,
  });
  expect(await readFile(join(location, packedFile), 'utf8')).not.toContain('Ask');
});

test('beside who has the store open, and after a crash, nothing is packed', async () => {
  const location = await newLocation();
  await say(location, ['a', 'One.']);
  const store = await openStore(location);
  expect(existsSync(join(location, packedFile))).toBe(false);
  const session = await store.open('b', { window: 8_192 });
  await session.append({ role: 'user', content: 'Two.' });
  const both = { titles: ['One.', 'Two.'], isPacked: false };
  expect(await listOf(location)).toMatchObject(both);
  const crashed = await copyOf(location);
  await store.close();
  expect(await listOf(crashed)).toMatchObject(both);
  await (await openStore(crashed)).close();
  expect(existsSync(join(crashed, packedFile))).toBe(true);
  expect((await listOf(crashed)).titles).toEqual(both.titles);
});

test('what was packed at another moment, or for another store, or was changed, is not read', async () => {
  const location = await newLocation();
  await say(location, ['a', 'One.']);
  const packed = await readFile(join(location, packedFile));
  await say(location, ['b', 'Two.']);
  const strangers = await newLocation();
  await say(strangers, ['x', 'Another.']);
  const changed = (await readFile(join(location, packedFile), 'utf8')).replace('One.', 'Won.');
  for (const other of [packed, await readFile(join(strangers, packedFile)), changed, 'x', '']) {
    const copy = await copyOf(location);
    await writeFile(join(copy, packedFile), other);
    expect(await listOf(copy)).toMatchObject({ titles: ['One.', 'Two.'], isPacked: false });
  }
});

test('where what was packed cannot be taken away the store is closed again', async () => {
  const location = await newLocation();
  await say(location, ['a', 'One.']);
  const packed = join(location, packedFile);
  await rm(packed);
  await mkdir(packed);
  for (let tries = 0; tries < 2; tries += 1)
    await expect(openStore(location)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await rm(packed, { recursive: true });
  await (await openStore(location)).close();
  expect(await listOf(location)).toMatchObject({ titles: ['One.'], isPacked: true });
});

test('what another program writes is not missed', async () => {
  const location = await newLocation();
  await say(location, ['a', 'One.'], ['b', 'Two.']);
  const db = new Level(location);
  await db.put('!session!a', 'x');
  await db.close();
  expect(await listOf(location)).toMatchObject({ titles: ['damaged', 'Two.'], isPacked: false });
  await (await openStore(location)).close();
  expect(await listOf(location)).toMatchObject({ titles: ['damaged', 'Two.'], isPacked: false });
  expect(existsSync(join(location, packedFile))).toBe(false);
});

test('after a write of which nobody knows, the rows are read anew', async () => {
  const location = await newLocation();
  await say(location, ['a', 'One.']);
  const records = await openLevelStore(location, { durability: 'process' });
  const { batch } = Level.prototype;
  const failing = vi.spyOn(Level.prototype, 'batch').mockImplementation(function (this: Level) {
    const made = batch.call(this);
    const write = made.write.bind(made);
    made.write = async () => {
      await write();
      throw new Error('The disk is gone');
    };
    return made;
  } as never);
  const value = { created: 1, window: 1, title: 'Written.' };
  const commit = records.commit([{ type: 'put', kind: 'session', key: 'a', value }]);
  await expect(commit).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  failing.mockRestore();
  await records.close();
  expect(existsSync(join(location, packedFile))).toBe(true);
  expect((await listOf(location)).titles).toEqual(['Written.']);
});

test('what more is read comes from the store, with what was written since', async () => {
  const location = await newLocation();
  await say(location, ['a', 'One.']);
  const reader = await openLevelReader(location, true);
  await say(location, ['b', 'Two.']);
  expect(reader.known!('session', {})).toHaveLength(1);
  expect(await reader.get('session', 'b')).toMatchObject({ title: 'Two.' });
  expect(reader.known!('session', {})).toBe(null);
  await reader.close();
  await expect(reader.get('session', 'b')).rejects.toSatisfy((error) =>
    isEngineError(error, 'STORE_CLOSED'),
  );
});

test('a stretch of packed rows is the same as in LevelDB', async () => {
  const location = await newLocation();
  const ids = ['a', 'a-1', 'a.2', 'b', 'b0', 'c'];
  await say(location, ...ids.map((id) => [id, id] as const));
  const packed = await openLevelReader(location, true);
  const whole = await openLevelReader(location);
  const bounds = [{}, { gt: 'a' }, { gte: 'a-1', lt: 'b0' }, { lte: 'b' }, { gt: 'x' }, { lt: '' }];
  for (const bound of bounds)
    for (const more of [{}, { reverse: true }, { limit: 2 }, { reverse: true, limit: 1 }]) {
      const rows: unknown[] = [];
      for await (const row of whole.range('session', { ...bound, ...more })) rows.push(row);
      expect(packed.known!('session', { ...bound, ...more })).toEqual(rows);
    }
  await packed.close();
  await whole.close();
});
