import type { CallToolResult, Client, JsonSchemaValidator } from '@modelcontextprotocol/client';
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
// allowed, and it is told of nothing that this client could be asked for.

/** A server that answers. */
export interface McpServer {
  readonly name: string;
  /** By the names that it gives them. */
  readonly tools: readonly ToolSpec[];
  /** How many tools it listed above the bound. */
  readonly left: number;
  /** The answer of a tool as a text; rejects with it where the tool failed. */
  call(tool: string, given: ToolArguments, signal: AbortSignal): Promise<string>;
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

/** Starts or reaches a server and reads its tools; rejects with an `McpError`. */
export async function startMcpServer(
  entry: McpEntry,
  { patience, signal, env }: { patience: McpPatience; signal: AbortSignal; env: Io['env'] },
): Promise<McpServer> {
  const { Client } = await import('@modelcontextprotocol/client');
  const transport = await openTransport(entry, env);
  const client = new Client(
    { name: 'flamestack', version: version() },
    // A schema of theirs is not run over an answer of theirs: both may be made to take for ever.
    { jsonSchemaValidator: { getValidator: () => trusting }, listMaxPages: most.pages },
  );
  try {
    const late = AbortSignal.timeout(patience.start);
    const options = { signal: AbortSignal.any([signal, late]), timeout: patience.start };
    await client.connect(transport.client, options);
    const { tools } = await client.listTools(undefined, options);
    return { ...serverOf(entry, { client, transport, patience }), ...readTools(tools) };
  } catch (error) {
    const waited = patience.start;
    const said = signal.aborted ? error : toMcpError(error, { entry, transport, waited });
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

function serverOf(
  entry: McpEntry,
  {
    client,
    transport,
    patience,
  }: { client: Client; transport: McpTransport; patience: McpPatience },
): Pick<McpServer, 'name' | 'call' | 'close'> {
  const timeout = patience.call;
  return {
    name: entry.name,
    async call(name, given, signal) {
      const options = {
        signal,
        timeout,
        onprogress: () => undefined,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(timeout, longestCall),
      };
      const answer = await client
        .callTool({ name, arguments: { ...given } }, options)
        .catch((error: unknown) => {
          throw signal.aborted ? error : toMcpError(error, { entry, transport, waited: timeout });
        });
      const text = wellFormed(bounded(redacted(textOf(answer), entry.given)));
      if (answer.isError === true) throw new Error(text);
      return text;
    },
    close: () => transport.close(),
  };
}

/** The tools that can be told of, once each. */
function readTools(
  listed: readonly { name: string; description?: string | undefined; inputSchema: unknown }[],
): Pick<McpServer, 'tools' | 'left'> {
  const tools = new Map<string, ToolSpec>();
  for (const { name, description = '', inputSchema } of listed) {
    if (tools.size === most.tools) break;
    if (name === '' || name.length > most.name || isTooLong(inputSchema)) continue;
    tools.set(name, {
      name,
      description: wellFormed(description.slice(0, most.description)),
      parameters: inputSchema as ToolSpec['parameters'],
    });
  }
  return { tools: [...tools.values()], left: listed.length - tools.size };
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
  const left = text.length - most.answer;
  if (left <= 0) return text;
  const half = most.answer / 2;
  return `${text.slice(0, half)}\n[${number(left)} characters left out]\n${text.slice(-half)}`;
}

/** A text without halves of characters, which no server takes. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
