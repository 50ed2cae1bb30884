import { fileURLToPath } from 'node:url';
import type { OllamaLine } from '../../../../src/testing/ollama/reply.ts';
import { file, type Told } from '../../call.ts';
import { stage } from '../../chat-stage.ts';

/** The script of a server that does as it is told, well or badly. */
export const strange: string = fileURLToPath(new URL('strange-server.mjs', import.meta.url));

/** A file that names servers. */
export function servers(mcpServers: Readonly<Record<string, unknown>>): Promise<string> {
  return file('servers.json', JSON.stringify({ mcpServers }));
}

/** A file that names a server of ours that begins in this way. */
export const strangeOne = (way = 'well', more: object = {}): Promise<string> =>
  servers({ s: { command: process.execPath, args: [strange, way], ...more } });

/** A model that calls a tool once, and then says what it was told. */
export const calling = (name: string, args: object = {}): readonly OllamaLine[] => [
  { content: '', toolCalls: [{ name, arguments: args as Record<string, unknown> }] },
  ({ messages }) => `Told: ${String(messages.at(-1)?.content)}`,
];

/** Chats a line with the servers of a file, everything allowed. */
export async function chatWith(
  mcp: string,
  {
    reply = 'Hello.',
    env = {},
  }: { reply?: OllamaLine | readonly OllamaLine[]; env?: Record<string, string> },
): Promise<Told & { readonly told: readonly string[] }> {
  const place = await stage({ reply }, { MCP_TIMEOUT: '5000', ...env });
  const said = await place.pipe(`a --yes --mcp ${mcp}`, 'Go.\n');
  const asked = place.server.log.find(({ path }) => path === '/api/chat')?.body.tools ?? [];
  const told = (asked as { function: { name: string } }[]).map((tool) => tool.function.name);
  return { ...said, told };
}
