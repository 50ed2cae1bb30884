import type { IncomingMessage, request as Request } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

// Node's fetch gives up when no header came for 300 seconds. A model that is
// loaded from a slow disk, or reads a long prompt on a processor, takes longer
// before it says its first word, and headers come with that word.

/** What is sent, of all that `fetch` takes. */
export interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** How long a connection may take, and how often one that is silent is tried, in milliseconds. */
const patience = { connect: 10_000, probe: 60_000 } as const;

/**
 * Sends like `fetch`, and waits for an answer as long as it takes; ten seconds
 * for a connection until it is secure, and for no host that went away meanwhile. Each request has a
 * connection of its own, so none meets one that the server has just closed.
 * Redirects are not followed; a status that no response may have is 502, and a switch of protocols
 * is no answer. A name and password in the address are sent.
 */
export async function patientFetch(address: string, sent: FetchOptions = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, signal } = sent;
  const url = new URL(address);
  const { request: begin } = await clientFor(url);
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, ...(signal && { signal }) };
    const request = begin(url, options, (incoming) => {
      try {
        resolve(responseOf(incoming));
      } catch (error) {
        request.destroy(error as Error);
      }
    });
    const late = setTimeout(
      () => request.destroy(new Error('connect ETIMEDOUT')),
      patience.connect,
    );
    request.on('error', reject);
    request.on('close', () => {
      clearTimeout(late);
      reject(new Error('closed without an answer'));
    });
    request.on('socket', (socket) => {
      socket.setKeepAlive(true, patience.probe);
      const ready = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(ready, () => clearTimeout(late));
    });
    request.end(body);
  });
}

/** Loaded at the first request: a program that asks no model starts 10 milliseconds sooner. */
function clientFor({ protocol }: URL): Promise<{ readonly request: typeof Request }> {
  return protocol === 'https:' ? import('node:https') : import('node:http');
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: said = 502, statusMessage: statusText = '', headersDistinct } = incoming;
  const status = said >= 200 && said <= 599 ? said : 502;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  const hasBody = !bodiless.has(status);
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status, statusText, headers });
}

/** Statuses that a response must not have a body with. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
