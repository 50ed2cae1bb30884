import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderAt } from '../../../../src/cli/chat/tools/folder.ts';
import { runCommand } from '../../../../src/cli/chat/tools/run-command.ts';
import type { OllamaLine } from '../../../../src/testing/ollama/reply.ts';
import { folder } from '../../call.ts';
import { stage } from '../../chat-stage.ts';
import { gate } from '../../../gate.ts';

/** Works in a folder of its own until the test is over. */
async function workIn(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await folder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  const before = process.cwd();
  process.chdir(path);
  onTestFinished(() => process.chdir(before));
  return path;
}

/** A model that calls a tool once, and then says what it was told. */
const calling = (name: string, args: Record<string, unknown>): readonly OllamaLine[] => [
  { content: '', toolCalls: [{ name, arguments: args }] },
  ({ messages }) => `Told: ${String(messages.at(-1)?.content)}`,
];

test('frames are pushed without asking, and said on one line', async () => {
  const { sit } = await stage({ reply: calling('frame_push', { title: 'Parser', criteria: 'x' }) });
  const { type, until } = sit('a');
  await until('> ');
  type('Begin.\r');
  await until('↳ frame_push "Parser"\n');
  await until('Told: <frame');
  await until('> ');
  type('/status\r');
  await until('▶ f1 Parser');
});

test('a file is read after a yes, and always means the next ones, too', async () => {
  await workIn({ 'a.txt': 'alpha', 'b.txt': 'beta' });
  const reply = [
    ...calling('read_file', { path: 'a.txt' }),
    ...calling('read_file', { path: 'b.txt' }),
  ];
  const { sit } = await stage({ reply });
  const { type, until } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  await until('read: a.txt? [y]es/[n]o/[a]lways ');
  type('a\r');
  await until('Told: alpha');
  await until('> ');
  type('Read.\r');
  await until('↳ read_file b.txt');
  await until('Told: beta');
});

test('what is typed ahead answers no question', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const asked = gate();
  const [call, told] = calling('read_file', { path: 'a.txt' });
  const { sit } = await stage({
    reply: [{ ...(call as object), content: 'So', before: () => asked.passed }, told!, 'Yes?'],
  });
  const { type, until } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  type('yes please\r');
  asked.open();
  await until('[a]lways ');
  type('n\r');
  await until('Told: The person refused this.');
  await until('yes please');
  await until('Yes?');
});

test('no key of somebody in the middle of a sentence answers a question', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const asked = gate();
  const [call, told] = calling('read_file', { path: 'a.txt' });
  const { sit, server } = await stage({
    reply: [{ ...(call as object), content: 'So', before: () => asked.passed }, told!],
  });
  const { type, until } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  type('and give me ');
  asked.open();
  await until('[a]lways ');
  type('a\r');
  await until('Answer with yes, no, always.');
  type('nay\r');
  await until('Answer with yes, no, always.');
  type('\r');
  await until('Answer with yes, no, always.');
  type('ala\x7f\x7f\x7fN\x1b[Ao\r');
  await until('Told: The person refused this.');
  expect(server.log.filter(({ path }) => path === '/api/chat')).toHaveLength(2);
});

test('a command is asked for whole, on lines of its own, and its end is said', async () => {
  await workIn({});
  const { sit } = await stage({
    reply: calling('run_command', { command: 'echo one\nexit 3' }),
  });
  const { type, until } = sit('a --tools shell');
  await until('> ');
  type('Run.\r');
  await until('  “echo one\n  exit 3”\nRun this? [y]es/[n]o/[a]lways ');
  type('yes\r');
  await until('  exit code 3\n');
});

test('a refusal is told to the model, and without anybody there all is refused but with --yes', async () => {
  await workIn({});
  const line = calling('run_command', { command: 'echo alpha' });
  const refused = await (await stage({ reply: line })).pipe('a --tools shell', 'Run.\n');
  expect(refused.out).toBe('Told: Nobody is there to allow this.\n');
  const allowed = await (await stage({ reply: line })).pipe('a --tools shell --yes', 'Run.\n');
  expect(allowed.out).toBe('Told: alpha\n[exit code 0]\n');
  const unknown = await (await stage({ reply: line })).pipe('a', 'Run.\n');
  expect(unknown.out).toContain('There is no tool "run_command"');
});

test('a file is written and edited within the folder', async () => {
  const path = await workIn({ 'a.txt': 'one\ntwo\nthree\n' });
  const reply = [
    ...calling('edit_file', { path: 'a.txt', old: 'two', new: '$& and' }),
    ...calling('write_file', { path: 'deep/b.txt', content: 'beta' }),
    ...calling('edit_file', { path: 'a.txt', old: 'none', new: '' }),
  ];
  const { out } = await (await stage({ reply })).pipe('a --tools files --yes', '1\n2\n3\n');
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('one\n$& and\nthree\n');
  expect(await readFile(join(path, 'deep/b.txt'), 'utf8')).toBe('beta');
  expect(out).toContain('`old` is not in a.txt.');
});

test('no path leads out of the folder, by dots, from the root, or through a link', async () => {
  const [inner, outer] = [await folder(), await folder()];
  await writeFile(join(outer, 'secret'), 'secret');
  await symlink(outer, join(inner, 'way'));
  await symlink(join(outer, 'secret'), join(inner, 'link'));
  await symlink(join(outer, 'new'), join(inner, 'nowhere'));
  await mkdir(join(inner, 'sub'));
  await symlink('..', join(inner, 'sub', 'up'));
  const { read, write, list } = await folderAt(inner);
  for (const path of ['../x', join(outer, 'secret'), 'way/secret', 'link']) {
    await expect(read(path), path).rejects.toThrow(/outside|ENOENT/);
    await expect(write(path, 'x'), path).rejects.toThrow('outside');
  }
  await expect(write('nowhere', 'x')).rejects.toThrow('link to nowhere');
  for (const path of ['way', '..', '/']) await expect(list(path), path).rejects.toThrow('outside');
  await write('sub/up/inside', 'x');
  expect(await read('inside')).toBe('x');
  expect(await list('.')).toEqual(['inside', 'link', 'nowhere', 'sub/', 'way']);
  expect(await readFile(join(outer, 'secret'), 'utf8')).toBe('secret');
});

test('a command ends with all that it started when it is stopped or late', async () => {
  const path = await folder();
  const stop = new AbortController();
  const given = { folder: path, signal: stop.signal, timeout: 60_000, longest: 1_000 };
  const command = 'sleep 300 & echo $! > child; echo $$ > self; wait';
  const ran = runCommand(command, given);
  await expect.poll(() => readFile(join(path, 'self'), 'utf8').catch(() => '')).not.toBe('');
  stop.abort(new Error('enough'));
  await expect(ran).rejects.toThrow('enough');
  for (const name of ['child', 'self']) {
    const pid = Number(await readFile(join(path, name), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  }
  const late = await runCommand('sleep 300', {
    ...given,
    signal: new AbortController().signal,
    timeout: 50,
  });
  expect(late).toMatchObject({ isLate: true, code: null });
});

test('a command sees no keys of model servers', async () => {
  process.env['OPENAI_API_KEY'] = 'sk-secret';
  onTestFinished(() => void delete process.env['OPENAI_API_KEY']);
  const signal = new AbortController().signal;
  const given = { folder: '.', signal, timeout: 10_000, longest: 1_000 };
  const { output } = await runCommand('echo "key: $OPENAI_API_KEY, home: $HOME"', given);
  expect(output).toMatch(/^key: , home: \S/);
});

test('long output keeps its beginning and its end', async () => {
  const { output, code } = await runCommand('seq 1 100000; exit 3', {
    folder: await folder(),
    signal: new AbortController().signal,
    timeout: 60_000,
    longest: 400,
  });
  expect(code).toBe(3);
  expect(output.length).toBeLessThan(460);
  expect(output).toMatch(/^1\n2\n[^]*characters left out[^]*\n100000\n$/);
});

test('rounds of tools come to an end', async () => {
  const reply = { content: '', toolCalls: [{ name: 'frame_status', arguments: {} }] };
  const { pipe, server } = await stage({ reply });
  const { exit, err } = await pipe('a', 'Go.\n');
  expect(exit).toBe(0);
  expect(err).toContain('Stopped after 25 rounds of tools.');
  expect(server.log.filter(({ path }) => path === '/api/chat')).toHaveLength(25);
});

/** Whether a process does something; one that nobody waited for does not. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) Z /.test(status);
}
