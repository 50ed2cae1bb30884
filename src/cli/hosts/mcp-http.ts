import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { memoryServer } from '../../adapters/mcp/memory-server.ts';
import type { Served } from '../../adapters/mcp/served-session.ts';
import { EngineError } from '../../names.ts';
import { endWith, safeHeaders, startLoopback, type LoopbackServer } from '../../viewer/loopback.ts';

/** The longest request that is read, in bytes. */
export const longestRequest = 1_048_576;

/** Most requests at once, and how many of them may be streams, which last as long as an agent does. */
export const mostRequests = 32;
export const mostStreams = 16;

/** Where the protocol is spoken. */
export const mcpPath = '/mcp';

/**
 * Serves a store over HTTP to programs of this machine that have the token, several at once. Throws
 * `OPTION_INVALID` for a port that cannot be had.
 */
export async function startMcpHttp(
  served: Served,
  port: number | undefined,
): Promise<LoopbackServer> {
  const handler = createMcpHandler(() => memoryServer(served), { maxSubscriptions: mostStreams });
  let running = 0;
  const server = await startLoopback({
    port,
    answer({ request, response, path, hasToken }) {
      if (path !== mcpPath) return endWith(response, 404, 'There is nothing here.');
      if (!hasToken) {
        response.setHeader('www-authenticate', 'Bearer');
        return endWith(response, 401, 'The token is missing.');
      }
      if (running >= mostRequests) return endWith(response, 429, 'Too many ask this already.');
      running += 1;
      response.once('close', () => (running -= 1));
      return void pass(handler, request, response).catch(() => giveUp(response));
    },
  }).catch((error: unknown) => {
    throw portRefused(error, port);
  });
  return {
    ...server,
    async close() {
      await handler.close();
      await server.close();
    },
  };
}

/** What a person is told of a port that cannot be had; other errors as they are. */
function portRefused(error: unknown, port: number | undefined): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const why = code === 'EACCES' ? 'is not yours to open' : 'is in use by another program';
  const message = `Port ${port} ${why}: name another, or none for a free one`;
  return new EngineError('OPTION_INVALID', message, { detail: { option: 'http', value: port } });
}

/** Has a request answered, and sends what comes as it comes. */
async function pass(
  handler: McpHttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === null) {
    // The rest of it is not waited for.
    response.setHeader('connection', 'close');
    return endWith(response, 413, `A request is ${longestRequest} bytes at most.`);
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = 'GET', headers, url } = request;
  const webRequest = new Request(new URL(url!, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    signal: gone.signal,
    ...(method === 'POST' ? { body } : {}),
  });
  const answer = await handler.fetch(webRequest);
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...safeHeaders });
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as never), response);
}

/** What a request brings; null where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > longestRequest) return null;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > longestRequest) return null;
  }
  return Buffer.concat(parts);
}

/** Ends an answer that cannot be given. */
function giveUp(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else endWith(response, 500, 'This went wrong.');
}
