import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { endWith, safeHeaders, startLoopback } from './loopback.ts';

// A page for one person on this machine, in a browser that was given the link. The page is public
// code; what it shows needs the token of the link.

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
  let streams = 0;
  const server = await startLoopback({
    linked: '/',
    answer({ request: { method }, response, path, hasToken }) {
      if (method !== 'GET' && method !== 'HEAD')
        return endWith(response, 405, 'This page only shows.');
      const file = files.get(path);
      if (file !== undefined) {
        response.writeHead(200, { ...safeHeaders, 'content-type': file.type });
        return response.end(method === 'HEAD' ? undefined : file.body);
      }
      const name = /^\/api\/(\w+)$/.exec(path)?.[1];
      const route = name !== undefined && Object.hasOwn(routes, name) ? routes[name] : undefined;
      if (route === undefined) return endWith(response, 404, 'There is nothing here.');
      if (!hasToken) return endWith(response, 401, 'The token is missing.');
      if (method === 'HEAD') {
        response.writeHead(200, streamHeaders);
        return response.end();
      }
      if (streams >= mostStreams) return endWith(response, 429, 'Too many read this already.');
      streams += 1;
      response.once('close', () => (streams -= 1));
      return void send(response, route);
    },
  });
  return { link: `${server.origin}/#t=${server.token}`, close: () => server.close() };
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

const streamHeaders = { ...safeHeaders, 'content-type': 'application/x-ndjson' } as const;

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
