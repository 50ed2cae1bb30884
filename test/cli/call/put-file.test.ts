import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { putFile } from '../../../src/cli/call/put-file.ts';
import { folder } from '../call.ts';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('a file is there whole, in the mode that it is to have', async () => {
  const path = join(await folder(), 'it.json');
  await putFile(path, 'one', { mode: 0o600 });
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['one', 0o600]);
  await putFile(path, 'two', { exact: 0o666 });
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['two', 0o666]);
});

test('a file is in its mode from the moment on that it is there', async () => {
  const inside = await folder();
  const modes: number[] = [];
  const pieces = async function* (): AsyncGenerator<string> {
    for (const piece of ['one', 'two']) {
      for (const name of await readdir(inside)) modes.push(await modeOf(join(inside, name)));
      yield piece;
    }
  };
  await putFile(join(inside, 'it'), pieces(), { exact: 0o600 });
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

test('what ends the process takes along what is not yet in its place', async () => {
  const inside = await folder();
  const known = process.listeners('exit');
  const pieces = async function* (): AsyncGenerator<string> {
    yield 'one';
    expect(await readdir(inside)).toHaveLength(1);
    for (const leave of process.listeners('exit')) if (!known.includes(leave)) leave(130);
    expect(await readdir(inside)).toEqual([]);
    throw new Error('ended');
  };
  await expect(putFile(join(inside, 'it'), pieces(), {})).rejects.toThrow('ended');
  expect(process.listeners('exit')).toEqual(known);
});

test('what cannot be put in its place leaves nothing beside it', async () => {
  const inside = await folder();
  await mkdir(join(inside, 'it'));
  await writeFile(join(inside, 'it', 'own'), '');
  await expect(putFile(join(inside, 'it'), 'text', {})).rejects.toThrow('EISDIR');
  const failing = async function* (): AsyncGenerator<string> {
    yield 'text';
    throw new Error('no more');
  };
  await expect(putFile(join(inside, 'other'), failing(), {})).rejects.toThrow('no more');
  expect(await readdir(inside)).toEqual(['it']);
});
