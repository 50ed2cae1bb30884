import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

// Node's fetch gives up when no header came for 300 seconds. A model that is
// loaded from a slow disk, or reads a long prompt on a processor, takes longer
// before it says its first word, and headers come with that word.

/** What is sent, of all that `fetch` takes. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** How long a connection may take, and how often one that is silent is tried, in milliseconds. */
const patience = { connect: 10_000, probe: 60_000 } as const;

/**
 * Sends like `fetch`, and waits for an answer as long as it takes; ten seconds
 * for a connection, and for no host that went away meanwhile. Each request has a
 * connection of its own, so none meets one that the server has just closed.
 * Redirects are not followed. A name and password in the address are sent.
 */
export function patientFetch(address: string, sent: Sent = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, signal } = sent;
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    const begin = url.protocol === 'https:' ? secure : plain;
    const timeout = patience.connect;
    const options = { method, headers, timeout, agent: false, ...(signal && { signal }) };
    const request = begin(url, options, (incoming) => {
      const { statusCode: status = 500, statusMessage: statusText = '' } = incoming;
      const stream = bodiless.has(status) ? null : Readable.toWeb(incoming);
      if (stream === null) incoming.resume();
      const lines = Object.entries(incoming.headersDistinct);
      const given = lines.flatMap(([name, values]) =>
        (values ?? []).map((v) => [name, v] as const),
      );
      resolve(
        new Response(stream as ReadableStream<Uint8Array> | null, {
          status,
          statusText,
          headers: given.map(([name, value]) => [name, value]),
        }),
      );
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('connect ETIMEDOUT')));
    request.on('socket', (socket) => {
      socket.setKeepAlive(true, patience.probe);
      socket.once('connect', () => socket.setTimeout(0));
    });
    request.end(body);
  });
}

/** Statuses that a response must not have a body with. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
