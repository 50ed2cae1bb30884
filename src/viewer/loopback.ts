import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A server for one person on this machine. What may ask it anything: a program on it that was given
// the token. So it listens on the loopback address alone, knows its own name, since another name may
// be led here, and takes no request that another site makes.

/** A server that runs. */
export interface LoopbackServer {
  /** Its address: `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** Whoever has it may ask for all that is served. */
  readonly token: string;
  close(): Promise<void>;
}

/** A request of this machine, of no other site. */
export interface LocalRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was asked for, without what stands behind `?`. */
  readonly path: string;
  /** Whether it came with the token. */
  readonly hasToken: boolean;
}

/** Headers of every answer: no other page may hold it, and no browser keeps it. */
export const safeHeaders = {
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

/** Serves on a port of the loopback address, a free one unless told. Rejects where that cannot be had. */
export async function startLoopback(options: {
  readonly port?: number | undefined;
  /** A path that a link on another page may open. */
  readonly linked?: string;
  readonly answer: (local: LocalRequest) => unknown;
}): Promise<LoopbackServer> {
  const { port = 0, linked, answer } = options;
  const token = randomBytes(32).toString('base64url');
  const wanted = digest(token);
  let hosts: ReadonlySet<string> = new Set();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]!;
    const refusal = refusalOf(request, hosts, path === linked);
    if (refusal !== null) return endWith(response, refusal.code, refusal.text);
    const bearer = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    answer({ request, response, path, hasToken: timingSafeEqual(digest(bearer), wanted) });
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  hosts = new Set([`127.0.0.1:${taken}`, `localhost:${taken}`]);
  return {
    origin: `http://127.0.0.1:${taken}`,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Ends an answer with a line of text. */
export function endWith(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { ...safeHeaders, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** Why a request is not taken; null where it is. */
function refusalOf(
  { headers }: IncomingMessage,
  hosts: ReadonlySet<string>,
  isLinked: boolean,
): { readonly code: number; readonly text: string } | null {
  if (!hosts.has(headers.host ?? '')) return { code: 421, text: 'This is not that host.' };
  const { origin } = headers;
  if (origin !== undefined && !(origin.startsWith('http://') && hosts.has(origin.slice(7))))
    return { code: 403, text: 'Another site asks.' };
  const site = headers['sec-fetch-site'];
  const isWhole = (headers['sec-fetch-dest'] ?? 'document') === 'document';
  const isLink = isLinked && headers['sec-fetch-mode'] === 'navigate' && isWhole;
  if ((site === 'cross-site' || site === 'same-site') && !isLink)
    return { code: 403, text: 'Another site asks.' };
  return null;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
