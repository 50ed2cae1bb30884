import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { afterEach, expect, test, vi } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { folder } from '../../cli/call.ts';

afterEach(() => vi.restoreAllMocks());

const copies = async (): Promise<readonly string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('flamestack-copy-'));

/** A system that lets no database open whose folder is `path`, or lies in it: `why` stands for all that it writes. */
function refuse(path: string, why: string): void {
  const { open } = Level.prototype;
  vi.spyOn(Level.prototype, 'open').mockImplementation(async function (this: Level, ...given) {
    if (!this.location.startsWith(path)) return open.apply(this, given as never);
    const cause = Object.assign(new Error(`IO error: ${path}/000005.ldb: ${why}`), {
      code: 'LEVEL_IO_ERROR',
    });
    throw Object.assign(new Error('Database failed to open'), { cause });
  });
}

async function kept(path: string): Promise<void> {
  await using store = await openStore(path);
  const session = await store.open('s', { window: 8_192 });
  await session.append({ role: 'user', content: 'Use tabs.' });
}

test.each(['No space left on device', 'Read-only file system'])(
  'where there is %j, a store is read, takes nothing, and goes on when there is room',
  async (why) => {
    const path = join(await folder(), 'store');
    await kept(path);
    const before = await copies();
    refuse(path, why);
    {
      await using store = await openStore(path);
      const ids: string[] = [];
      for await (const { id } of store.sessions()) ids.push(id);
      expect(ids).toEqual(['s']);
      const session = await store.open('s');
      expect(await session.entry('e1')).toMatchObject({ content: 'Use tabs.' });
      await expect(session.append({ role: 'user', content: 'x' })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining(why) as unknown,
      });
      expect(await copies()).toHaveLength(before.length + 1);
    }
    expect(await copies()).toEqual(before);
    vi.restoreAllMocks();
    await kept(path);
    await using store = await openStore(path);
    expect((await store.open('s')).state.entries).toBe(2);
  },
);

test('where the copy cannot be opened, either, the store says why, and leaves nothing behind', async () => {
  const path = join(await folder(), 'store');
  await kept(path);
  const before = await copies();
  vi.spyOn(Level.prototype, 'open').mockImplementation(() =>
    Promise.reject(new Error('failed', { cause: new Error('No space left on device') })),
  );
  await expect(openStore(path)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(await copies()).toEqual(before);
});
