import {
  McpServer,
  fromJsonSchema,
  type CallToolResult,
  type JsonSchemaType,
} from '@modelcontextprotocol/server';
import { isEngineError, isReference, type Session, type Store } from '../../index.ts';
import { version } from '../call/version.ts';
import { cleanLine } from '../paper/clean.ts';
import { handedBackText } from './handed-back.ts';
import { toolSchemas } from './mcp-tools.ts';
import { reading, writing, type Served } from './served-session.ts';

/** Longest answer of `recall`, in tokens: the agent has a window of its own. */
const longestAnswer = 4_000;

/** What is found in other sessions beside that of the agent: how many entries, and how long together. */
const elsewhere = { limit: 6, tokens: 900 } as const;
const mostElsewhere = 3;

const instructions = `The memory of this project: every session of agents here, word for word. Call recall before you say that something is not known, repeat work, or rely on a shortened note; it takes words, or ids such as e12 and e40-e52. After a compaction, or when you begin in the middle, call recovery.`;

/** A server whose tools read and keep the memory of a store. Each call opens the store for itself. */
export function memoryServer(served: Served): McpServer {
  const server = new McpServer({ name: 'flamestack', version: version() }, { instructions });
  for (const { name, description, parameters, reads } of toolSchemas())
    server.registerTool(
      name,
      {
        description,
        inputSchema: fromJsonSchema<Given>(parameters as JsonSchemaType),
        annotations: {
          readOnlyHint: reads,
          destructiveHint: false,
          idempotentHint: reads,
          openWorldHint: false,
        },
      },
      async (given: Given) => {
        try {
          return textResult(await answer(name, given, served));
        } catch (error) {
          if (!isEngineError(error)) throw error;
          return { ...textResult(`${error.message} (${error.code})`), isError: true };
        }
      },
    );
  addResources(server, served);
  return server;
}

type Given = Readonly<Record<string, unknown>>;

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const nothing = 'Nothing is recorded here yet.';

/** The answer of a tool, for a model. */
async function answer(name: string, given: Given, served: Served): Promise<string> {
  const { session: said, ...own } = given as Given & { readonly session?: string };
  if (name === 'recall')
    return (
      (await reading(served, said, (session, store) =>
        recall(session, store, { query: String(own['query']), isTold: said !== undefined }),
      )) ?? nothing
    );
  if (name === 'recovery') return (await reading(served, said, handedBackText)) || nothing;
  if (name === 'frame_status')
    return (await reading(served, said, (session) => execute(session, name, own))) ?? nothing;
  return writing(served, async (session) => {
    if (name !== 'checkpoint') return execute(session, name, own);
    const { id } = await session.append({ role: 'assistant', content: String(own['text']) });
    return `Noted as ${id}.`;
  });
}

async function execute(session: Session, name: string, given: Given): Promise<string> {
  const tool = session
    .tools('all', { answer: longestAnswer, atOnce: true })
    .find((one) => one.name === name)!;
  return (await tool.execute(given)).text;
}

/** What the session of the agent holds for a query; beside it what other sessions do, for words that name no entry. */
async function recall(
  session: Session,
  store: Store,
  { query, isTold }: { readonly query: string; readonly isTold: boolean },
): Promise<string> {
  const text = await execute(session, 'recall', { query });
  const own = `Session ${session.id}:\n${text}`;
  if (isTold || isReference(query)) return own;
  const hits = (await store.recall(query, elsewhere)).filter((hit) => hit.session !== session.id);
  if (hits.length === 0) return own;
  const lines = hits
    .slice(0, mostElsewhere)
    .map((hit) => `[${hit.session} ${hit.entry}: ${hit.role}] ${cleanLine(hit.text)}`);
  return [own, '', 'Other sessions (name one as `session` to read on):', ...lines].join('\n');
}

/** The tree of frames and where the work stands, for hosts that show resources. */
function addResources(server: McpServer, served: Served): void {
  const kinds = [
    {
      name: 'tree',
      title: 'Frames',
      mimeType: 'text/plain',
      read: (session: Session) => execute(session, 'frame_status', {}),
    },
    {
      name: 'document',
      title: 'Where the work stands',
      mimeType: 'text/markdown',
      read: (session: Session) => session.document(),
    },
  ];
  for (const { name, title, mimeType, read } of kinds)
    server.registerResource(name, `flamestack://${name}`, { title, mimeType }, async (uri) => {
      const text = (await reading(served, undefined, read)) ?? nothing;
      return { contents: [{ uri: uri.href, mimeType, text }] };
    });
  server.registerPrompt(
    'continue',
    { title: 'Continue the work', description: 'Where the work stands, and to go on from there.' },
    async () => {
      const stand = (await reading(served, undefined, handedBackText)) || nothing;
      const text = `${stand}\n\nGo on from there.`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
