import type { Transport } from '@modelcontextprotocol/client';
import { setTimeout } from 'node:timers/promises';
import type { Io } from '../../io.ts';
import type { McpEntry } from './mcp-file.ts';

/** The way to a server. */
export interface McpTransport {
  readonly client: Transport;
  /** Whether it was ended for what it sent, and the last line of its complaints. */
  state(): { readonly isTooLarge: boolean; readonly lastWords: string };
  /** Ends it, and the process that was started for it; soon, whatever it does. */
  close(): Promise<void>;
}

/** The entry of a kind of server. */
type EntryOf<Type extends McpEntry['type']> = Extract<McpEntry, { readonly type: Type }>;

/** Most that a server may send at once, in bytes: a message, or the body of a response. */
const longest = 8_000_000;

/** Complaints that are kept, in characters. */
const keptWords = 2_000;

/** How long a server may take to end, in milliseconds. */
const grace = 500;

/** What a server inherits beside what the library lets through: HOME, LOGNAME, PATH, SHELL, TERM and USER. */
const inherited: readonly string[] = ['LANG', 'LC_ALL', 'TMPDIR', 'TZ'];

/** The way to a server, which is started or reached as soon as a client connects. */
export function openTransport(entry: McpEntry, env: Io['env']): Promise<McpTransport> {
  return entry.type === 'stdio' ? openStdio(entry, env) : openHttp(entry);
}

async function openStdio(entry: EntryOf<'stdio'>, env: Io['env']): Promise<McpTransport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new StdioClientTransport({
    command: entry.command,
    args: [...entry.args],
    env: { ...kept(env), ...entry.given },
    stderr: 'pipe',
    maxBufferSize: longest,
  });
  let isTooLarge = false;
  let words = '';
  const kill = (): void => endProcess(client.pid);
  const onerror = ({ message }: Error): void => {
    if (!message.startsWith('ReadBuffer exceeded')) return;
    isTooLarge = true;
    kill();
  };
  Object.assign(client, { onerror });
  client.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-keptWords);
  });
  process.on('exit', kill);
  return {
    client,
    state: () => ({ isTooLarge, lastWords: words.trim().split('\n').at(-1) ?? '' }),
    async close() {
      const { pid } = client;
      const isDone = await soon(client.close());
      if (!isDone) endProcess(pid);
      process.off('exit', kill);
    },
  };
}

async function openHttp({ url, given }: EntryOf<'http'>): Promise<McpTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  let isTooLarge = false;
  const client = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: given },
    fetch: boundedFetch(() => {
      isTooLarge = true;
      void client.close();
    }),
  });
  return {
    client,
    state: () => ({ isTooLarge, lastWords: '' }),
    async close() {
      await soon(client.terminateSession());
      await soon(client.close());
    },
  };
}

/** The variables that a server inherits. */
function kept(env: Io['env']): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

/** Waits a little for work; false where it goes on, and does not matter any more. */
function soon(work: Promise<void>): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return Promise.race([done, setTimeout(grace, false, { ref: false })]);
}

/** Kills a process; one that is gone is no failure. */
function endProcess(pid: number | null): void {
  if (pid === null) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Fetches with a bound on each body. A stream of the server's own is not opened: nothing is waited for there. */
function boundedFetch(tooLarge: () => void): typeof fetch {
  return async (url, init) => {
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    const response = await fetch(url, init);
    if (response.body === null) return response;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= longest) return controller.enqueue(chunk);
        tooLarge();
        return controller.error(new Error('The body is too large.'));
      },
    });
    return new Response(response.body.pipeThrough(bound), response);
  };
}
