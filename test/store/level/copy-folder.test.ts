import { mkdir, rm, stat, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { copiesFolder, newCopyFolder, sweepCopies } from '../../../src/store/level/copy-folder.ts';
import { folder } from '../../cli/call.ts';

vi.mock('node:fs/promises', async (original) => {
  const all = await original<{ readonly rm: typeof rm }>();
  return { ...all, rm: vi.fn(all.rm) };
});

test('a copy that is being made is not taken for one that was left over by the same process', async () => {
  const location = await folder();
  for (let round = 0; round < 300; round += 1) {
    const making = newCopyFolder(join(location, copiesFolder));
    const sweeps = Array.from({ length: 8 }, () => sweepCopies(location));
    const copy = await making;
    await Promise.all(sweeps);
    await expect(stat(copy.path)).resolves.toBeDefined();
    await copy.remove();
  }
});

test('a copy that is left over is named as long as it cannot be removed', async () => {
  const location = await folder();
  const host = hostname().replace(/[^\w.]/g, '_');
  const name = `flamestack-copy-${host}-${process.pid}-left`;
  await mkdir(join(location, copiesFolder, name), { recursive: true });
  vi.mocked(rm).mockRejectedValueOnce(Object.assign(new Error('busy'), { code: 'EBUSY' }));
  expect(await sweepCopies(location)).toEqual([name]);
  expect(await sweepCopies(location)).toEqual([]);
});

test('a place of copies that cannot be looked into may hold one', async () => {
  const location = await folder();
  expect(await sweepCopies(location)).toEqual([]);
  await symlink(copiesFolder, join(location, copiesFolder));
  expect(await sweepCopies(location)).toEqual(['']);
});
