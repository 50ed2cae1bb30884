import type { Io } from '../../io.ts';
import { cleanLine } from '../../paper/clean.ts';
import { number } from '../../paper/size.ts';
import type { Teller } from '../output/chat-event.ts';
import type { Person } from '../terminal/person.ts';
import { McpError } from './mcp-error.ts';
import { readMcpFile, type McpEntry } from './mcp-file.ts';
import { startMcpServer, type McpPatience, type McpServer } from './mcp-server.ts';

/** How long a server is waited for unless told, in milliseconds. */
const usual: McpPatience = { start: 30_000, call: 120_000 };

/** How long is waited before it is said, in milliseconds. */
const unsaid = 1_000;

/** Starts the servers of a file, and says which do not answer; a chat goes on without them. */
export async function startServers(
  file: string,
  { io, person, teller }: { io: Pick<Io, 'env'>; person: Person; teller: Teller },
): Promise<readonly McpServer[]> {
  const { env } = io;
  const entries = await readMcpFile(file, env);
  const patience = {
    start: milliseconds(env['MCP_TIMEOUT']) ?? usual.start,
    call: milliseconds(env['MCP_TOOL_TIMEOUT']) ?? usual.call,
  };
  const names = entries.map(({ name }) => cleanLine(name)).join(', ');
  const waiting = setTimeout(
    () => teller.tell({ type: 'note', text: `Waiting for servers to start: ${names}` }),
    unsaid,
  );
  const start = async (entry: McpEntry, signal: AbortSignal): Promise<readonly McpServer[]> => {
    try {
      const server = await startMcpServer(entry, { patience, signal, env });
      if (server.droppedCount > 0) teller.tell({ type: 'warning', text: leftText(server) });
      return [server];
    } catch (error) {
      const said = signal.aborted
        ? new McpError('MCP_LATE', `You did not wait for "${entry.name}".`)
        : error;
      const code = said instanceof McpError ? said.code : 'MCP_INVALID';
      const { message } = said as Error;
      teller.tell({ type: 'error', code, message, advice: 'Going on without its tools.' });
      return [];
    }
  };
  try {
    const started = await person.during((signal) =>
      Promise.all(entries.map((entry) => start(entry, signal))),
    );
    return started.flat();
  } finally {
    clearTimeout(waiting);
  }
}

function leftText({ name, tools, droppedCount }: McpServer): string {
  return `The server "${name}" lists ${number(tools.length + droppedCount)} tools; ${number(tools.length)} of them are taken.`;
}

/** A time as a variable gives it; undefined for none. */
function milliseconds(text: string | undefined): number | undefined {
  const value = Number(text);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}
