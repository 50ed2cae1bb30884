import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { flamestack, folder, scriptFile } from '../call.ts';
import { stage } from '../chat-stage.ts';

/** The test runs in a folder of its own, as a project of git. */
async function project(): Promise<string> {
  const path = await folder();
  const before = process.cwd();
  process.chdir(path);
  onTestFinished(() => process.chdir(before));
  await mkdir('.git');
  return path;
}

test('a chat writes no documents unless a folder is named', async () => {
  const { pipe, sit, store } = await stage();
  const { exit, err } = await pipe('a', '/push Lexer -- reads all tokens\n/pop completed\nHi\n');
  expect([exit, err]).toEqual([0, expect.not.stringContaining('document')]);
  const { type, until, exit: left, out } = sit('b');
  await until('> ');
  type('/push Lexer -- reads all tokens\r');
  await until('> ');
  type('\x04');
  expect(await left).toBe(0);
  expect(out()).not.toContain('memory');
  expect(await readdir(dirname(store))).toEqual(['store']);
});

test('/checkpoint and checkpoint say how documents are turned on, and write none', async () => {
  const { pipe, store } = await stage();
  const how = '--documents memory, or FLAMESTACK_DOCUMENTS=memory';
  const told = await pipe('a', 'Hi\n/checkpoint\n');
  expect(told.err).toContain(how);
  const { exit, err } = await flamestack(`checkpoint a --store ${store}`);
  expect([exit, err]).toEqual([1, expect.stringContaining(how)]);
  expect(await readdir(dirname(store))).toEqual(['store']);
});

test('no command makes a folder of documents unasked', async () => {
  const store = join(await folder(), '.flamestack');
  await flamestack(`import ${await scriptFile()} --window 4k --store ${store}`);
  for (const line of ['redact e2 demo --yes', 'recover demo --yes', 'rm demo --yes'])
    expect((await flamestack(`${line} --store ${store}`)).exit).toBe(0);
  expect(await readdir(dirname(store))).toEqual(['.flamestack']);
});

test('a chat that is asked to says where it writes, in each of its starts, and how to go on', async () => {
  await project();
  const { pipe, sit } = await stage();
  const told = await pipe('a --documents memory', '/push Lexer -- reads all tokens\n');
  expect(told.err).toContain('Checkpoint documents are written to ./memory.');
  expect(told.err).toContain('To keep them out of git: echo /memory/ >> .gitignore');
  expect(existsSync('.gitignore')).toBe(false);
  expect(await readdir('memory')).toContain('NOW.md');
  const { type, until, exit } = sit('a --documents memory');
  await until('Checkpoint documents are written to ./memory.');
  await until('> ');
  type('\x04');
  await until('Kept. Go on with:');
  await until('--documents memory');
  expect(await exit).toBe(0);
});

test.each([
  ['y', true],
  ['', false],
])('who answers "%s" has git leave the folder alone: %s', async (answer, isAdded) => {
  await project();
  await writeFile('.gitignore', 'node_modules');
  const { type, until, exit } = (await stage()).sit('a --documents memory');
  await until('Git would see them. Add /memory/ to .gitignore? [y/N]');
  type(`${answer}\r`);
  await until('tokens left');
  type('\x04');
  expect(await exit).toBe(0);
  const after = isAdded ? 'node_modules\n/memory/\n' : 'node_modules';
  expect(await readFile('.gitignore', 'utf8')).toBe(after);
});

test.each(['memory', '/memory/', 'memory/', '**/memory/**', '*'])(
  'nothing is asked where the line "%s" is there',
  async (line) => {
    await project();
    await writeFile('.gitignore', `node_modules\n${line}\n`);
    const { err } = await (await stage()).pipe('a --documents memory', 'Hi\n');
    expect(err).not.toContain('git');
  },
);

test('checkpoint says once how git is told', async () => {
  await project();
  await flamestack(`import ${await scriptFile()} --window 4k`);
  const line = 'checkpoint --documents memory';
  expect((await flamestack(line)).err).toBe(
    'To keep them out of git: echo /memory/ >> .gitignore\n',
  );
  expect((await flamestack(line)).err).toBe('');
});
