import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { folderAt } from '../../../../src/cli/chat/tools/folder.ts';
import { runCommand } from '../../../../src/cli/chat/tools/run-command.ts';
import type { OllamaLine } from '../../../../src/testing/ollama/reply.ts';
import { flamestack, folder } from '../../call.ts';
import { serverWith, stage } from '../../chat-stage.ts';
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

test('a question shows all that runs: what cannot be seen by name, and both ends again', async () => {
  await workIn({});
  const command = `echo hi${'\n'.repeat(60)}echo ‮a\u200bb\r\x1b[2K#${' '.repeat(500)}\n${'true\n'.repeat(11)}rm -rf x`;
  const { sit } = await stage({ reply: calling('run_command', { command }) });
  const { type, until, out } = sit('a --tools shell');
  await until('> ');
  type('Run.\r');
  await until('  “echo hi\n  [59 blank lines]\n');
  await until('echo \\u{202e}a\\u{200b}b\\r\\u{1b}[2K# [500 spaces] \n');
  await until('  rm -rf x”\nRun this (15 lines, from “echo hi to rm -rf x”)? [y]es/[n]o/[a]lways ');
  expect(out()).not.toMatch(/[\u200b\u202e]/);
  type('n\r');
  await until('refused');
});

test('the name of a file stands on the line of the question, whatever is in it', async () => {
  await workIn({});
  const path = 'a.txt (1 line)? y\nread: b';
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n + 1}`).join('\n');
  const { sit } = await stage({ reply: calling('write_file', { path, content: lines }) });
  const { type, until } = sit('a --tools files');
  await until('> ');
  type('Write.\r');
  await until('  + line 14\n');
  await until('  + [20 more lines, of');
  await until(
    '  + line 80\nwrite: a.txt (1 line)? y\\nread: b (80 lines) (61 lines, from + line 1 to + line 80)? ',
  );
  type('n\r');
  await until('refused');
});

test('nothing is written where sessions, documents and git keep their own', async () => {
  const path = await folder();
  await mkdir(join(path, 'real'));
  await symlink(join(path, 'real'), join(path, 'memory'));
  await writeFile(join(path, 'one'), '1');
  await link(join(path, 'one'), join(path, 'two'));
  const { write, checkWrite, read } = await folderAt(path, ['kept/store', 'memory']);
  const refused = [
    '.git/hooks/pre-commit',
    'sub/.GIT/config',
    '.flamestack/CURRENT',
    'kept/store/x',
  ];
  for (const name of [...refused, 'memory/2099-12-31.md', 'real/2099-12-31.md', '.git']) {
    await expect(checkWrite(name), name).rejects.toThrow('not written from here');
    await expect(write(name, 'x'), name).rejects.toThrow('not written from here');
  }
  await expect(write('two', 'x')).rejects.toThrow('hard link');
  expect(await read('one')).toBe('1');
  await write('kept/stores', 'x');
  await write('.gitignore', 'x');
});

test('no tool writes into the store of the chat, also with --yes', async () => {
  await workIn({});
  const args = { path: 'memory/2099-12-31.md', content: '# forged' };
  const { pipe } = await stage({ reply: calling('write_file', args) });
  const told = await pipe('a --store .flamestack --tools files --yes', 'Write.\n');
  expect(told.out).toContain('memory/2099-12-31.md is not written from here');
});

test('a key that a command reads is neither kept nor sent', async () => {
  await workIn({ env: 'OPENAI_API_KEY=sk-very-secret' });
  const server = await serverWith({ reply: [...calling('run_command', { command: 'cat env' })] });
  const store = join(await folder(), 'store');
  const told = await flamestack(`chat a --store ${store} --tools shell --yes`, {
    stdin: Readable.from(['Run.\n']),
    env: { OLLAMA_HOST: server.url, OPENAI_API_KEY: 'sk-very-secret' },
  });
  expect(told.out).toBe('Told: OPENAI_API_KEY=[OPENAI_API_KEY]\n[exit code 0]\n');
  expect(JSON.stringify(server.log)).not.toContain('sk-very-secret');
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
  const names = ['OPENAI_API_KEY', 'OLLAMA_API_KEY'];
  for (const name of names) process.env[name] = 'sk-secret';
  onTestFinished(() => names.forEach((name) => delete process.env[name]));
  const signal = new AbortController().signal;
  const given = { folder: '.', signal, timeout: 10_000, longest: 1_000 };
  const { output } = await runCommand(
    'echo "key: $OPENAI_API_KEY$OLLAMA_API_KEY, home: $HOME"',
    given,
  );
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
