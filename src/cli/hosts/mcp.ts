import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { memoryServer } from '../../adapters/mcp/memory-server.ts';
import { servedStore, type Served } from '../../adapters/mcp/served-session.ts';
import { isEngineError } from '../../names.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine, toJson } from '../paper/clean.ts';
import { isUnknownName, latestFirst, pickSession } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';
import { mcpPath, startMcpHttp } from './mcp-http.ts';

/** What `mcp` takes. */
export interface McpCommandOptions {
  readonly session?: string | undefined;
  /** A port; true for a free one. Over stdin and stdout unless told. */
  readonly http?: number | true | undefined;
  /** Answers in parts, too. */
  readonly structured?: boolean | undefined;
}

/** Serves a store to agents until they are gone, or over HTTP until the person ends it; gives the exit code. Rejects with the reason of a signal. */
export async function mcp(
  { session: said, http, structured }: McpCommandOptions,
  call: CommandCall,
): Promise<number> {
  const session = said === undefined ? undefined : await sessionToServe(said, call);
  const store = servedStore(storeFolder(call));
  const served: Served = { store, session, structured };
  try {
    if (http === undefined)
      await overStdio({ ...served, own: call.io.env['CLAUDE_CODE_SESSION_ID'] }, call);
    else await overHttp(served, http === true ? undefined : http, call);
  } finally {
    await store.close();
  }
  return exits.done;
}

/** The id of the session that a person means, or the name of one that is begun by the first note. Throws `SESSION_NOT_FOUND`. */
async function sessionToServe(said: string, call: CommandCall): Promise<string> {
  const sessions = await readStore(call, latestFirst).catch((error: unknown) => {
    if (isEngineError(error, 'STORE_NOT_FOUND')) return [];
    throw error;
  });
  if (!isUnknownName(sessions, said)) return pickSession(sessions, said).id;
  call.note(`There is no session "${cleanLine(said)}" yet: the first note begins it.`);
  return said;
}

async function overStdio(served: Served, call: CommandCall): Promise<void> {
  const { io } = call;
  if (io.stdin.isTTY === true)
    call.note('An agent speaks with it here, over stdin and stdout; Ctrl-C ends it.');
  const server = memoryServer(served);
  // A host closes stdin; whoever sits at a terminal presses Ctrl-C.
  const isClosed = new Promise<boolean>((resolve) => {
    io.stdin.on('end', () => resolve(true)).on('close', () => resolve(true));
    io.signal.addEventListener('abort', () => resolve(false));
  });
  await server.connect(new StdioServerTransport());
  const isLeft = await isClosed;
  await server.close();
  if (!isLeft) io.signal.throwIfAborted();
}

/** The token is new each time, and told here alone: as settings that a host takes. */
async function overHttp(
  served: Served,
  port: number | undefined,
  call: CommandCall,
): Promise<void> {
  const { signal } = call.io;
  const server = await startMcpHttp(served, port);
  const url = `${server.origin}${mcpPath}`;
  const flamestack = { type: 'http', url, headers: { Authorization: `Bearer ${server.token}` } };
  call.print(toJson({ mcpServers: { flamestack } }));
  call.note('Whoever has this token reads and writes the store. Ctrl-C ends it.');
  if (!signal.aborted) await once(signal, 'abort');
  await server.close();
  signal.throwIfAborted();
}
