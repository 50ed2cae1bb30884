import type { Assembly, OutMessage } from '../assembly/assembly.ts';
import { isObject, jsonOf } from '../values/json.ts';
import type { Part, ToolCall } from '../messages/message.ts';
import { partsOf, shownText, isUrl } from '../messages/message-text.ts';

// All servers want the same of a history, each in its own format:
//
//   one system prompt, first · each result right behind its call · ids that name one call
//
// An assembly has all of it but the last: a call may have come without an id, and
// some models count from 0 in every answer. So ids are made here, from the messages
// before alone: what was sent once is sent again byte for byte.

/** A part of a message that is a file. */
export type File = Extract<Part, { type: 'file' }>;

/** A call as it is sent. */
export interface WireCall {
  /** Names this call and no other of the assembly. */
  readonly id: string;
  /** The id that the model gave it, if it did. */
  readonly given: string | undefined;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The JSON of the arguments, as it came where it was a text. */
  readonly json: string;
}

/** A message as all servers want it, before it gets a format. */
export type WireMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly WireCall[] }
  | {
      readonly role: 'tool';
      readonly call: WireCall;
      readonly parts: readonly Part[];
      readonly isError: boolean;
    };

/** Options of every format. */
export interface WireOptions {
  /** Whether neighbors of one role become one message, for templates that want strict alternation; false unless told. */
  readonly merge?: boolean;
}

/** The messages of an assembly, each call with an id of its own and each result with its call. */
export function toWire(assembly: Pick<Assembly, 'messages'>): readonly WireMessage[] {
  const used = new Set<string>();
  let open: (WireCall & { readonly own: string })[] = [];
  return assembly.messages.map((message): WireMessage => {
    if (message.role === 'system') return { role: 'system', text: message.content };
    if (message.role === 'tool') {
      const call = open.find((candidate) => answers(message, candidate));
      if (call === undefined) return { role: 'user', parts: strayParts(message) };
      open = open.filter((other) => other !== call);
      const { content, isError = false } = message;
      return { role: 'tool', call, parts: partsOf(content), isError };
    }
    open = [];
    if (message.role === 'user') return { role: 'user', parts: partsOf(message.content) };
    open = (message.toolCalls ?? []).map((call, index) => {
      const made = `${message.entry ?? 'made'}.${index + 1}`;
      return { ...toCall(call, idOf(call.id, made, used)), own: call.id ?? made };
    });
    return { role: 'assistant', text: shownText(partsOf(message.content)), calls: open };
  });
}

function answers(
  message: Extract<OutMessage, { role: 'tool' }>,
  call: { readonly own: string; readonly name: string },
): boolean {
  if (message.toolCallId !== undefined) return message.toolCallId === call.own;
  return message.name === undefined || message.name === call.name;
}

function strayParts(message: Extract<OutMessage, { role: 'tool' }>): readonly Part[] {
  const name = message.name === undefined ? '' : ` of ${message.name}`;
  return [{ type: 'text', text: `[late result${name}]` }, ...partsOf(message.content)];
}

/** The given id, or the made one; with dots where a call has that already. */
function idOf(given: string | undefined, made: string, used: Set<string>): string {
  let id = given === undefined || given === '' || used.has(given) ? made : given;
  while (used.has(id)) id += '.';
  used.add(id);
  return id;
}

function toCall(call: ToolCall, id: string): WireCall {
  const { id: given, name } = call;
  const parsed = typeof call.arguments === 'string' ? objectIn(call.arguments) : call.arguments;
  const wrapped = { unparsed: call.arguments };
  const object = parsed === null || Array.isArray(parsed) ? wrapped : parsed;
  const json =
    typeof call.arguments === 'string' && object === parsed
      ? call.arguments
      : JSON.stringify(object);
  return { id, given, name, arguments: object, json };
}

/** The object that a text is the JSON of; null where it is not that of an object. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonOf(text);
  return isObject(value) ? value : null;
}

/** Arguments as a server sent them: an object, or the text as it came where it is not the JSON of one. */
export function fromArguments(given: unknown): ToolCall['arguments'] {
  if (typeof given === 'string') return given.trim() === '' ? {} : (objectIn(given) ?? given);
  if (isObject(given)) return given;
  return given === undefined || given === null ? {} : JSON.stringify(given);
}

/** The messages with each run of user, and of assistant messages as one; calls and results stay apart. */
export function mergeNeighbors(messages: readonly WireMessage[]): readonly WireMessage[] {
  const joined: WireMessage[] = [];
  for (const message of messages) {
    const one = join(joined.at(-1), message);
    if (one === null) joined.push(message);
    else joined[joined.length - 1] = one;
  }
  return joined;
}

/** Two neighbors as one; null where they stay two. */
function join(before: WireMessage | undefined, next: WireMessage): WireMessage | null {
  if (before?.role === 'user' && next.role === 'user')
    return { role: 'user', parts: joinParts(before.parts, next.parts) };
  if (before?.role !== 'assistant' || next.role !== 'assistant') return null;
  if (before.calls.length > 0) return null;
  const text = [before.text, next.text].filter((one) => one !== '').join('\n\n');
  return { role: 'assistant', text, calls: next.calls };
}

/** The parts of both; texts that meet become one. */
function joinParts(before: readonly Part[], next: readonly Part[]): readonly Part[] {
  const last = before.at(-1);
  const first = next[0];
  if (last?.type !== 'text' || first?.type !== 'text') return [...before, ...next];
  const text = [last.text, first.text].filter((one) => one !== '').join('\n\n');
  return [...before.slice(0, -1), { type: 'text', text }, ...next.slice(1)];
}

/**
 * The messages with the images of results in a user message behind all results
 * of the unit, for servers that take nothing but text in a result.
 */
export function liftImages(messages: readonly WireMessage[]): readonly WireMessage[] {
  const out: WireMessage[] = [];
  let images: Part[] = [];
  let waiting = 0;
  const flush = (): void => {
    if (images.length > 0) out.push({ role: 'user', parts: images });
    images = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    out.push(message);
    if (message.role === 'assistant') waiting = message.calls.length;
    if (message.role !== 'tool') continue;
    waiting -= 1;
    const found = message.parts.filter(isImage);
    if (found.length > 0)
      images.push({ type: 'text', text: `[images of ${message.call.name}]` }, ...found);
    if (waiting === 0) flush();
  }
  return out;
}

/** Whether a part is an image, by its media type. */
export function isImage(part: Part): part is File {
  return part.type === 'file' && part.mediaType.startsWith('image/');
}

/** The base64 of a file; null where it is an address. */
export function base64Of({ data }: File): string | null {
  if (isUrl(data)) return null;
  const comma = data.indexOf(',');
  return data.startsWith('data:') && comma > 0 ? data.slice(comma + 1) : data;
}

/** The address of a file, a `data:` one where it came as base64. */
export function addressOf({ data, mediaType }: File): string {
  if (isUrl(data) || data.startsWith('data:')) return data;
  return `data:${mediaType};base64,${data}`;
}
