import { once } from 'node:events';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A page for one person on this machine. What may ask it anything: a browser on it that was given
// the link. So it listens on the loopback address alone, knows its own name, and takes no request
// that another site makes; the page is public code, and what it shows needs the token of the link.

/** A stream of lines, each of them JSON; `signal` aborts when nobody reads any more. */
export type Lines = (signal: AbortSignal) => AsyncIterable<unknown>;

/** A page that is served. */
export interface Viewer {
  /** Its address, with the token behind `#`: whoever has it sees what it shows. */
  readonly link: string;
  close(): Promise<void>;
}

const types = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
} as const;

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Most streams at once: each of them reads the store. */
const mostStreams = 4;

/**
 * Serves the page of `folder` on a free port of the loopback address, and at `/api/<name>` what `routes`
 * give, line by line. Rejects where the page is not built.
 */
export async function startViewer(given: {
  readonly routes: Readonly<Record<string, Lines>>;
  /** Where the built page is; beside this file unless told. */
  readonly folder?: URL;
}): Promise<Viewer> {
  const { routes, folder = new URL('./page/', import.meta.url) } = given;
  const files = await readPage(folder);
  const token = randomBytes(32).toString('base64url');
  const wanted = digest(token);
  let hosts: ReadonlySet<string> = new Set();

  let streams = 0;

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]!;
    const refusal = refusalOf(request, path, hosts);
    if (refusal !== null) return end(response, refusal.code, refusal.text);
    const file = files.get(path);
    if (file !== undefined) {
      response.writeHead(200, { ...headers, 'content-type': file.type });
      return response.end(request.method === 'HEAD' ? undefined : file.body);
    }
    const name = /^\/api\/(\w+)$/.exec(path)?.[1];
    const route = name !== undefined && Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (route === undefined) return end(response, 404, 'There is nothing here.');
    const told = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(told), wanted)) return end(response, 401, 'The token is missing.');
    if (request.method === 'HEAD') {
      response.writeHead(200, streamHeaders);
      return response.end();
    }
    if (streams >= mostStreams) return end(response, 429, 'Too many read this already.');
    streams += 1;
    response.once('close', () => (streams -= 1));
    return void send(response, route);
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  return {
    link: `http://127.0.0.1:${port}/#t=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface PageFile {
  readonly body: Buffer;
  readonly type: string;
}

/** The files of the page by their paths: a request names one of these, never a path of the disk. */
async function readPage(folder: URL): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const [name, type] of Object.entries(types)) {
    const file = { body: await readFile(new URL(name, folder)), type };
    files.set(name === 'index.html' ? '/' : `/${name}`, file);
  }
  return files;
}

/** Why a request is not taken; null where it is. */
function refusalOf(
  { headers: told, method }: IncomingMessage,
  path: string,
  hosts: ReadonlySet<string>,
): { readonly code: number; readonly text: string } | null {
  if (!hosts.has(told.host ?? '')) return { code: 421, text: 'This is not that host.' };
  const { origin } = told;
  if (origin !== undefined && !(origin.startsWith('http://') && hosts.has(origin.slice(7))))
    return { code: 403, text: 'Another site asks.' };
  const site = told['sec-fetch-site'];
  const isLink = path === '/' && told['sec-fetch-mode'] === 'navigate';
  if ((site === 'cross-site' || site === 'same-site') && !isLink)
    return { code: 403, text: 'Another site asks.' };
  if (method !== 'GET' && method !== 'HEAD') return { code: 405, text: 'This page only shows.' };
  return null;
}

function end(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

const streamHeaders = { ...headers, 'content-type': 'application/x-ndjson' } as const;

/** Sends lines as fast as they are read, until they end or nobody reads. */
async function send(response: ServerResponse, lines: Lines): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, streamHeaders);
  try {
    for await (const line of lines(gone.signal)) {
      if (gone.signal.aborted) break;
      if (!response.write(`${JSON.stringify(line)}\n`)) await once(response, 'drain', gone);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
