import { createHash } from 'node:crypto';
import type { ChatTool, ToolArguments } from '../tools/chat-tool.ts';
import type { McpServer } from './mcp-server.ts';

/** Longest name of a tool that models and their servers take, in characters. */
const longestName = 64;

/** The tools of servers, by names that are theirs alone: `server__tool`. */
export function mcpTools(servers: readonly McpServer[]): readonly ChatTool[] {
  const taken = new Set<string>();
  return servers.flatMap((server) =>
    server.tools.map(({ name: tool, description, parameters }) => {
      const name = toolName(server.name, tool, taken);
      taken.add(name);
      return {
        name,
        of: { server: server.name },
        description,
        parameters,
        about: (args: ToolArguments) => JSON.stringify(args),
        ask: (args: ToolArguments) => Promise.resolve({ question: `Call ${name}`, args }),
        run: (args: ToolArguments, signal: AbortSignal) => server.call(tool, args, signal),
      };
    }),
  );
}

/** A name that a model can say and that is not taken; one that is too long ends with a digest. */
function toolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const name = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');
  if (name.length <= longestName && !taken.has(name)) return name;
  for (let n = 0; ; n += 1) {
    const digest = createHash('sha256')
      .update(JSON.stringify([server, tool, n]))
      .digest('hex');
    const other = `${name.slice(0, longestName - 9)}_${digest.slice(0, 8)}`;
    if (!taken.has(other)) return other;
  }
}

/** Share of the window that tools of servers may take. */
const shareOfWindow = 0.25;

/** Characters of a token, about. */
const charactersPerToken = 3;

/** The tools with those of servers that a window of so many tokens has room for, the first ones first. */
export function toolsWithRoom(tools: readonly ChatTool[], window: number): readonly ChatTool[] {
  let room = window * shareOfWindow * charactersPerToken;
  return tools.filter(({ of, name, description, parameters }) => {
    if (typeof of === 'string') return true;
    room -= JSON.stringify({ name, description, parameters }).length;
    return room >= 0;
  });
}
