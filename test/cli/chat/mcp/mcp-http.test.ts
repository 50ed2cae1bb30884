import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { stage } from '../../chat-stage.ts';
import { calling, chatWith, servers } from './mcp-stage.ts';

/** What a server over HTTP answers to a method. */
type Answer = (method: string, response: ServerResponse, request: IncomingMessage) => unknown;

/** A server over HTTP; its answers are JSON unless it sends another itself. */
async function httpServer(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body === '' ? '{}' : body);
      const result = answer(String(method), response, request);
      if (result === undefined) return;
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const wiki: Answer = (method) => {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'wiki', version: '1' },
    };
  if (method === 'tools/list')
    return { tools: [{ name: 'page', inputSchema: { type: 'object' } }] };
  return { content: [{ type: 'text', text: 'A page.' }] };
};

test('a server is reached over HTTP, with the headers of the file', async () => {
  const seen = new Set<string | undefined>();
  const url = await httpServer((method, response, request) => {
    seen.add(request.headers.authorization);
    return wiki(method, response, request);
  });
  const headers = { Authorization: 'Bearer of-good-news' };
  const mcp = await servers({ wiki: { type: 'http', url, headers } });
  const { out } = await chatWith(mcp, { reply: calling('wiki__page') });
  expect(out).toBe('Told: A page.\n');
  expect([...seen]).toEqual(['Bearer of-good-news']);
});

test('a server over HTTP that forgot its client is told anew', async () => {
  let sessions = 0;
  const url = await httpServer((method, response, request) => {
    if (method === 'initialize') response.setHeader('mcp-session-id', String((sessions += 1)));
    else if (method === 'tools/call' && request.headers['mcp-session-id'] === '1')
      return void response.writeHead(404).end();
    return wiki(method, response, request);
  });
  const reply = [...calling('wiki__page'), ...calling('wiki__page')];
  const { pipe } = await stage({ reply });
  const mcp = await servers({ wiki: { url } });
  const { out } = await pipe(`a --yes --mcp ${mcp}`, '1\n2\n');
  expect(out).toBe('Told: MCP_ENDED: The server "wiki" has ended.\nTold: A page.\n');
});

test.each([
  [
    'wants a key',
    'wants a key: "headers" in the file may hold it.',
    (response: ServerResponse) => response.writeHead(401).end(),
  ],
  [
    'is no such server',
    'answered what is no answer',
    (response: ServerResponse) => response.writeHead(404).end('<html>not found'),
  ],
  [
    'answers in HTML',
    'answered what is no answer',
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  ],
  [
    'sends 100 MB',
    'sent more than is taken',
    (response: ServerResponse) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`"${'x'.repeat(100_000_000)}"`),
  ],
  ['says nothing', 'did not answer in 1 s', () => undefined],
])('a server over HTTP that %s is left out', async (_, said, send) => {
  const url = await httpServer((_method, response) => void send(response));
  const mcp = await servers({ wiki: { type: 'http', url } });
  const env = { MCP_TIMEOUT: said.includes('1 s') ? '1000' : '20000' };
  const { out, err } = await chatWith(mcp, { env });
  expect(err).toContain(said);
  expect(out).toBe('Hello.\n');
});
