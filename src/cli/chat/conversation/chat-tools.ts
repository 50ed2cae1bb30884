import type { ModelFacts, Session, ToolSpec } from '../../../index.ts';
import type { ChatTool, ToolArguments } from '../tools/chat-tool.ts';
import { fileTools } from '../tools/file-tools.ts';
import { folderAt } from '../tools/folder.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import { mcpTools, toolsWithRoom } from '../mcp/mcp-tools.ts';
import { type OwnWanted, isTold, ownToolsIn, type OwnTools } from '../tools/own-tools.ts';
import type { ChatOptions } from './chat-options.ts';
import type { Chat } from './chat.ts';

/** Which tools a model gets. */
export interface ToolsWanted {
  /** Those of the session: frames, goal, recall. */
  readonly own: OwnWanted;
  readonly files: boolean;
  /** Servers that are there, with theirs. */
  readonly servers: readonly McpServer[];
}

/** Which tools the options of a chat ask for. */
export function wantedTools(
  { frames, tools = [] }: ChatOptions,
  servers: readonly McpServer[] = [],
): ToolsWanted {
  return {
    own: frames === undefined ? 'fitting' : frames ? 'all' : 'none',
    files: tools.includes('files'),
    servers,
  };
}

/** Which of them a model can be told of: none where it calls no tools. */
export function usableTools(wanted: ToolsWanted, { tools }: ModelFacts): ToolsWanted {
  return tools === false ? { own: 'none', files: false, servers: [] } : wanted;
}

/** The tools of a chat, by name; they read nothing in the folders of `kept`. */
export async function toolsFor(
  session: Session,
  wanted: ToolsWanted,
  kept: readonly string[] = [],
): Promise<ReadonlyMap<string, ChatTool>> {
  const longest = (): number => longestResult(session);
  const tools = [
    ...(wanted.own === 'none' ? [] : ownTools(session)),
    ...(wanted.files ? fileTools(await folderAt(process.cwd(), kept), longest) : []),
    ...mcpTools(wanted.servers),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** Share of the limit that one result may take. */
const shareOfLimit = 0.15;

/** Characters of a token, about. */
const charactersPerToken = 3;

/** Longest result of a tool, in characters: some fit beside each other in the window. */
function longestResult({ state }: Session): number {
  return Math.floor(state.budget.limit * shareOfLimit * charactersPerToken);
}

function ownTools(session: Session): readonly ChatTool[] {
  return session.tools('all').map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    of: 'session',
    about: aboutOwn,
    ask: () => Promise.resolve(null),
    run: async (args, signal) => (await tool.execute(args, { signal })).text,
  }));
}

/** The first text among the arguments, quoted. */
function aboutOwn(args: ToolArguments): string {
  const first = Object.values(args).find((value) => typeof value === 'string');
  return first === undefined ? '' : JSON.stringify(first);
}

/** The tools that the model is told of. */
export function toolsOf(chat: Chat): readonly ToolSpec[] {
  const { window } = chat.session.state.budget;
  return chat.now.hasTools ? specsOf(chat.tools, { own: ownOf(chat), window }) : [];
}

/** Which tools of the session the model is told of in the window as it is now. */
export function ownOf({ now, own, session }: Chat): OwnTools {
  return now.hasTools ? ownToolsIn(own, session.state.budget.window) : 'none';
}

/** What a model is told of tools: `own` of the session's, and of servers as many as the window has room for. */
export function specsOf(
  tools: Chat['tools'],
  { own, window }: { readonly own: OwnTools; readonly window: number },
): readonly ToolSpec[] {
  return toolsWithRoom([...tools.values()], window)
    .filter(({ of, name }) => of !== 'session' || isTold(name, own))
    .map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** What is said of a model that can call no tools. */
export function withoutTools(model: string): string {
  return `${model} cannot call tools; going on without. /push and /pop still work.`;
}
