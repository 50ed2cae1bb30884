import { countTokens, type Message, type OutMessage, type Section } from '../../src/index.ts';

/** One tool call as a model reads it. */
export interface Called {
  readonly id: string | undefined;
  readonly name: string;
  /** An object where it was one. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** One message as a model reads it. */
export interface Said {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly calls: readonly Called[];
  /** The call that a tool message answers, where it says so. */
  readonly answers: string | undefined;
  /** The tool that a tool message came from, where it says so. */
  readonly tool: string | undefined;
  /** Images and the like, which cost a fixed number. */
  readonly files: number;
  /** Everything of it that is text: content, then a line for each call. */
  readonly text: string;
  /** What it costs, in tokens. */
  readonly tokens: number;
}

/** A message of a context, and what it claims to be. */
export interface Shown extends Said {
  /** Byte for byte from the history, a shortened copy, or made up. */
  readonly kind: 'entry' | 'shortened' | 'made';
  /** Its place in the history, from 0; null for what is made up. */
  readonly place: number | null;
  /** The part of an assembly that it stands in; among the entries unless told. */
  readonly section?: Section;
}

/** What a message costs beyond its text, in tokens: the engine's own rule, said once more by the judge. */
const overhead = { message: 4, call: 8, file: 1_000 } as const;

/** A message out of its parts, counted. */
export async function toSaid(parts: Omit<Said, 'text' | 'tokens'>): Promise<Said> {
  const text = textOfParts(parts);
  let tokens = overhead.message + overhead.file * parts.files;
  if (parts.content !== '') tokens += await countTokens(parts.content);
  for (const line of parts.calls.map(callText)) tokens += overhead.call + (await countTokens(line));
  return { ...parts, text, tokens };
}

/** Everything of a message that is text: content, then a line for each call. */
export function textOfParts({ content, calls }: Pick<Said, 'content' | 'calls'>): string {
  return calls.length === 0 ? content : `${content}\n${calls.map(callText).join('\n')}`;
}

/** A text without a call or a file, as the parts of a message. */
export function bare(role: Said['role'], content: string): Omit<Said, 'text' | 'tokens'> {
  return { role, content, calls: [], answers: undefined, tool: undefined, files: 0 };
}

/** A message of the engine's as its parts. */
export function partsOf(message: Message | OutMessage): Omit<Said, 'text' | 'tokens'> {
  const { content } = message;
  const isText = typeof content === 'string';
  return {
    role: message.role,
    content: isText
      ? content
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    files: isText ? 0 : content.filter((part) => part.type === 'file').length,
    calls:
      message.role === 'assistant'
        ? (message.toolCalls ?? []).map(({ id, name, arguments: given }) => ({
            id,
            name,
            arguments: given,
          }))
        : [],
    answers: message.role === 'tool' ? message.toolCallId : undefined,
    tool: message.role === 'tool' ? message.name : undefined,
  };
}

/** A call as a model reads it. */
export function callText({ name, arguments: given }: Called): string {
  return `${name} ${typeof given === 'string' ? given : JSON.stringify(given)}`;
}
