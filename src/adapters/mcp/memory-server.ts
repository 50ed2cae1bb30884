import {
  McpServer,
  fromJsonSchema,
  type CallToolResult,
  type JsonSchemaType,
} from '@modelcontextprotocol/server';
import {
  isEngineError,
  isReference,
  type Session,
  type Store,
  type StoreHit,
  type ToolAnswer,
} from '../../index.ts';
import { version } from '../../cli/call/version.ts';
import { cleanLine } from '../../cli/paper/clean.ts';
import { handedBackText } from '../handed-back-text.ts';
import { toolSchemas } from './memory-tools.ts';
import { reading, writing, type Served } from './served-session.ts';

/** Longest answer of `recall`, in tokens: the agent has a window of its own. */
const longestAnswer = 4_000;

/** What is found in other sessions beside that of the agent: how many entries, and how long together. */
const elsewhere = { limit: 6, tokens: 900 } as const;
const mostElsewhere = 3;

const instructions = `The memory of this project: every session of agents here, word for word. Call recall before you say that something is not known, repeat work, or rely on a shortened note; it takes words, or ids such as e12 and e40-e52. After a compaction, or when you begin in the middle, call recovery.`;

/** A server whose tools read and keep the memory of a store. Each call has the store for as long as it takes. */
export function memoryServer(served: Served): McpServer {
  const { structured = false } = served;
  const server = new McpServer({ name: 'flamestack', version: version() }, { instructions });
  for (const { name, description, parameters, output, reads } of toolSchemas())
    server.registerTool(
      name,
      {
        description,
        inputSchema: fromJsonSchema<Given>(parameters as JsonSchemaType),
        ...(structured && { outputSchema: fromJsonSchema<Given>(output as JsonSchemaType) }),
        annotations: {
          readOnlyHint: reads,
          destructiveHint: false,
          idempotentHint: reads,
          openWorldHint: false,
        },
      },
      async (args: Given) => {
        try {
          const answer = await (reads ? read : write)(name, args, served);
          return structured ? answer : asText(answer);
        } catch (error) {
          if (!isEngineError(error)) throw error;
          return refused(`${error.message} (${error.code})`);
        }
      },
    );
  addResources(server, served);
  return server;
}

type Given = Readonly<Record<string, unknown>>;

const nothing = 'Nothing is recorded here yet.';

/** A text for a model, and for a program the same in parts: what is shown alone leaves nothing out. */
function answered(session: Session | null, text: string, more: AnswerParts = {}): CallToolResult {
  const { shown = text, ...parts } = more;
  const structuredContent = {
    session: session?.id ?? null,
    frame: session?.state.active ?? null,
    text,
    ...parts,
  };
  return { content: [{ type: 'text', text: shown }], structuredContent };
}

/** What else an answer has. */
interface AnswerParts {
  /** The text for a model, where it says more than the first part. */
  readonly shown?: string;
  readonly entry?: string;
  readonly elsewhere?: readonly Pick<StoreHit, 'session' | 'entry' | 'role' | 'text'>[];
}

/** An answer without its parts: where a host has them, it shows a model their JSON and not the text. */
const asText = ({ content, isError }: CallToolResult): CallToolResult => ({
  content,
  ...(isError === true && { isError }),
});

const refused = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

/** What a tool that changes nothing answers. */
async function read(name: string, args: Given, served: Served): Promise<CallToolResult> {
  const { session: said, ...own } = args as Given & { readonly session?: string };
  const found = await reading(served, said, async (session, store) => {
    if (name === 'recovery') return answered(session, (await handedBackText(session)) || nothing);
    if (name === 'frame_status') return execute(session, name, own);
    return recall(session, store, { query: String(own['query']), isTold: said !== undefined });
  });
  return found ?? answered(null, nothing);
}

/** What a tool that notes something answers. */
function write(name: string, args: Given, served: Served): Promise<CallToolResult> {
  return writing(served, async (session) => {
    if (name !== 'checkpoint') return execute(session, name, args);
    const content = String(args['text']);
    const { id: entry } = await session.append({ role: 'assistant', content });
    return answered(session, `Noted as ${entry}.`, { entry });
  });
}

/** What a tool of the session answers. */
async function execute(session: Session, name: string, args: Given): Promise<CallToolResult> {
  const { text, isError } = await called(session, name, args);
  return isError ? refused(text) : answered(session, text);
}

const called = (session: Session, name: string, args: Given): Promise<ToolAnswer> =>
  session
    .tools('all', { answer: longestAnswer, atOnce: true })
    .find((one) => one.name === name)!
    .execute(args);

/** What the session of the agent holds for a query; beside it what other sessions do, for words that name no entry. */
async function recall(
  session: Session,
  store: Store,
  { query, isTold }: { readonly query: string; readonly isTold: boolean },
): Promise<CallToolResult> {
  const { text, isError } = await called(session, 'recall', { query });
  if (isError) return refused(text);
  const own = `Session ${session.id}:\n${text}`;
  if (isTold || isReference(query)) return answered(session, text, { shown: own });
  const hits = (await store.recall(query, elsewhere))
    .filter((hit) => ![hit, ...(hit.copies ?? [])].some((one) => one.session === session.id))
    .slice(0, mostElsewhere)
    .map((hit) => ({
      session: hit.session,
      entry: hit.entry,
      role: hit.role,
      text: cleanLine(hit.text),
    }));
  const lines = hits.map((hit) => `[${hit.session} ${hit.entry}: ${hit.role}] ${hit.text}`);
  const others = ['', 'Other sessions (name one as `session` to read on):', ...lines];
  const fullText = hits.length === 0 ? own : [own, ...others].join('\n');
  return answered(session, text, { shown: fullText, elsewhere: hits });
}

/** The tree of frames and where the work stands, for hosts that show resources. */
function addResources(server: McpServer, served: Served): void {
  const kinds = [
    {
      name: 'tree',
      title: 'Frames',
      mimeType: 'text/plain',
      read: async (session: Session) => (await called(session, 'frame_status', {})).text,
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
