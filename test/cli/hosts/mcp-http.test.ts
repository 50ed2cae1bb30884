import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { longestRequest, mostRequests, mostStreams } from '../../../src/cli/hosts/mcp-http.ts';
import { retryWhileInUse } from '../../../src/cli/sessions/store/open-store.ts';
import { file, flamestack, folder, type Told } from '../call.ts';
import { calling, chatWith } from '../chat/mcp/mcp-stage.ts';

// The same tools over HTTP: for the client that agents use, and for what must not get in.

test('several agents at once work in one store, and what each notes is kept', async () => {
  const server = await serve();
  const agents = await Promise.all([
    ...Array.from({ length: 5 }, () => agent(server)),
    agent(server, 'auto'),
  ]);
  const spoken = new Set(agents.map((one) => one.getNegotiatedProtocolVersion()));
  expect(spoken).toEqual(new Set(['2025-11-25', '2026-07-28']));
  const texts = agents.map((_, n) => `Part ${n} is done.`);
  const noted = await Promise.all(
    agents.map((one, n) => one.callTool({ name: 'checkpoint', arguments: { text: texts[n] } })),
  );
  const answers = noted.map(({ content: [part] }) => part?.type === 'text' && part.text);
  expect(new Set(answers)).toEqual(new Set([1, 2, 3, 4, 5, 6].map((n) => `Noted as e${n}.`)));
  const { content } = await agents[5]!.callTool({ name: 'recovery', arguments: {} });
  for (const said of texts) expect(JSON.stringify(content)).toContain(said);
  const { contents } = await agents[0].readResource({ uri: 'flamestack://tree' });
  expect(contents).toHaveLength(1);
  // Another process has the store a moment later.
  const wait = (ms: number): Promise<void> => sleep(ms);
  await using store = await retryWhileInUse(() => openStore(server.store), { wait });
  expect((await store.recall('Part')).length).toBe(6);
});

test('what is printed is the settings of a host, and the token is another each time', async () => {
  const [one, other] = [await serve(), await serve()];
  expect(one.token).toMatch(/^[\w-]{43}$/);
  expect(one.token).not.toBe(other.token);
  const { out, err } = await one.stop();
  expect(out.split(one.token)).toHaveLength(2);
  expect(err).not.toContain(one.token);
  expect(err).toContain('Whoever has this token');
});

test('without the token nothing is answered, and nothing is written', async () => {
  const server = await serve();
  const { token } = server;
  await expect(agent({ ...server, token: 'x' })).rejects.toThrow('The token is missing.');
  const wrong = [
    '',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    token,
  ];
  for (const authorization of wrong) {
    const answer = await ask(server, { authorization }, note);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  }
  expect((await ask(server, { path: `/mcp?token=${token}` }, note)).status).toBe(401);
  await expect(openStore(server.store, { readOnly: true })).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
  });
});

test.each([
  ['a name that leads here', { host: 'evil.example' }, 421],
  ['the address with another port', { host: '127.0.0.1:1' }, 421],
  ['another site', { origin: 'http://evil.example' }, 403],
  ['no site', { origin: 'null' }, 403],
  ['a script of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 403],
  ['a server beside this one', { 'sec-fetch-site': 'same-site' }, 403],
  ['another path', { path: '/' }, 404],
])('%s is refused, though it has the token', async (_, told, status) => {
  const server = await serve();
  const authorization = `Bearer ${server.token}`;
  const answer = await ask(server, { authorization, ...told }, note);
  expect(answer.status).toBe(status);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  const kept = await ask(server, { authorization, origin: new URL(server.url).origin }, note);
  expect([kept.status, kept.body]).toEqual([200, expect.stringContaining('Noted as e1.')]);
});

test('it listens on one address of this machine alone', async () => {
  const server = await serve();
  const asked = request({ host: '127.0.0.2', port: new URL(server.url).port });
  const [error] = (await once(asked.end(), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

test('a request that is too long is not read, and the next one is', async () => {
  const server = await serve();
  const authorization = `Bearer ${server.token}`;
  const tooLong = JSON.stringify(noted('x'.repeat(longestRequest)));
  expect((await ask(server, { authorization }, tooLong)).status).toBe(413);
  const chunked = { authorization, 'transfer-encoding': 'chunked' };
  expect((await ask(server, chunked, tooLong)).status).toBe(413);
  // What is announced is not waited for.
  const announced = { authorization, 'content-length': '9999999999' };
  const asked = begin(server, announced);
  asked.flushHeaders();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(413);
  asked.destroy();
  for (const body of ['', '{', '[]', 'null', '{"jsonrpc":"2.0"}', '[[[[[[[['])
    expect((await ask(server, { authorization }, body)).status).toBeGreaterThanOrEqual(400);
  expect((await ask(server, { authorization }, note)).status).toBe(200);
});

test('so many requests are held open, and another one when they are over', async () => {
  const server = await serve();
  const authorization = `Bearer ${server.token}`;
  // Each has begun and sends no end.
  const open = Array.from({ length: mostRequests }, () => begin(server, { authorization }));
  for (const one of open) one.write('{');
  await expect.poll(async () => (await ask(server, { authorization }, note)).status).toBe(429);
  for (const one of open) one.destroy();
  await expect.poll(async () => (await ask(server, { authorization }, note)).status).toBe(200);
});

test('agents that listen leave room for those that ask', async () => {
  const server = await serve();
  const agents = await Promise.all(
    Array.from({ length: mostStreams + 1 }, () => agent(server, 'auto')),
  );
  const [late, ...early] = agents;
  for (const one of early) await one.listen({ toolsListChanged: true });
  await expect(late!.listen({ toolsListChanged: true })).rejects.toThrow('limit');
  const asked = Array.from({ length: 8 }, () =>
    late!.callTool({ name: 'recovery', arguments: {} }),
  );
  expect(await Promise.all(asked)).toHaveLength(8);
  await early[0]!.close();
  await expect
    .poll(() => late!.listen({ toolsListChanged: true }).then(() => true, String))
    .toBe(true);
});

test('a chat of ours takes what is printed', async () => {
  const { printed } = await serve();
  const { out: said } = await chatWith(await file('servers.json', printed), {
    reply: calling('flamestack__checkpoint', { text: 'Begun.' }),
  });
  expect(said).toContain('Noted as e1.');
});

test('Ctrl-C closes it: the port is free, and the store another may write', async () => {
  const server = await serve();
  const one = await agent(server);
  await one.callTool({ name: 'checkpoint', arguments: { text: 'Half done.' } });
  const { exit, err } = await server.stop();
  expect(exit).toBe(130);
  expect(err).not.toMatch(/error/i);
  await using store = await openStore(server.store);
  expect(await store.recall('half')).toHaveLength(1);
  await expect(one.callTool({ name: 'recovery', arguments: {} })).rejects.toThrow();
  const again = await serve(new URL(server.url).port);
  expect(again.url).toBe(server.url);
});

test('a port that another one has is refused', async () => {
  const { port } = new URL((await serve()).url);
  const { exit, out, err } = await flamestack(`mcp --http ${port} --store ${await folder()}`);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain(`Port ${port} is in use by another program`);
});

/** A server that runs, and how it is stopped. */
interface Running {
  readonly url: string;
  readonly token: string;
  readonly store: string;
  readonly printed: string;
  readonly stop: () => Promise<Told>;
}

async function serve(port = ''): Promise<Running> {
  const store = `${await folder()}/store`;
  const leave = new AbortController();
  let ended!: Promise<Told>;
  const printed = await new Promise<string>((resolve) => {
    const around = { signal: leave.signal, onOut: resolve };
    ended = flamestack(`mcp --http ${port} --store ${store}`, around);
  });
  const { url, headers } = JSON.parse(printed).mcpServers.flamestack;
  const stop = (): Promise<Told> => {
    leave.abort(130);
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return { url, token: headers.Authorization.slice('Bearer '.length), store, printed, stop };
}

async function agent(
  { url, token }: Pick<Running, 'url' | 'token'>,
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

const noted = (said: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'checkpoint', arguments: { text: said } },
});
const note = JSON.stringify(noted('Begun.'));

interface Headers {
  readonly path?: string;
  readonly [header: string]: string | undefined;
}

/** A request as it is written here: nothing is added but the host, unless that is named. */
function begin({ url }: Running, { path = '/mcp', ...told }: Headers): ClientRequest {
  const { hostname: host, port } = new URL(url);
  const accept = 'application/json, text/event-stream';
  const headers = { 'content-type': 'application/json', accept, ...told };
  return request({ host, port, path, method: 'POST', headers }).on('error', () => undefined);
}

async function ask(
  server: Running,
  told: Headers,
  body: string,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const [answer] = (await once(begin(server, told).end(body), 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, headers: answer.headers, body: await text(answer) };
}
