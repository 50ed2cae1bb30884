import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { callOf } from '../../../../src/cli/call/call.ts';
import { withMadeStore } from '../../../../src/cli/sessions/store/made-store.ts';
import { openStore } from '../../../../src/index.ts';
import { folder, quietIo } from '../../call.ts';

vi.mock('node:fs/promises', async (original) => {
  const all = await original<{ readonly readdir: typeof readdir }>();
  return { ...all, readdir: vi.fn(all.readdir) };
});

const filesAfter = async (location: string): Promise<readonly string[]> => {
  const options = { location };
  await withMadeStore(options, callOf(quietIo, 'test', { store: location }), async () => undefined);
  return readdir(location).catch(() => []);
};

test('a store that was made for a session which did not come is gone, one that was there stays', async () => {
  const location = join(await folder(), 'store');
  expect(await filesAfter(location)).toEqual([]);
  await (await openStore(location)).close();
  expect(await filesAfter(location)).toContain('CURRENT');
});

test('a store that cannot be looked into for a moment is none that was made just now', async () => {
  const location = join(await folder(), 'store');
  await (await openStore(location)).close();
  const passing = Object.assign(new Error('Too many open files'), { code: 'EMFILE' });
  vi.mocked(readdir).mockRejectedValueOnce(passing);
  expect(await filesAfter(location)).toContain('CURRENT');
});
