import { readFile } from 'node:fs/promises';
import { EngineError } from '../../../index.ts';
import type { Io } from '../../io.ts';

// The format that Claude Code and others read. Nothing is read unless the person names
// the file: what a cloned repository brings along starts nothing.
//
//   { "mcpServers": { "notes": { "command": "node", "args": ["notes.mjs"], "env": {} },
//                     "wiki":  { "type": "http", "url": "https://…/mcp", "headers": {} } } }

/** Texts by name. */
type Named = Readonly<Record<string, string>>;

/** A server as the file has it, every `${VARIABLE}` replaced. */
export type McpEntry = {
  readonly name: string;
  /** What it is given under names of its own; keys among them are kept out of what it says. */
  readonly values: Named;
} & (
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly type: 'http'; readonly url: URL }
);

/** Longest name of a server, in characters. */
const longestName = 64;

/** The servers of a file; throws `OPTION_INVALID` where it is none. */
export async function readMcpFile(file: string, env: Io['env']): Promise<readonly McpEntry[]> {
  const refuse = (why: string, cause?: unknown): EngineError =>
    new EngineError('OPTION_INVALID', `The file "${file}" ${why}`, {
      cause,
      detail: { option: 'mcp', value: file },
    });
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw refuse(cause.code === 'ENOENT' ? 'is not there' : 'cannot be read', cause);
  });
  const servers = asObject(asObject(parsed(text, refuse))?.['mcpServers']);
  if (servers === null)
    throw refuse('names no servers: { "mcpServers": { "<name>": { "command": … } } }');
  return Object.entries(servers).map(([name, entry]) => {
    try {
      return toEntry(name, asObject(entry) ?? {}, env);
    } catch (error) {
      throw refuse(`has a server "${name}" that ${(error as Error).message}`, error);
    }
  });
}

/** The value of a text in JSON; throws what `refuse` makes of it where it is none, with the parser's words on where. */
function parsed(text: string, refuse: (why: string, cause: unknown) => EngineError): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`is no JSON: ${(error as Error).message}`, error);
  }
}

function toEntry(name: string, entry: Readonly<Record<string, unknown>>, env: Io['env']): McpEntry {
  const { type, command, args = [], url } = entry;
  if (name === '' || name.length > longestName)
    throw new Error(`has a name of ${name.length} characters; 1 to ${longestName} are taken`);
  const fill = (value: unknown, what: string): string => filled(value, what, env);
  const named = (key: 'env' | 'headers'): Named =>
    Object.fromEntries(
      Object.entries(asObject(entry[key]) ?? {}).map(([one, value]) => [one, fill(value, key)]),
    );
  if (type === undefined ? url !== undefined : type === 'http' || type === 'streamable-http') {
    const address = fill(url, 'url');
    if (!/^https?:/.test(address) || !URL.canParse(address)) throw new Error('has no http address');
    return { name, type: 'http', url: new URL(address), values: named('headers') };
  }
  if (type !== undefined && type !== 'stdio')
    throw new Error(`is of type ${JSON.stringify(type)}; there are stdio and http`);
  if (!Array.isArray(args)) throw new Error('has args that are no list');
  return {
    name,
    type: 'stdio',
    command: fill(command, 'command'),
    args: args.map((arg) => fill(arg, 'args')),
    values: named('env'),
  };
}

/** A text of the file, with what `${NAME}` and `${NAME:-otherwise}` stand for. */
function filled(value: unknown, what: string, env: Io['env']): string {
  if (typeof value !== 'string') throw new Error(`has no text for ${what}`);
  return value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
    const resolved = env[name] || otherwise;
    if (resolved === undefined) throw new Error(`needs the variable ${name}, which is not set`);
    return resolved;
  });
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
