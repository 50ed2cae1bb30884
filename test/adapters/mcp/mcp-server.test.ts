import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createMcpHandler,
  fromJsonSchema,
  InMemoryTransport,
  type McpServer,
} from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Session } from '../../../src/index.ts';
import { mcpServer } from '../../../src/mcp.ts';
import { newLocation } from '../../store/folder.ts';

// The server in a program of somebody else's, by the client that agents use.

test('a program serves the session that it is in, and keeps its store', async () => {
  const store = await openStore(':memory:');
  const session = await store.open('mine', { window: 8_192 });
  await session.append({ role: 'user', content: 'The balance of R-77 is 4711.' });
  const newer = await store.open('newer', { window: 8_192 });
  await newer.append({ role: 'user', content: 'Hello.' });
  const client = await connected(mcpServer({ store, session: 'mine' }));
  expect(await call(client, 'recall', { query: 'balance' })).toContain('is 4711');
  expect(await call(client, 'checkpoint', { text: 'Half done.' })).toBe('Noted as e2.');
  await call(client, 'frame_push', { title: 'Round', criteria: 'tests pass' });
  expect([session.state.entries, session.state.active]).toEqual([2, 'f1']);
  await client.close();
  await session.append({ role: 'assistant', content: 'It goes on.' });
  expect((await store.recall('goes')).map(({ session: id }) => id)).toEqual(['mine']);
  await store.close();
});

test('a session that is not there is begun by the first note, under its name', async () => {
  const location = await newLocation();
  const client = await connected(mcpServer({ store: location, session: 'plan' }));
  expect(await call(client, 'recovery', {})).toBe('Nothing is recorded here yet.');
  await call(client, 'checkpoint', { text: 'Begun.' });
  await using store = await openStore(location, { readOnly: true });
  expect((await store.open('plan')).state.entries).toBe(1);
});

test.each([
  ['its own', () => [{ name: 'read', description: 'Reads a file.', parameters: {} }]],
  ['those of the session', (session: Session) => session.tools()],
  ['all of the session', (session: Session) => session.tools('all')],
  ['none', () => []],
])('where the work stands is told of a session with %s as tools', async (_, toolsOf) => {
  const location = await newLocation();
  await recordTold(location, toolsOf);
  const client = await connected(mcpServer({ store: location, session: 'own' }));
  expect(await call(client, 'recovery', {})).toContain('The balance of R-77 is 4711.');
  const { messages } = await client.getPrompt({ name: 'continue' });
  expect(JSON.stringify(messages)).toContain('The balance of R-77 is 4711.');
});

test('to tell where the work stands changes nothing, though another prompt would be made for no tools', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('own', { window: 8_192 });
  await session.append({ role: 'user', content: 'The balance of R-77 is 4711.' });
  await session.assemble({ tools: [{ name: 'read' }] });
  const { seq } = session.state;
  const client = await connected(mcpServer({ store, session: 'own' }));
  expect(await call(client, 'recovery', {})).toContain('The balance of R-77 is 4711.');
  expect(session.state.seq).toBe(seq);
});

test('servers of one process share the store, a new one for each request, too', async () => {
  const location = await newLocation();
  const handler = createMcpHandler(() => mcpServer({ store: location }));
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://program.example/mcp'), { fetch }),
  );
  onTestFinished(() => client.close());
  const other = await connected(mcpServer({ store: location }));
  const notes = Array.from({ length: 20 }, (_, n) =>
    call(n % 2 === 0 ? client : other, 'checkpoint', { text: `Part ${n} is done.` }),
  );
  expect(new Set(await Promise.all(notes)).size).toBe(20);
});

test('a program adds tools of its own', async () => {
  const server = mcpServer({ store: ':memory:' });
  const inputSchema = fromJsonSchema<object>({ type: 'object' });
  server.registerTool('time', { inputSchema }, () => ({
    content: [{ type: 'text', text: 'Noon' }],
  }));
  const client = await connected(server);
  expect(await call(client, 'time', {})).toBe('Noon');
  expect(await call(client, 'checkpoint', { text: 'Begun.' })).toBe('Noted as e1.');
  expect(await call(client, 'recall', { query: 'begun' })).toContain('Begun.');
  expect((await client.listTools()).tools).toHaveLength(13);
});

/** Records a session that a host asked for a prompt with tools. */
async function recordTold(
  location: string,
  toolsOf: (session: Session) => readonly unknown[],
): Promise<void> {
  await using store = await openStore(location);
  const session = await store.open('own', { window: 8_192 });
  await session.append({ role: 'user', content: 'The balance of R-77 is 4711.' });
  await session.assemble({ tools: toolsOf(session) });
  await session.append({ role: 'assistant', content: 'I see.' });
}

async function connected(server: McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
