import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hook } from '../../../src/cli/hosts/hook.ts';
import { flamestack, folder, run, scriptFile, type Told } from '../call.ts';
import { event, said, writeTranscript } from '../hosts/transcript.ts';

// A repository that was cloned: whatever it holds, commands in it write to nothing outside of it, and show nothing of that.

const before = process.cwd();
let [project, other] = ['', ''];
beforeEach(async () => {
  [project, other] = [await folder(), await folder()];
  process.chdir(project);
});
afterEach(() => process.chdir(before));

/** All files of a folder with what they hold. */
async function held(path: string): Promise<readonly string[]> {
  const files = await readdir(path, { withFileTypes: true, recursive: true });
  const texts = files
    .filter((one) => one.isFile())
    .map(async (one) => {
      const file = join(one.parentPath, one.name);
      return `${file}: ${await readFile(file, 'latin1')}`;
    });
  return (await Promise.all(texts)).toSorted();
}

const aStop = (transcript: string): string =>
  event('SessionStart', { source: 'compact', cwd: project, transcript_path: transcript });

test('a store elsewhere is not taken for that of the project, by no command', async () => {
  const store = join(other, '.flamestack');
  const file = await scriptFile();
  await flamestack(`import ${file} --store ${store}`);
  const was = await held(other);
  await symlink(store, '.flamestack');
  const lines = [
    'ls',
    'show demo',
    'search part',
    'log demo',
    'export demo',
    `import ${file} --id new`,
    'undo demo --yes',
    'rm demo --yes',
    'redact demo e1 --yes',
    'compact',
    'repair',
    'verify',
    'salvage --to new',
    'backup new',
    'restore new',
    'checkpoint demo',
    'recover',
    'snapshot ls',
    'doctor --json',
    'install claude-code --yes',
    'mcp',
    'view',
    'chat',
  ];
  const says = `"${join(project, '.flamestack')}" leads out of the project by a link, to "${store}"`;
  for (const line of lines) {
    const { out, err } = await flamestack(line);
    const isTold = `${out}${err}`.replaceAll('\\"', '"').includes(says);
    expect([line, isTold]).toEqual([line, true]);
    expect(out).not.toContain('limit1');
  }
  expect(await held(other)).toEqual(was);
  const { exit, err } = await flamestack('ls');
  expect(exit).toBe(2);
  expect(err).toContain('name the store: --store <folder>');
  expect((await flamestack('ls --store .flamestack')).out).toContain('demo');
  expect((await flamestack('ls', { env: { FLAMESTACK_STORE: '.flamestack' } })).exit).toBe(0);
});

test('a hook says why it records nothing, and the agent goes on', async () => {
  await symlink(other, '.flamestack');
  const transcript = join(project, 'session.jsonl');
  await writeTranscript(transcript, 's1', [said('user', 'Go')]);
  const stdin = Readable.from([aStop(transcript)]);
  const told: Told = await run((words, io) => hook(words, io), 'codex', { stdin });
  expect([told.exit, told.out]).toEqual([0, '']);
  expect(told.err).toContain(`leads out of the project by a link, to "${other}"`);
  expect(await readdir(other)).toEqual([]);
});

test('documents are written below the project, unless a person names their folder by its whole path', async () => {
  await flamestack(`import ${await scriptFile()}`);
  const secret = join(other, 'secret');
  await writeFile(secret, 'mine');
  await mkdir('memory');
  await symlink(secret, join('memory', `${new Date().toISOString().slice(0, 10)}.md`));
  for (const [words, env] of [
    ['--documents memory', {}],
    ['', { FLAMESTACK_DOCUMENTS: 'memory' }],
  ] as const) {
    const { exit, err } = await flamestack(`checkpoint demo ${words}`, { env });
    expect(exit).toBe(2);
    expect(err).toContain(`to "${secret}"`);
    expect(err).toContain('--documents <folder>');
    expect(await readFile(secret, 'utf8')).toBe('mine');
  }
  const named = await flamestack(`checkpoint demo --documents ${resolve('memory')}`);
  expect(named.exit).toBe(0);
});
