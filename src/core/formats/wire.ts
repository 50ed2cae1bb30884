import type { Assembly, OutMessage } from '../assembly/assembly.ts';
import { isObject, jsonOf } from '../values/json.ts';
import type { FilePart, Part, ToolCall } from '../messages/message.ts';
import type { ProviderMessage } from '../messages/provider-message.ts';
import { partsOf, shownText, isUrl } from '../messages/message-text.ts';
import { respelledNames, type NameRule } from './tool-names.ts';

// All servers want the same of a history, each in its own format:
//
//   one system prompt, first · each result right behind its call · ids that name one call
//
// An assembly has all of it but the last: a call may have come without an id, and
// some models count from 0 in every answer. So ids are made here, from the messages
// before alone: what was sent once is sent again byte for byte. Names of tools that a
// provider would refuse are put otherwise here, too.

/** A call as it is sent. */
export interface WireCall {
  /** Names this call and no other of the assembly. */
  readonly id: string;
  /** The id that the model gave it, if it did. */
  readonly originalId: string | undefined;
  readonly name: string;
  /** The name by which the model called, where it goes out under another. */
  readonly called?: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The JSON of the arguments, as it came where it was a text. */
  readonly json: string;
}

/** A message as all servers want it, before it gets a format. */
export type WireMessage =
  | { readonly role: 'system'; readonly text: string }
  | {
      readonly role: 'user';
      readonly parts: readonly Part[];
      readonly provider?: ProviderMessage | undefined;
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly WireCall[];
      readonly provider?: ProviderMessage | undefined;
    }
  | {
      readonly role: 'tool';
      readonly provider?: ProviderMessage | undefined;
      readonly call: WireCall;
      readonly parts: readonly Part[];
      readonly isError: boolean;
    };

/** Options of every format. */
export interface WireOptions {
  /** Whether neighbors of one role become one message, for templates that want strict alternation; false unless told. */
  readonly merge?: boolean;
}

/** What a provider demands of ids: letters, digits, `_` and `-`, as many as `longest`; undefined for nothing. */
export interface IdRule {
  readonly longest: number;
}

/**
 * The messages of an assembly, one for each, each call with an id of its own and each result with
 * its call. No two calls share an id, under a rule either, so each id leads back to one call; and no
 * two names of tools become one.
 */
export function toWire(
  assembly: Pick<Assembly, 'messages'>,
  rule?: IdRule,
  nameRule?: NameRule,
): readonly WireMessage[] {
  const ids: UsedIds = { used: new Set(), rule };
  const names = nameRule === undefined ? null : respelledNames(assembly.messages, nameRule);
  let open: (WireCall & { readonly own: string })[] = [];
  return assembly.messages.map((message): WireMessage => {
    if (message.role === 'system') return { role: 'system', text: message.content };
    if (message.role === 'tool') {
      const call = open.find((candidate) => answers(message, candidate));
      if (call === undefined) return { role: 'user', parts: strayParts(message) };
      open = open.filter((other) => other !== call);
      const { content, isError = false, provider } = message;
      return { role: 'tool', call, parts: partsOf(content), isError, ...spelled(provider) };
    }
    open = [];
    const { content, provider } = message;
    if (message.role === 'user')
      return { role: 'user', parts: partsOf(content), ...spelled(provider) };
    open = (message.toolCalls ?? []).map((call, index) => {
      const generatedId = `${message.entry ?? 'made'}.${index + 1}`;
      const wire = toCall(call, idOf(call.id, generatedId, ids));
      const name = names?.get(call.name);
      const renamed = name === undefined ? {} : { name, called: call.name };
      return { ...wire, ...renamed, own: call.id ?? generatedId };
    });
    const text = shownText(partsOf(content));
    return { role: 'assistant', text, calls: open, ...spelled(provider) };
  });
}

function answers(
  message: Extract<OutMessage, { role: 'tool' }>,
  call: WireCall & { readonly own: string },
): boolean {
  if (message.toolCallId !== undefined) return message.toolCallId === call.own;
  return message.name === undefined || message.name === (call.called ?? call.name);
}

function strayParts(message: Extract<OutMessage, { role: 'tool' }>): readonly Part[] {
  const name = message.name === undefined ? '' : ` of ${message.name}`;
  return [{ type: 'text', text: `[late result${name}]` }, ...partsOf(message.content)];
}

const spelled = (
  provider: ProviderMessage | undefined,
): { readonly provider?: ProviderMessage | undefined } =>
  provider === undefined ? {} : { provider };

/** What the provider of this name spelled of a message; undefined for nothing, and where its calls go out under other ids or names. */
export function rawOf(message: WireMessage, name: string): unknown {
  if (message.role === 'system' || message.provider?.name !== name) return undefined;
  const calls = message.role === 'assistant' ? message.calls : [];
  const own = message.role === 'tool' ? [message.call] : calls;
  return own.every(({ id, originalId, called }) => id === originalId && called === undefined)
    ? message.provider.raw
    : undefined;
}

interface UsedIds {
  readonly used: Set<string>;
  readonly rule: IdRule | undefined;
}

/** The original id, or the generated one, as the rule has it; another one where a call has that already. */
function idOf(
  originalId: string | undefined,
  generatedId: string,
  { used, rule }: UsedIds,
): string {
  const asRuled = (id: string): string =>
    rule === undefined ? id : id.replace(/[^\w-]/g, '_').slice(0, rule.longest);
  let id = asRuled(originalId ?? '');
  if (id === '' || used.has(id)) id = asRuled(generatedId);
  for (let n = 1; used.has(id); n += 1)
    id = rule === undefined ? `${id}.` : asRuled(`${n}_${generatedId}`);
  used.add(id);
  return id;
}

function toCall(call: ToolCall, id: string): WireCall {
  const { id: originalId, name } = call;
  const parsed = typeof call.arguments === 'string' ? objectIn(call.arguments) : call.arguments;
  const wrapped = { unparsed: call.arguments };
  const object = parsed === null || Array.isArray(parsed) ? wrapped : parsed;
  const json =
    typeof call.arguments === 'string' && object === parsed
      ? call.arguments
      : JSON.stringify(object);
  return { id, originalId, name, arguments: object, json };
}

/** The object that a text is the JSON of; null where it is not that of an object. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonOf(text);
  return isObject(value) ? value : null;
}

/** Arguments as a server sent them: an object, or the text as it came where it is not the JSON of one. */
export function fromArguments(value: unknown): ToolCall['arguments'] {
  if (typeof value === 'string') return value.trim() === '' ? {} : (objectIn(value) ?? value);
  if (isObject(value)) return value;
  return value === undefined || value === null ? {} : JSON.stringify(value);
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
  if (hasProvider(before) || hasProvider(next)) return null;
  if (before?.role === 'user' && next.role === 'user')
    return { role: 'user', parts: joinParts(before.parts, next.parts) };
  if (before?.role !== 'assistant' || next.role !== 'assistant') return null;
  if (before.calls.length > 0) return null;
  const text = [before.text, next.text].filter((one) => one !== '').join('\n\n');
  return { role: 'assistant', text, calls: next.calls };
}

/** Whether a provider spelled it, so that nothing may be joined to it. */
const hasProvider = (message: WireMessage | undefined): boolean =>
  message !== undefined && message.role !== 'system' && message.provider !== undefined;

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
    const imageParts = message.parts.filter(isImage);
    if (imageParts.length > 0)
      images.push({ type: 'text', text: `[images of ${message.call.name}]` }, ...imageParts);
    if (waiting === 0) flush();
  }
  return out;
}

/** Whether a part is an image, by its media type. */
export function isImage(part: Part): part is FilePart {
  return part.type === 'file' && part.mediaType.startsWith('image/');
}

/** The base64 of a file; null where it is an address. */
export function base64Of({ data }: FilePart): string | null {
  if (isUrl(data)) return null;
  const comma = data.indexOf(',');
  return data.startsWith('data:') && comma > 0 ? data.slice(comma + 1) : data;
}

/** The address of a file, a `data:` one where it came as base64. */
export function addressOf({ data, mediaType }: FilePart): string {
  if (isUrl(data) || data.startsWith('data:')) return data;
  return `data:${mediaType};base64,${data}`;
}

/** The media type that a `data:` address says. */
export const typeIn = (address: string, otherwise: string): string =>
  /^data:([^;,]+)/.exec(address)?.[1] ?? otherwise;

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes in base64, on any platform. */
export function bytesAsBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    const bits = (one << 16) | (two << 8) | three;
    const group = [18, 12, 6, 0].map((shift) => signs[(bits >> shift) & 63]!).join('');
    text += group.slice(0, Math.min(4, bytes.length - at + 1)).padEnd(4, '=');
  }
  return text;
}
