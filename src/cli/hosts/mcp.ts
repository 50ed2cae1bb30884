import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { memoryServer } from './mcp-server.ts';

/** Serves a store on stdin and stdout until the agent is gone; gives the exit code. */
export async function mcp(
  { session }: { readonly session?: string | undefined },
  call: CommandCall,
): Promise<number> {
  const { io } = call;
  if (io.stdin.isTTY === true)
    call.note('An agent speaks with it here, over stdin and stdout; Ctrl-C ends it.');
  const server = memoryServer({ session, call });
  const gone = new Promise<void>((resolve) => {
    io.stdin.on('end', resolve).on('close', resolve);
    io.signal.addEventListener('abort', () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await server.close();
  return exits.done;
}
