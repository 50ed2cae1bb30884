import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { memoryServer } from '../../adapters/mcp/memory-server.ts';
import { servedStore } from '../../adapters/mcp/served-session.ts';
import { storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';

/** Serves a store on stdin and stdout until the agent is gone; gives the exit code. */
export async function mcp(
  { session }: { readonly session?: string | undefined },
  call: CommandCall,
): Promise<number> {
  const { io } = call;
  if (io.stdin.isTTY === true)
    call.note('An agent speaks with it here, over stdin and stdout; Ctrl-C ends it.');
  const store = servedStore(storeFolder(call));
  const server = memoryServer({ store, session, own: io.env['CLAUDE_CODE_SESSION_ID'] });
  const gone = new Promise<void>((resolve) => {
    io.stdin.on('end', resolve).on('close', resolve);
    io.signal.addEventListener('abort', () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await server.close();
  await store.close();
  return exits.done;
}
