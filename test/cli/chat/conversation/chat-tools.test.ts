import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/index.ts';
import { folderAt } from '../../../../src/cli/chat/tools/folder.ts';
import { startOpenAIServer } from '../../../../src/testing/index.ts';
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
    reply: [{ ...(call as object), content: 'So', before: () => asked.passed }, told!, 'There.'],
  });
  const { type, until } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  type('and give me ');
  asked.open();
  await until('[a]lways ');
  type('a\r');
  await until('The line that you began waits, and is not sent. Please answer yes, no or always.');
  type('nay\r');
  await until('Please answer yes, no or always.');
  type('\r');
  await until('Please answer yes, no or always.');
  type('ala\x7f\x7f\x7fN\x1b[Ao\r');
  await until('Told: The person refused this.');
  // What was typed before the question waits for its end.
  await until('and give me ');
  type('b.txt\r');
  await until('There.');
  const said = server.log.flatMap(({ body }) => body.messages?.at(-1)?.content ?? []);
  expect(said.at(-1)).toBe('and give me b.txt');
});

test('a command at a question tells at once, and the question stands again', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const { sit } = await stage({ reply: [...calling('read_file', { path: 'a.txt' }), 'Yes?'] });
  const { type, until, out } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  await until('[a]lways ');
  type('/status\r');
  await until('tiny:latest at ');
  await until('read: a.txt? [y]es/[n]o/[a]lways ');
  // Longer than what is shown of a line, with a slip, and more keys behind it.
  type(`/recall ${'nothing '.repeat(9)}likex\x7f this\r/window\rmaybe\r`);
  await until('Nothing found.');
  await until('[a]lways ');
  await until('Window 8,192 tokens');
  await until('[a]lways ');
  await until('Please answer yes, no or always.');
  type('/recall e999\r');
  await until('e999');
  await until('[a]lways ');
  type('/recall\r');
  await until('It takes more');
  await until('[a]lways ');
  expect(out()).not.toContain('kept for the next prompt');
  type('/help\ry\r');
  await until('/quit');
  await until('Told: alpha');
});

test('of a long line at a question the beginning is shown, with dots until it is short again', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const { sit } = await stage({ reply: calling('read_file', { path: 'a.txt' }) });
  const { type, until, out } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  await until('[a]lways ');
  type('é'.repeat(62));
  await until(`${'é'.repeat(60)}...`);
  type('\x7f');
  type('\x7f');
  await until('\b \b'.repeat(3));
  type('\x7f');
  await until('\b \b');
  type('\x15');
  await until('\b \b'.repeat(59));
  type('y\r');
  await until('Told: alpha');
  expect(out()).not.toContain('é'.repeat(61));
});

test('a command that changes something waits for the question, and comes at the next prompt', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const { sit } = await stage({ reply: calling('read_file', { path: 'a.txt' }) });
  const { type, until, out } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  await until('[a]lways ');
  for (const change of ['undo', 'compress', 'model tiny', 'push Parser']) {
    type(`/${change}\r`);
    const [name] = change.split(' ');
    await until(`The question comes first; /${name} is kept for the next prompt.\n`);
    await until('read: a.txt? [y]es/[n]o/[a]lways ');
  }
  type('/tmp is full\r');
  await until('That is kept for the next prompt.');
  await until('[a]lways ');
  expect(out()).not.toContain('Working on');
  type('n\r');
  await until('Told: The person refused this.');
  await until('to take back');
  await until('Nothing is old enough');
  await until('Going on with tiny.');
  await until('Working on: Parser');
  await until('There is no command /tmp.');
});

test('/quit at a question leaves as at the prompt, and nothing was allowed', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const { sit, store } = await stage({ reply: calling('read_file', { path: 'a.txt' }) });
  const { type, until, exit, out } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  await until('[a]lways ');
  type('/quit\r');
  await until('stopped');
  await until('Kept. Go on with:\nflamestack chat a');
  expect(await exit).toBe(0);
  expect(out()).not.toContain('Told: ');
  await using kept = await openStore(store, { readOnly: true });
  const roles: string[] = [];
  for await (const { role } of (await kept.open('a')).log()) roles.push(role);
  expect(roles).toEqual(['user', 'assistant']);
});

test('the name of a file stands on the line of the question, whatever is in it', async () => {
  const name = 'a.txt? y\nread: \u202eb';
  await workIn({ [name]: 'alpha' });
  const { sit } = await stage({ reply: calling('read_file', { path: `sub/../${name}` }) });
  const { type, until } = sit('a --tools files');
  await until('> ');
  type('Read.\r');
  await until('read: a.txt? y\\nread: \\u{202e}b? [y]es/[n]o/[a]lways ');
  type('n\r');
  await until('Told: The person refused this.');
});

test('a key in a file is neither kept nor sent', async () => {
  await workIn({ env: 'OPENAI_API_KEY=sk-very-secret' });
  const reply = calling('read_file', { path: 'env' });
  const { pipe, server } = await stage({ reply }, { OPENAI_API_KEY: 'sk-very-secret' });
  const told = await pipe('a --tools files --yes', 'Read.\n');
  expect(told.out).toBe('Told: OPENAI_API_KEY=[OPENAI_API_KEY]\n');
  expect(JSON.stringify(server.log)).not.toContain('sk-very-secret');
});

test('a refusal is told to the model, and without anybody there all is refused but with --yes', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const line = calling('read_file', { path: 'a.txt' });
  const refused = await (await stage({ reply: line })).pipe('a --tools files', 'Read.\n');
  expect(refused.out).toBe('Told: Nobody is there to allow this.\n');
  const allowed = await (await stage({ reply: line })).pipe('a --tools files --yes', 'Read.\n');
  expect(allowed.out).toBe('Told: alpha\n');
  const unknown = await (await stage({ reply: line })).pipe('a', 'Read.\n');
  expect(unknown.out).toContain('There is no tool "read_file"');
});

test.each(['run_command', 'write_file', 'edit_file'])('there is no %s of ours', async (name) => {
  const { pipe } = await stage({ reply: calling(name, { path: 'a', content: 'b' }) });
  const { out } = await pipe('a --tools files --yes', 'Go.\n');
  expect(out).toContain(`There is no tool "${name}". There are: `);
});

test('the store of a chat is not read, nor its documents, also with --yes', async () => {
  const path = await workIn({});
  await mkdir(join(path, 'memory'));
  await writeFile(join(path, 'memory/2099-12-31.md'), '# private');
  for (const name of ['memory/2099-12-31.md', 'kept/CURRENT']) {
    const { pipe } = await stage({ reply: calling('read_file', { path: name }) });
    const told = await pipe('a --store kept --documents memory --tools files --yes', 'Read.\n');
    expect(told.out).toContain(`${name} is not read from here`);
  }
});

test('no path leads out of the folder, by dots, from the root, or through a link', async () => {
  const [inner, outer] = [await folder(), await folder()];
  await writeFile(join(outer, 'secret'), 'secret');
  await symlink(outer, join(inner, 'way'));
  await symlink(join(outer, 'secret'), join(inner, 'link'));
  await symlink(join(outer, 'new'), join(inner, 'nowhere'));
  await link(join(outer, 'secret'), join(inner, 'hard'));
  await mkdir(join(inner, 'sub'));
  await symlink('..', join(inner, 'sub', 'up'));
  await writeFile(join(inner, 'inside'), 'x');
  const { check, read, list } = await folderAt(inner);
  for (const path of ['..', join(outer, 'secret'), 'way/secret', 'link']) {
    await expect(read(path), path).rejects.toThrow('outside');
    await expect(check(path), path).rejects.toThrow('outside');
  }
  await expect(read('nowhere')).rejects.toThrow('is not there');
  await expect(read('hard')).rejects.toThrow('hard link');
  for (const path of ['way', '..', '/']) await expect(list(path), path).rejects.toThrow('outside');
  expect(await read('sub/up/inside')).toBe('x');
  expect(await check('sub/up/inside')).toBe('inside');
  expect(await list('.')).toEqual(['hard', 'inside', 'link', 'nowhere', 'sub/', 'way']);
});

test('what sessions and git keep in the folder is not read, by any name', async () => {
  const path = await folder();
  for (const name of ['.git', 'sub/.GIT', '.flamestack', 'kept/store', 'real', 'kept/stores']) {
    await mkdir(join(path, name), { recursive: true });
    await writeFile(join(path, name, 'x'), 'x');
  }
  await symlink(join(path, 'real'), join(path, 'memory'));
  await symlink(join(path, '.git'), join(path, 'way'));
  const { read, list } = await folderAt(path, ['kept/store', 'memory']);
  for (const name of ['.git', 'sub/.GIT', '.flamestack', 'kept/store', 'memory', 'real', 'way']) {
    await expect(read(`${name}/x`), name).rejects.toThrow('not read from here');
    await expect(list(name), name).rejects.toThrow('not read from here');
  }
  expect(await read('kept/stores/x')).toBe('x');
});

test('where it cannot be told what sessions keep, nothing is read', async () => {
  const path = await folder();
  await writeFile(join(path, 'x'), 'x');
  await symlink('memory', join(path, 'memory'));
  await expect((await folderAt(path, ['memory'])).read('x')).rejects.toThrow('ELOOP');
  expect(await (await folderAt(path, ['memories'])).read('x')).toBe('x');
});

test('rounds of tools come to an end', async () => {
  const reply = { content: '', toolCalls: [{ name: 'frame_status', arguments: {} }] };
  const { pipe, server } = await stage({ reply });
  const { exit, err } = await pipe('a', 'Go.\n');
  expect(exit).toBe(0);
  expect(err).toContain('Stopped after 25 rounds of tools.');
  expect(server.log.filter(({ path }) => path === '/api/chat')).toHaveLength(25);
});

test('/retry after a stop among calls of one answer gives up those without a result', async () => {
  await workIn({ 'a.txt': 'alpha' });
  const toolCalls = [
    { id: 'x1', name: 'read_file', arguments: { path: 'a.txt' } },
    { id: 'x2', name: 'list_files', arguments: { path: '.' } },
  ];
  const server = await startOpenAIServer({ reply: [{ toolCalls }, 'So be it.'] });
  onTestFinished(() => server.close());
  const { sit } = await stage();
  const { type, until } = sit(`a --openai ${server.url} --tools files`);
  await until('> ');
  type('Look.\r');
  await until('read: a.txt? [y]es');
  type('y\r');
  await until('list: .? [y]es');
  type('\x03');
  await until('stopped');
  await until('> ');
  type('/retry\r');
  await until('So be it.');
  const { messages = [] } = server.log.at(-1)!.body;
  expect(messages.slice(-3)).toMatchObject([
    { role: 'tool', tool_call_id: 'x1', content: 'alpha' },
    { role: 'tool', tool_call_id: 'x2', content: '[no result: the call was given up]' },
    { role: 'user', content: expect.stringContaining('The calls were stopped') as unknown },
  ]);
});

test('a tool that there is not is answered with those that the model was told of', async () => {
  const { pipe } = await stage({ reply: calling('nothing', {}) });
  const { out } = await pipe('a', 'Go.\n');
  expect(out).toBe('Told: There is no tool "nothing". There are: recall\n');
  const all = await stage({ reply: calling('nothing', {}) });
  expect((await all.pipe('a --frames', 'Go.\n')).out).toContain('There are: frame_push, ');
});
