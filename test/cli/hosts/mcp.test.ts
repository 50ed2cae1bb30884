import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { folder } from '../call.ts';
import { build, program } from '../pty.ts';

// What an agent is served, by the client that agents use, from the built program.

beforeAll(build);

test('an agent finds, notes and works in frames; another has the same store', async () => {
  const store = await folder();
  await recorded(store, 'older', 'The port of the gateway is 7171.');
  await recorded(store, 'newer', 'The balance of R-77 is 4711.');
  const [one, other] = [await agent(store), await agent(store)];

  const { tools } = await one.listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  expect(reading.map(({ name }) => name)).toEqual(['frame_status', 'recall', 'recovery']);

  expect(await call(one, 'recall', { query: 'balance R-77' })).toContain('is 4711');
  expect(await call(one, 'recall', { query: 'port gateway' })).toContain('[older e1: assistant]');
  expect(await call(one, 'recall', { query: 'e1', session: 'older' })).toContain('7171');

  expect(await call(one, 'frame_push', { title: 'Round', criteria: 'tests pass' })).toContain(
    'Round',
  );
  expect(await call(other, 'frame_status', {})).toContain('"Round" (active)');
  await Promise.all([
    call(one, 'checkpoint', { text: 'The rounding is half done.' }),
    call(other, 'checkpoint', { text: 'The docs are done.' }),
  ]);
  const stand = await call(other, 'recovery', {});
  expect(stand).toContain('half done');
  expect(stand).toContain('The docs are done');

  expect((await one.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'flamestack://tree',
    'flamestack://document',
  ]);
  const { contents } = await one.readResource({ uri: 'flamestack://tree' });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('Round') as string });
  const { messages } = await one.getPrompt({ name: 'continue' });
  expect(JSON.stringify(messages)).toContain('half done');
});

test('a frame is entered at once, whatever call of a recorded session has no result yet', async () => {
  const folderOf = await folder();
  await using store = await openStore(folderOf);
  const session = await store.open('s', { window: 8_192 });
  const toolCalls = ['a', 'b'].map((id) => ({ id, name: 'read', arguments: {} }));
  await session.append({ role: 'assistant', content: '', toolCalls });
  await store.close();
  const one = await agent(folderOf);
  const given = { title: 'Round', criteria: 'tests pass' };
  expect(await call(one, 'frame_push', given)).toContain('Entered');
  expect(await call(one, 'frame_status', {})).toContain('"Round" (active)');
});

test('a store that is not there is empty, and what is wrong is told', async () => {
  const one = await agent(`${await folder()}/none`);
  expect(await call(one, 'recall', { query: 'anything' })).toBe('Nothing is recorded here yet.');
  expect(await call(one, 'recovery', {})).toBe('Nothing is recorded here yet.');
  expect(await call(one, 'checkpoint', { text: 'Begun.' })).toBe('Noted as e1.');
  expect(
    await one.callTool({ name: 'recall', arguments: { query: 'x', session: 'zz' } }),
  ).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('SESSION_NOT_FOUND') as string }],
  });
  expect(await one.callTool({ name: 'recall', arguments: {} })).toMatchObject({ isError: true });
});

test('a refusal of a tool is an error, and a call that was taken is none', async () => {
  const one = await agent(await folder());
  const push = { name: 'frame_push', arguments: { title: 'Round', criteria: 'tests pass' } };
  expect((await one.callTool(push)).isError ?? false).toBe(false);
  const pops = {
    frame_pop: { status: 'failed', results: 'x', frame: 'f9' },
    recall: { query: 'e99' },
  };
  for (const [name, given] of Object.entries(pops))
    expect(await one.callTool({ name, arguments: given })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('_NOT_FOUND') as string }],
    });
});

test('a host gets a text and nothing else, which it shows a model as it is', async () => {
  const one = await agent(await folder());
  const { tools } = await one.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  const noted = await one.callTool({ name: 'checkpoint', arguments: { text: 'Half done.' } });
  expect(noted).toEqual({ content: [{ type: 'text', text: 'Noted as e1.' }] });
});

test('a program has each answer in parts, too, as the tool says, and nothing is left out of them', async () => {
  const store = await folder();
  await recorded(store, 'older', 'The port of the gateway is 7171.');
  await recorded(store, 'newer', 'The balance of R-77 is 4711.');
  const one = await agent(store, '--structured');
  // The client compiles what tools say that they answer, and rejects any other answer.
  const { tools } = await one.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  const parts = async (name: string, given: Record<string, unknown>): Promise<unknown> =>
    (await one.callTool({ name, arguments: given })).structuredContent;

  const at = { session: 'newer', frame: 'f0' };
  const found = await parts('recall', { query: 'port gateway' });
  const other = { session: 'older', entry: 'e1', role: 'assistant', text: anyText('7171') };
  expect(found).toEqual({ ...at, text: anyText(''), elsewhere: [other] });
  const opened = await parts('recall', { query: 'e1' });
  expect(opened).toEqual({ ...at, text: anyText('is 4711') });
  expect(await parts('recovery', {})).toEqual({ ...at, text: anyText('4711') });
  const given = { title: 'Round', criteria: 'tests pass' };
  const inFrame = { session: 'newer', frame: 'f1' };
  expect(await parts('frame_push', given)).toEqual({ ...inFrame, text: anyText('Entered') });
  expect(await parts('goal_update', { description: 'Ship' })).toMatchObject(inFrame);
  expect(await parts('checkpoint', { text: 'Half done.' })).toEqual({
    ...inFrame,
    text: 'Noted as e2.',
    entry: 'e2',
  });
  expect(await parts('frame_status', {})).toEqual({
    ...inFrame,
    text: anyText('"Round" (active)'),
  });
});

test('it ends well where its host closes stdin, and with the code of a signal else', async () => {
  const store = await folder();
  const ends = [
    ['stdin', 0],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  for (const [how, code] of ends) {
    const server = spawn(process.execPath, [program, 'mcp', '--store', store]);
    server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await once(server.stdout, 'data');
    if (how === 'stdin') server.stdin.end();
    else server.kill(how);
    const [exit] = (await once(server, 'exit')) as [number];
    expect([how, exit]).toEqual([how, code]);
  }
});

const anyText = (part: string): string => expect.stringContaining(part) as string;

async function recorded(folderOf: string, id: string, content: string): Promise<void> {
  await using store = await openStore(folderOf);
  const session = await store.open(id, { window: 8_192 });
  await session.append({ role: 'assistant', content });
}

async function agent(store: string, ...words: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [program, 'mcp', '--store', store, ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
