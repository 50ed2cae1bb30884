import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from '../../call.ts';
import { stage } from '../../chat-stage.ts';
import { calling, chatWith, servers, strange, strangeOne } from './mcp-stage.ts';

test('a model calls a tool of a server that the person names, and is told what it gave', async () => {
  const { out, exit, told } = await chatWith(await strangeOne(), {
    reply: calling('s__echo', { a: 'ä' }),
  });
  expect(told).toEqual(expect.arrayContaining(['recall', 's__echo', 's__fails']));
  expect(out).toBe('Told: {"a":"ä"}\n');
  expect(exit).toBe(0);
});

test('the server in the examples keeps notes', async () => {
  const notes = join(await folder(), 'notes.txt');
  const script = fileURLToPath(new URL('../../../../examples/notes-server.mjs', import.meta.url));
  const mcp = await servers({ notes: { command: process.execPath, args: [script, notes] } });
  const reply = [
    ...calling('notes__add_note', { text: 'milk\nand bread' }),
    ...calling('notes__list_notes'),
  ];
  const { pipe } = await stage({ reply });
  const { out } = await pipe(`a --yes --mcp ${mcp}`, 'Note.\nList.\n');
  expect(out).toBe('Told: Noted.\nTold: milk and bread\n');
});

test('nothing that lies in the folder is read unless it is named', async () => {
  const path = await folder();
  const entry = { command: process.execPath, args: [strange] };
  await writeFile(join(path, '.mcp.json'), JSON.stringify({ mcpServers: { s: entry } }));
  const before = process.cwd();
  process.chdir(path);
  onTestFinished(() => process.chdir(before));
  const { pipe } = await stage({ reply: calling('s__echo') });
  expect((await pipe('a --yes', 'Go.\n')).out).toContain('There is no tool "s__echo"');
});

test.each([
  ['silent', 'MCP_LATE', 'did not answer in 0.6 s'],
  ['garbage', 'MCP_LATE', 'did not answer in 0.6 s'],
  ['ends', 'MCP_ENDED', 'has ended with code 3: no licence found'],
  ['throws', 'MCP_ENDED', 'has ended with code 1: Error: no licence: buy one'],
  ['wrong', 'MCP_INVALID', 'answered what is no answer'],
  ['flood', 'MCP_TOO_LARGE', 'sent more than is taken'],
  ['endless', 'MCP_TOO_LARGE', 'lists tools without end'],
])('a server that begins %s is left out, as %s, and the chat goes on', async (way, code, said) => {
  const mcp = await strangeOne(way);
  const late = way === 'silent' || way === 'garbage';
  const env = { MCP_TIMEOUT: late ? '600' : '20000' };
  const { out, err, exit } = await chatWith(mcp, { env });
  expect(err).toContain(said);
  expect(err).toContain('Going on without its tools.');
  expect(err).not.toContain('\u001b');
  expect([out, exit]).toEqual(['Hello.\n', 0]);
  const place = await stage({ reply: 'Hello.' }, env);
  const events = (await place.pipe(`a --json --mcp ${mcp}`, 'Go.\n')).out;
  expect(events).toContain(`"type":"error","code":"${code}"`);
});

test('a server that is not there is left out', async () => {
  const mcp = await servers({
    gone: { command: '/nowhere/server' },
    down: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
  });
  const { out, err } = await chatWith(mcp, {});
  expect(err).toContain('The server "gone" cannot be started: spawn /nowhere/server ENOENT');
  expect(err).toContain('The server "down" cannot be reached: ');
  expect(out).toBe('Hello.\n');
});

test.each([
  ['fails', 'there is no such page'],
  ['refuses', 'what page?'],
  ['quiet', '[no answer]'],
  ['mixed', '[image, image/png: not taken]\ninside\n[link: x:2]'],
  ['never', 'MCP_LATE: The server "s" did not answer in 0.3 s.'],
  ['dies', 'MCP_ENDED: The server "s" has ended with code 1.'],
  ['huge', 'MCP_TOO_LARGE: The server "s" sent more than is taken; it was ended.'],
  ['wrong', 'MCP_INVALID: The server "s" answered what is no answer'],
])('a tool that %s gives the model words for it, and the chat goes on', async (name, said) => {
  const { out, exit } = await chatWith(await strangeOne(), {
    reply: calling(`s__${name}`),
    env: { MCP_TOOL_TIMEOUT: name === 'never' ? '300' : '20000' },
  });
  expect(out).toContain(`Told: ${said}`);
  expect(exit).toBe(0);
});

test.each(['dies', 'huge'])('a server whose %s ended it is started again', async (name) => {
  const { sit } = await stage({
    reply: [...calling(`s__${name}`), ...calling('s__echo', { a: 1 })],
  });
  const { type, until } = sit(`a --yes --mcp ${await strangeOne()}`);
  await until('> ');
  type('1\r');
  await until('Told: MCP_');
  await until('> ');
  type('2\r');
  await until('Told: {"a":1}');
});

test('a long answer keeps its beginning and its end', async () => {
  const { out } = await chatWith(await strangeOne(), { reply: calling('s__long') });
  expect(out).toMatch(/^Told: firstx+/);
  expect(out).toContain('last');
});

test('a schema of a server is not run over its answer', async () => {
  const { out } = await chatWith(await strangeOne('slow'), { reply: calling('s__echo') });
  expect(out).toBe('Told: {}\n');
});

test('of a thousand tools a hundred are taken, and as many told of as the window has room for', async () => {
  const { err, told } = await chatWith(await strangeOne('thousand'), {});
  expect(err).toContain('The server "s" lists 1,000 tools; 100 of them are taken.');
  expect(err).toContain('The window has no room for');
  expect(told.length).toBeGreaterThan(20);
  expect(told.length).toBeLessThan(102);
});

test('a schema that is too long leaves its tool out, a description is cut', async () => {
  const place = await stage({ reply: 'Hello.' });
  await place.pipe(`a --yes --mcp ${await strangeOne('deep')}`, 'Go.\n');
  const [asked] = place.server.log.filter(({ path }) => path === '/api/chat');
  const tools = asked!.body.tools as { function: { name: string; description: string } }[];
  const [, one] = tools.map((tool) => tool.function);
  expect(tools).toHaveLength(2);
  expect(one).toMatchObject({ name: 's__long', description: 'd'.repeat(2_000) });
});

test('a server inherits no keys, gets what the file gives it, and tells none of that', async () => {
  const secrets = { OPENAI_API_KEY: 'sk-very-secret', MY_TOKEN: 'tok-very-secret' };
  for (const [name, value] of Object.entries(secrets)) process.env[name] = value;
  onTestFinished(() => Object.keys(secrets).forEach((name) => delete process.env[name]));
  // eslint-disable-next-line no-template-curly-in-string
  const given = { env: { WIKI_TOKEN: '${MY_TOKEN}', PLACE: '${NOWHERE:-here}' } };
  const mcp = await strangeOne('well', given);
  const of = async (name: string, args: object): Promise<string> =>
    (await chatWith(mcp, { reply: calling(name, args), env: secrets })).out;
  const names = await of('s__names', {});
  expect(names).toContain(' PATH ');
  expect(names).not.toMatch(/API_KEY|MY_TOKEN/);
  expect(await of('s__env', { name: 'WIKI_TOKEN' })).toBe('Told: WIKI_TOKEN=[WIKI_TOKEN]\n');
  expect(await of('s__env', { name: 'PLACE' })).toBe('Told: PLACE=here\n');
});

test.each(['well', 'stays'])('a server that behaves %s ends with the chat', async (way) => {
  const { out } = await chatWith(await strangeOne(way), { reply: calling('s__pid') });
  const pid = Number(/\d+/.exec(out)?.[0]);
  await expect.poll(() => isThere(pid)).toBe(false);
});

test('names are made valid, and stay apart', async () => {
  const args = [strange, 'well', 'a.b', 'a_b', 'é', 'x'.repeat(100), '\u001b[2Jx'];
  const mcp = await servers({ 's s': { command: process.execPath, args } });
  const { told } = await chatWith(mcp, {});
  const names = told.filter((name) => name.startsWith('s_s__'));
  expect(names).toHaveLength(new Set(names).size);
  expect(names.filter((name) => name.startsWith('s_s__a_b'))).toHaveLength(2);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

/** Whether there is a process with this id. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
