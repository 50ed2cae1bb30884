import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { holdStore } from '../../../src/store/level/hold-store.ts';
import { newLocation } from '../folder.ts';

/** Opens the database of a store in another process, and keeps it open; says what came of it. */
async function opensElsewhere(location: string): Promise<string> {
  const code = `
    import { Level } from 'level';
    new Level(process.argv[1]).open().then(
      () => (console.log('open'), setInterval(() => undefined, 1_000)),
      (error) => console.log(error.cause.code));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, location]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return said.toString().trim();
}

async function made(): Promise<string> {
  const location = await newLocation();
  await (await openStore(location)).close();
  return location;
}

test('a store that is held is open to no other process, and is afterwards', async () => {
  const location = await made();
  const held = await holdStore(location, 'repair');
  expect(await opensElsewhere(location)).toBe('LEVEL_LOCKED');
  await expect(openStore(location)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  await held.release();
  expect(await readdir(dirname(location))).toEqual(['store']);
  expect(await opensElsewhere(location)).toBe('open');
});

test('a store that another process has open cannot be held', async () => {
  const location = await made();
  expect(await opensElsewhere(location)).toBe('open');
  await expect(holdStore(location, 'repair')).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  expect(await readdir(dirname(location))).toEqual(['store']);
});
