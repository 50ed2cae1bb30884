import type * as fs from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../src/index.ts';
import { folder } from '../cli/call.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, readFile: vi.fn(real.readFile) };
});

test('a file that goes while the folder is looked at, as another process opens the store, is looked for again', async () => {
  const path = join(await folder(), 'store');
  await (await openStore(path)).close();
  const read = vi.mocked(readFile);
  const real = read.getMockImplementation()!;
  let gone = 0;
  read.mockImplementation(async (file, options) => {
    const isGone = typeof file === 'string' && file.includes('/MANIFEST-') && gone < 2;
    if (!isGone) return real(file, options);
    gone += 1;
    return real(`${file}0`, options);
  });
  await using store = await openStore(path, { readOnly: true });
  expect([gone, store.location]).toEqual([2, path]);
});
