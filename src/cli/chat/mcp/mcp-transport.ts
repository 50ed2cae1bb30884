import type { Transport } from '@modelcontextprotocol/client';
import { setTimeout } from 'node:timers/promises';
import type { Io } from '../../io.ts';
import { lastWords } from './last-words.ts';
import type { McpEntry } from './mcp-file.ts';

/** What became of a server. */
interface TransportState {
  readonly isEnded: boolean;
  /** Whether it was ended for what it sent. */
  readonly isTooLarge: boolean;
  /** How it ended, ` with code 3`; '' where nobody knows. */
  readonly end: string;
  /** The line of its complaints that says most. */
  readonly lastWords: string;
}

/** The way to a server. */
export interface McpTransport {
  readonly client: Transport;
  state(): TransportState;
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
    env: { ...kept(env), ...entry.values },
    stderr: 'pipe',
    maxBufferSize: longest,
  });
  let [isEnded, isTooLarge] = [false, false];
  let [words, end] = ['', ''];
  const onerror = ({ message }: Error): void => {
    if (!message.startsWith('ReadBuffer exceeded')) return;
    isTooLarge = true;
    endProcess(client.pid);
  };
  const onclose = (): void => {
    isEnded = true;
    running.delete(client);
  };
  Object.assign(client, { onerror, onclose });
  const start = client.start.bind(client);
  client.start = () => {
    const starting = start();
    const onexit = (code: number | null, signal: string | null): void =>
      void (end = code === null ? ` by ${signal}` : ` with code ${code}`);
    client['_process']?.once('exit', onexit);
    return starting;
  };
  client.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-keptWords);
  });
  running.add(client);
  process.off('exit', endAll).on('exit', endAll);
  return {
    client,
    state: () => ({ isEnded, isTooLarge, end, lastWords: lastWords(words) }),
    async close() {
      const { pid } = client;
      const isDone = await soon(client.close());
      if (!isDone) endProcess(pid);
      running.delete(client);
    },
  };
}

async function openHttp({ url, values }: EntryOf<'http'>): Promise<McpTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  let [isEnded, isTooLarge] = [false, false];
  const tooLarge = (): void => {
    [isEnded, isTooLarge] = [true, true];
    void client.close();
  };
  const client = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: values },
    fetch: async (address, init) => {
      const response = await boundedFetch(tooLarge)(address, init);
      // What it knew of this client is gone; another session begins.
      if (response.status === 404 && client.sessionId !== undefined) isEnded = true;
      return response;
    },
  });
  return {
    client,
    state: () => ({ isEnded, isTooLarge, end: '', lastWords: '' }),
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

/** What runs here: it ends with this program, however that ends. */
const running = new Set<{ readonly pid: number | null }>();

const endAll = (): void => running.forEach(({ pid }) => endProcess(pid));

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
