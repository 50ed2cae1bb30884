import { redacted } from '../model/server-key.ts';
import type { McpEntry } from './mcp-file.ts';
import type { McpTransport } from './mcp-transport.ts';

/** What can go wrong with a server. */
export type McpCode =
  | 'MCP_ENDED'
  | 'MCP_INVALID'
  | 'MCP_LATE'
  | 'MCP_TOO_LARGE'
  | 'MCP_UNREACHABLE';

/** An error of a server, not of a tool that it has. */
export class McpError extends Error {
  /** The kind of error. */
  readonly code: McpCode;

  constructor(code: McpCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** What the library, Node and fetch may tell of an error. */
interface ErrorDetails extends Error {
  readonly code?: unknown;
  /** Of a process that could not be started. */
  readonly syscall?: string;
  /** Of a response over HTTP. */
  readonly status?: unknown;
  readonly cause?: { readonly code?: string; readonly message?: string };
}

/** Most that is told of an error in the words of others, in characters. */
const mostWords = 500;

/** The error of a server; what it says of a call itself stays an error in its words. */
export function toMcpError(
  error: unknown,
  {
    entry,
    transport,
    waited,
  }: { readonly entry: McpEntry; readonly transport: McpTransport; readonly waited: number },
): Error {
  const { code, syscall = '', status, name, message, cause } = error as ErrorDetails;
  const why = redacted(cause?.code ?? cause?.message ?? message, entry.values);
  const of = (kind: McpCode, text: string): McpError =>
    new McpError(kind, `The server "${entry.name}" ${text}`, error);
  const { isEnded, isTooLarge, end, lastWords } = transport.state();
  const words = lastWords === '' ? '.' : `: ${redacted(lastWords, entry.values)}`;
  if (isTooLarge) return of('MCP_TOO_LARGE', 'sent more than is taken; it was ended.');
  if (code === 'LIST_PAGINATION_EXCEEDED') return of('MCP_TOO_LARGE', 'lists tools without end.');
  if (code === 'REQUEST_TIMEOUT')
    return of('MCP_LATE', `did not answer in ${waited / 1_000} s${words}`);
  if (isEnded || code === 'CONNECTION_CLOSED') return of('MCP_ENDED', `has ended${end}${words}`);
  if (syscall.startsWith('spawn')) return of('MCP_UNREACHABLE', `cannot be started: ${why}`);
  if (status === 401 || status === 403 || name === 'UnauthorizedError')
    return of('MCP_UNREACHABLE', 'wants a key: "headers" in the file may hold it.');
  if (typeof code === 'number') return new Error(why.slice(0, mostWords));
  return cause === undefined
    ? of('MCP_INVALID', `answered what is no answer: ${why.slice(0, mostWords)}`)
    : of('MCP_UNREACHABLE', `cannot be reached: ${why.slice(0, mostWords)}`);
}
