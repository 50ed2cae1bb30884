import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { patientFetch } from '../../../src/llm/server/patient-fetch.ts';
import { gate } from '../../gate.ts';
import { stubServer } from '../stub-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a request arrives as fetch would send it, and is answered as fetch would be', async () => {
  await using server = await stubServer((request, response) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { method, headers } = request;
      const seen = {
        method,
        kind: headers['content-type'],
        bytes: headers['content-length'],
        body,
      };
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.writeHead(201, 'Made', { 'x-kind': 'test' }).end(JSON.stringify(seen));
    });
  });
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"é":1}' };
  const response = await patientFetch(`${server.url}/api/chat?x=1`, sent);
  expect(server.paths).toEqual(['/api/chat?x=1']);
  expect([response.status, response.statusText, response.ok]).toEqual([201, 'Made', true]);
  expect(response.headers.get('x-kind')).toBe('test');
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toEqual({
    method: 'POST',
    kind: 'application/json',
    bytes: '8',
    body: '{"é":1}',
  });
});

test('a name and password in the address are sent', async () => {
  await using server = await stubServer(({ headers }, response) =>
    response.end(headers.authorization),
  );
  const response = await patientFetch(server.url.replace('//', '//me:secret@'));
  expect(await response.text()).toBe(`Basic ${btoa('me:secret')}`);
});

test('a status that has no body has none', async () => {
  await using server = await stubServer((_, response) => response.writeHead(204).end());
  const response = await patientFetch(server.url);
  expect(response.body).toBe(null);
});

test('a body is read as it comes, and whoever stops reading hangs up', async () => {
  await using server = await stubServer((_, response) => response.write('first'));
  const response = await patientFetch(server.url);
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe('first');
  await reader.cancel();
  await server.left;
});

test('a signal ends it before and after the status', async () => {
  await using silent = await stubServer((_, response) =>
    setImmediate(() => ending.abort(response)),
  );
  const ending = new AbortController();
  await expect(patientFetch(silent.url, { signal: ending.signal })).rejects.toThrow('aborted');
  await silent.left;
  await using server = await stubServer((_, response) => response.write('first'));
  const later = new AbortController();
  const response = await patientFetch(server.url, { signal: later.signal });
  const text = response.text();
  later.abort();
  await expect(text).rejects.toThrow('aborted');
  await server.left;
});

test('an address that is none is refused', async () => {
  await expect(patientFetch('nowhere')).rejects.toThrow('Invalid URL');
});

/** A server that says this to whatever it hears; nothing unless told. */
async function bare(
  said = '',
): Promise<{ readonly port: number; readonly heard: Promise<unknown> } & AsyncDisposable> {
  const sockets: Socket[] = [];
  const heard = gate();
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      heard.open();
      if (said !== '') socket.end(said);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, heard: heard.passed, [Symbol.asyncDispose]: close };
}

test.each([600, 999, 101])(
  'a status that no response may have is a bad gateway: %i',
  async (status) => {
    await using server = await bare(`HTTP/1.1 ${status} Denied\r\ncontent-length: 0\r\n\r\n`);
    const response = await patientFetch(`http://127.0.0.1:${server.port}`);
    expect(response.status).toBe(502);
  },
);

test('a server that switches protocols has not answered', async () => {
  await using server = await bare(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  );
  const response = patientFetch(`http://127.0.0.1:${server.port}`);
  await expect(response).rejects.toThrow('closed without an answer');
});

test('a connection has ten seconds until it is secure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await using server = await bare();
  const caught = patientFetch(`https://127.0.0.1:${server.port}`).catch(
    (error: Error) => error.message,
  );
  await server.heard;
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(await caught).toBe('connect ETIMEDOUT');
});

test('an answer may take as long as it likes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await using server = await stubServer((_, response) => {
    vi.advanceTimersByTime(1_000_000);
    response.end('late');
  });
  expect(await (await patientFetch(server.url)).text()).toBe('late');
  expect(vi.getTimerCount()).toBe(0);
});
