import { readFile } from 'node:fs/promises';

// The plainest form of a session, one message a line, counted from 0. Only the
// evaluation reads it; it is imported as a session script that says the same:
//
//   {"id":"s:0","role":"user","content":"…"}
//   {"id":"s:1","role":"assistant","content":"","toolCalls":[{"id":"c1","name":"read","args":{"path":"…"}}]}
//   {"id":"s:2","role":"tool","toolCallId":"c1","toolName":"read","content":"…","isError":true}

/** A line of such a file. */
interface NormalMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args?: Readonly<Record<string, unknown>>;
  }[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  /** Who put it into the user role where no person did. */
  readonly origin?: string;
}

/** The session script of a file in normal form; null where the file is something else, or cannot be read. */
export async function normalScript(file: string): Promise<string | null> {
  if (!file.endsWith('.jsonl')) return null;
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
    if (!isPlain(JSON.parse(lines[0] ?? 'null'))) return null;
    const messages: unknown[] = lines.map((line) => JSON.parse(line));
    if (!messages.every(isPlain) || !messages.some(isNormal)) return null;
    const header = { type: 'flamestack', version: 1 };
    const steps = messages.map((message) => ({ type: 'append', message: messageOf(message) }));
    return [header, ...steps].map((line) => JSON.stringify(line)).join('\n');
  } catch {
    return null;
  }
}

function isPlain(line: unknown): line is NormalMessage {
  const { role, content, type } = (line ?? {}) as Readonly<Record<string, unknown>>;
  return typeof role === 'string' && typeof content === 'string' && type === undefined;
}

/** Whether a line is told from a chat message of other formats. */
function isNormal({ toolCalls, toolCallId }: NormalMessage): boolean {
  return Array.isArray(toolCalls) || typeof toolCallId === 'string';
}

function messageOf(message: NormalMessage): object {
  const { role, content, toolCalls, toolCallId, toolName, isError } = message;
  switch (role) {
    case 'assistant': {
      const calls = (toolCalls ?? []).map(({ id, name, args = {} }) => ({
        id,
        name,
        arguments: args,
      }));
      return { role, content, ...(calls.length === 0 ? {} : { toolCalls: calls }) };
    }
    case 'tool':
      return {
        role,
        content,
        ...(toolCallId === undefined ? {} : { toolCallId }),
        ...(toolName === undefined ? {} : { name: toolName }),
        ...(isError === true ? { isError } : {}),
      };
    default:
      return { role, content, ...(isMachine(message) ? { origin: 'machine' } : {}) };
  }
}

/** Tags with a hyphen, as runtimes put around their own text, and what they say of a person's key. */
const machineStart = /^\s*(?:<[a-z]+(?:-[a-z]+)+[\s>]|\[Request interrupted)/;

function isMachine({ role, content, origin }: NormalMessage): boolean {
  return role === 'user' && (origin !== undefined || machineStart.test(content));
}
