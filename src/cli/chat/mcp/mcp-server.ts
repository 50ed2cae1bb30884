import type {
  CallToolResult,
  Client,
  JsonSchemaValidator,
  RequestOptions,
  Tool,
} from '@modelcontextprotocol/client';
import type { ToolSpec } from '../../../index.ts';
import { version } from '../../call/version.ts';
import type { Io } from '../../io.ts';
import { number } from '../../paper/size.ts';
import { redacted } from '../model/server-key.ts';
import type { ToolArguments } from '../tools/chat-tool.ts';
import { toMcpError } from './mcp-error.ts';
import type { McpEntry } from './mcp-file.ts';
import { openTransport, type McpTransport } from './mcp-transport.ts';

// A server is a stranger: it may be slow, dead, or mean harm. So all that it says has a
// bound and a time, its list of tools is read once, so that it cannot change what was
// allowed, and it can ask for nothing.

/** A server that answers. */
export interface McpServer {
  readonly name: string;
  /** By the names that it gives them. */
  readonly tools: readonly ToolSpec[];
  /** How many tools it listed above the bound. */
  readonly droppedCount: number;
  /** The answer of a tool as a text; rejects with it where the tool failed. */
  call(tool: string, args: ToolArguments, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** How long is waited, in milliseconds. */
export interface McpPatience {
  /** For a server to start and to list its tools. */
  readonly start: number;
  /** For each answer, from the last sign of progress on. */
  readonly call: number;
}

/** Bounds: tools of a server, characters of a name, a description, a schema and an answer, pages of a list. */
const most = {
  tools: 100,
  name: 128,
  description: 2_000,
  schema: 20_000,
  answer: 200_000,
  pages: 20,
} as const;

/** Longest time of a call that tells of progress, in milliseconds. */
const longestCall = 900_000;

/** A client and its way to a server. */
interface Connection {
  readonly client: Client;
  readonly transport: McpTransport;
}

/** What a connection is made with; whoever wants out aborts `signal`. */
interface ConnectionInput {
  readonly patience: McpPatience;
  readonly signal: AbortSignal;
  readonly env: Io['env'];
}

/** Starts or reaches a server and reads its tools; rejects with an `McpError`. One that ends is started again when it is next called. */
export async function startMcpServer(entry: McpEntry, input: ConnectionInput): Promise<McpServer> {
  let listed: Tool[] = [];
  let now = await connect(entry, input, async (client, options) => {
    listed = (await client.listTools(undefined, options)).tools;
  });
  return {
    name: entry.name,
    ...readTools(listed),
    async call(name, args, signal) {
      if (now.transport.state().isEnded) now = await connect(entry, { ...input, signal });
      const timeout = input.patience.call;
      const options = {
        signal,
        timeout,
        onprogress: () => undefined,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(timeout, longestCall),
      };
      const { client, transport } = now;
      const answer = await client
        .callTool({ name, arguments: { ...args } }, options)
        .catch((error: unknown) => {
          throw signal.aborted ? error : toMcpError(error, { entry, transport, waited: timeout });
        });
      const text = wellFormed(bounded(redacted(textOf(answer), entry.values)));
      if (answer.isError === true) throw new Error(text);
      return text;
    },
    close: () => now.transport.close(),
  };
}

/** Connects to a server, and begins with it; all of that has one time. */
async function connect(
  entry: McpEntry,
  { patience, signal, env }: ConnectionInput,
  begin: (client: Client, options: RequestOptions) => Promise<void> = async () => undefined,
): Promise<Connection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const transport = await openTransport(entry, env);
  const client = new Client(
    { name: 'flamestack', version: version() },
    // A schema of theirs is not run over an answer of theirs: both may be made to take for ever.
    { jsonSchemaValidator: { getValidator: () => trusting }, listMaxPages: most.pages },
  );
  const timeout = patience.start;
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]), timeout };
  try {
    await client.connect(transport.client, options);
    await begin(client, options);
    return { client, transport };
  } catch (error) {
    const said = signal.aborted ? error : toMcpError(error, { entry, transport, waited: timeout });
    await transport.close();
    throw said;
  }
}

/** Takes any answer as it is. */
const trusting: JsonSchemaValidator<never> = (input) => ({
  valid: true,
  data: input as never,
  errorMessage: undefined,
});

/** The tools that can be told of, once each. */
function readTools(listed: readonly Tool[]): Pick<McpServer, 'tools' | 'droppedCount'> {
  const tools = new Map<string, ToolSpec>();
  for (const { name, description = '', inputSchema } of listed) {
    if (tools.size === most.tools) break;
    if (name === '' || name.length > most.name || isTooLong(inputSchema)) continue;
    tools.set(name, {
      name,
      description: wellFormed(description.slice(0, most.description)),
      parameters: inputSchema,
    });
  }
  return { tools: [...tools.values()], droppedCount: listed.length - tools.size };
}

/** Whether a schema is too long, or too deep to be written. */
function isTooLong(schema: unknown): boolean {
  try {
    return JSON.stringify(schema).length > most.schema;
  } catch {
    return true;
  }
}

/** What a result says; of what is no text, its kind. */
function textOf({ content, structuredContent }: CallToolResult): string {
  const parts = content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'resource':
        return 'text' in part.resource ? part.resource.text : `[${part.resource.uri}, no text]`;
      case 'resource_link':
        return `[link: ${part.uri}]`;
      case 'image':
      case 'audio':
        return `[${part.type}, ${part.mimeType}: not taken]`;
    }
  });
  if (parts.length > 0) return parts.join('\n');
  return structuredContent === undefined ? '[no answer]' : JSON.stringify(structuredContent);
}

/** A text with its middle left out where it is longer than the log should hold. */
function bounded(text: string): string {
  const excess = text.length - most.answer;
  if (excess <= 0) return text;
  const half = most.answer / 2;
  return `${text.slice(0, half)}\n[${number(excess)} characters left out]\n${text.slice(-half)}`;
}

/** A text without halves of characters, which no server takes. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
