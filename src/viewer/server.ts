import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { setImmediate as setImmediately } from 'node:timers/promises';
import { endWith, safeHeaders, startLoopback } from './loopback.ts';

// A page for one person on this machine, in a browser that was given the link. The page is public
// code; what it shows needs the token of the link.

/** A stream of lines, each of them JSON; `signal` aborts when nobody reads any more, `query` is what stands behind `?`. */
export type Lines = (signal: AbortSignal, query: URLSearchParams) => AsyncIterable<unknown>;

/** A page that is served. */
export interface Viewer {
  /** Its address, with the token behind `#`: whoever has it sees what it shows. */
  readonly link: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The pages that there are. */
export type PageName = 'inspector' | 'session';

/** Most streams at once: each of them reads the store. */
const mostStreams = 12;

/**
 * Serves a page of `folder` on a free port of the loopback address, and at `/api/<name>` what `routes`
 * give, line by line. Rejects where the page is not built.
 */
export async function startViewer(options: {
  /** The inspector unless told. */
  readonly page?: PageName;
  readonly routes: Readonly<Record<string, Lines>>;
  /** Where the built page is; beside this file unless told. */
  readonly folder?: URL;
}): Promise<Viewer> {
  const { page = 'inspector', routes, folder = new URL('./page/', import.meta.url) } = options;
  const files = await readPage(folder, page);
  let streams = 0;
  const server = await startLoopback({
    linked: '/',
    answer({ request: { method, url }, response, path, hasToken }) {
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
      const [, queryText = ''] = (url ?? '').split('?', 2);
      const query = new URLSearchParams(queryText);
      return void send(response, (signal) => route(signal, query));
    },
  });
  return { link: `${server.origin}/#t=${server.token}`, close: () => server.close() };
}

interface PageFile {
  readonly body: Buffer;
  readonly type: string;
}

/** The files of a page by their paths: a request names one of these, never a path of the disk. */
async function readPage(folder: URL, page: PageName): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const document = `${page}.html`;
  const served = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name));
  for (const name of [document, ...served]) {
    const file = { body: await readFile(new URL(name, folder)), type: types[extname(name)]! };
    files.set(name === document ? '/' : `/${name}`, file);
  }
  return files;
}

const streamHeaders = { ...safeHeaders, 'content-type': 'application/x-ndjson' } as const;

/** How long lines are read before others are served, in milliseconds; what was read meanwhile is sent together. */
const slice = 8;

/** Sends lines as fast as they are read, until they end or nobody reads. */
async function send(
  response: ServerResponse,
  lines: (signal: AbortSignal) => AsyncIterable<unknown>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let [held, until] = ['', 0];
  const flush = (): void => {
    if (!response.headersSent) response.writeHead(200, streamHeaders);
    if (held !== '' && !response.destroyed) response.write(held);
    held = '';
  };
  try {
    for await (const line of lines(gone.signal)) {
      if (gone.signal.aborted) break;
      if (held === '') setImmediate(flush);
      held += `${JSON.stringify(line)}\n`;
      if (performance.now() < until) continue;
      await setImmediately();
      if (response.writableNeedDrain) await once(response, 'drain', gone);
      until = performance.now() + slice;
    }
    flush();
    response.end();
  } catch {
    if (response.headersSent || gone.signal.aborted) response.destroy();
    else endWith(response, 404, 'There is nothing of what was asked for.');
  }
}
