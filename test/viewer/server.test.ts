import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startViewer, type Lines } from '../../src/viewer/server.ts';

async function serve(
  lines: Lines = async function* () {},
): Promise<{ port: number; token: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'flamestack-page-'));
  for (const name of ['inspector.html', 'page.js', 'page.css'])
    writeFileSync(join(folder, name), `this is ${name}`);
  const viewer = await startViewer({
    routes: { inspections: lines },
    folder: pathToFileURL(`${folder}/`),
  });
  onTestFinished(() => viewer.close());
  const { port, hash } = new URL(viewer.link);
  return { port: Number(port), token: hash.slice('#t='.length) };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request as it is written here: nothing is added but the host, unless that is named. */
const ask = (
  port: number,
  path: string,
  told: { readonly method?: string; readonly [header: string]: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', ...headers } = told;
    const options = { host: '127.0.0.1', port, path, method, headers };
    request(options, async (answer) =>
      resolve({
        status: answer.statusCode!,
        headers: answer.headers,
        body: await text(answer),
      }),
    )
      .on('error', reject)
      .end();
  });

test('the page needs no token, what it shows does', async () => {
  const { port, token } = await serve(async function* () {
    yield { n: 1 };
    yield { n: 2 };
  });
  expect((await ask(port, '/')).body).toBe('this is inspector.html');
  expect((await ask(port, '/page.js')).body).toBe('this is page.js');
  const path = '/api/inspections';
  for (const authorization of ['', 'Bearer ', `Bearer ${token}x`, `Basic ${token}`, token])
    expect((await ask(port, path, { authorization })).status).toBe(401);
  expect((await ask(port, `${path}?t=${token}`)).status).toBe(401);
  const answer = await ask(port, path, { authorization: `Bearer ${token}` });
  expect([answer.status, answer.body]).toEqual([200, '{"n":1}\n{"n":2}\n']);
});

test.each([
  ['a name that leads here', { host: 'evil.example' }, 421],
  ['the address with another port', { host: '127.0.0.1:1' }, 421],
  ['another site', { origin: 'http://evil.example' }, 403],
  ['no site', { origin: 'null' }, 403],
  ['this address, encrypted', { origin: 'https://127.0.0.1' }, 403],
  ['a script of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a server beside this one', { 'sec-fetch-site': 'same-site' }, 403],
])('%s is refused, whatever it asks for', async (_, told, status) => {
  const { port, token } = await serve();
  const headers = { ...told, authorization: `Bearer ${token}` };
  for (const path of ['/', '/page.js', '/api/inspections', '/nothing'])
    expect((await ask(port, path, headers)).status).toBe(status);
});

test('a link on another page may open it', async () => {
  const { port } = await serve();
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect((await ask(port, '/', headers)).status).toBe(200);
  expect((await ask(port, '/page.js', headers)).status).toBe(403);
  expect((await ask(port, '/', { ...headers, 'sec-fetch-dest': 'document' })).status).toBe(200);
  for (const dest of ['iframe', 'frame', 'embed', 'object'])
    expect((await ask(port, '/', { ...headers, 'sec-fetch-dest': dest })).status).toBe(403);
});

test('what is not there is told, and what breaks off under way is cut', async () => {
  const { port, token } = await serve(async function* (_, asked) {
    if (asked.has('late')) yield { n: 1 };
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('There is no step -1');
  });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await ask(port, '/api/inspections?seq=-1', headers);
  expect([answer.status, answer.body]).toEqual([404, 'There is nothing of what was asked for.\n']);
  const late = await fetch(`http://127.0.0.1:${port}/api/inspections?late`, { headers });
  await expect(late.text()).rejects.toThrow();
});

test('a path is a name, and never one of the disk', async () => {
  const { port, token } = await serve();
  const headers = { authorization: `Bearer ${token}` };
  const paths = [
    '/../package.json',
    '/%2e%2e/package.json',
    '/inspector.html',
    '/api/',
    '/api/constructor',
  ];
  for (const path of [...paths, '//etc/passwd', '/page.js/', '/api/inspections/x'])
    expect((await ask(port, path, headers)).status).toBe(404);
});

test('it only shows, to this machine alone, and no other page may hold it', async () => {
  const { port, token } = await serve();
  const headers = { authorization: `Bearer ${token}` };
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect((await ask(port, '/api/inspections', { ...headers, method })).status).toBe(405);
  const { headers: told } = await ask(port, '/', { origin: `http://127.0.0.1:${port}` });
  expect(told['access-control-allow-origin']).toBeUndefined();
  expect(told['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(told['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(told['content-security-policy']).not.toContain('unsafe');
  expect(told['cache-control']).toBe('no-store');
});

test('a stream is given up when nobody reads it, and ends with the page', async () => {
  let isGone = false;
  const { port, token } = await serve(async function* (signal) {
    signal.addEventListener('abort', () => (isGone = true));
    for (;;) yield 'x'.repeat(100_000);
  });
  const headers = { authorization: `Bearer ${token}` };
  const asked = request({ host: '127.0.0.1', port, path: '/api/inspections', headers }, (answer) =>
    answer.once('data', () => asked.destroy()),
  );
  asked.on('error', () => undefined).end();
  await expect.poll(() => isGone).toBe(true);
});

test('a few streams run at once, and another when one is over', async () => {
  const { port, token } = await serve(async function* (signal) {
    yield 1;
    await once(signal, 'abort');
  });
  const headers = { authorization: `Bearer ${token}` };
  const path = '/api/inspections';
  const stream = (): ReturnType<typeof request> =>
    request({ host: '127.0.0.1', port, path, headers }).on('error', () => undefined);
  const statusOf = async (asked: ReturnType<typeof request>): Promise<unknown> =>
    ((await once(asked.end(), 'response')) as [{ statusCode?: number }])[0].statusCode;
  const open = Array.from({ length: 12 }, stream);
  expect(new Set(await Promise.all(open.map(statusOf)))).toEqual(new Set([200]));
  expect(await statusOf(stream())).toBe(429);
  expect((await ask(port, path, { ...headers, method: 'HEAD' })).status).toBe(200);
  open[0]!.destroy();
  await expect.poll(() => statusOf(stream())).toBe(200);
});

test('a page that is not built is no page', async () => {
  const folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'flamestack-page-'))}/`);
  await expect(startViewer({ routes: {}, folder })).rejects.toMatchObject({ code: 'ENOENT' });
});
