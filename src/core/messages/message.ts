import { fail } from '../values/error.ts';
import { notWritable } from '../values/json.ts';
import { readOnce } from '../values/read-once.ts';
import { personRuns } from './machine-text.ts';
import { isModelName, type ModelName } from './model-name.ts';
import { isProvider, type ProviderMessage } from './provider-message.ts';

/** A piece of a message's content. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file';
      readonly mediaType: string;
      /** Base64, or an URL; kept as it came. */
      readonly data: string;
      readonly name?: string;
      /** How closely an image is looked at, where the provider lets one choose. */
      readonly detail?: 'low' | 'high' | 'auto';
    };

/** A file among the parts of a message. */
export type FilePart = Extract<Part, { readonly type: 'file' }>;

/** Plain text, or parts in order. */
export type Content = string | readonly Part[];

/**
 * Anything a host wants handed back on verbatim entries; never sent, so never counted, and never summarized. It is kept
 * as JSON: a `Date` as its text, `NaN` and `Infinity` as null, a `Map` as `{}`, and nothing of a field that is undefined
 * or a function. A bigint, and an object that is a part of itself, are refused with `MESSAGE_INVALID`.
 */
export type Meta = Readonly<Record<string, unknown>>;

/** One tool call of an assistant message. */
export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  /** The arguments, kept as JSON as `meta` is (`NaN` as null), or the text as it came where it was not a JSON object. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** Text that a person typed, or that a machine put into the user role. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: Content;
  /** Who wrote it; `person` unless told, as far as no tag of a runtime says otherwise. */
  readonly origin?: 'person' | 'machine';
  readonly meta?: Meta;
  readonly provider?: ProviderMessage | undefined;
}

/** The model's text and tool calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: Content;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Kept in the log, never sent back to a model. */
  readonly thinking?: string | undefined;
  /** Why the model stopped, in the server's word. */
  readonly finish?: string | undefined;
  /** Which model it was. No form of a server has it, and nothing is counted or corrected by it, as by the `model` of a session. */
  readonly model?: ModelName | undefined;
  readonly meta?: Meta;
  readonly provider?: ProviderMessage | undefined;
}

/** The result of one tool call. */
export interface ToolMessage {
  readonly role: 'tool';
  /** The call it answers; the oldest open call of `name` where it is missing. */
  readonly toolCallId?: string | undefined;
  readonly name?: string;
  readonly content: Content;
  readonly isError?: boolean | undefined;
  readonly meta?: Meta;
  readonly provider?: ProviderMessage | undefined;
}

/** A message as it comes in, and as the log gives it back. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** An entry that leaves the window: its position in the log, and its message. */
export interface LeavingEntry {
  readonly n: number;
  readonly message: Message;
}

/** The value, frozen with everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** The text of a message's content; files are left out. */
export function textOf(content: Content): string {
  return textsOf(content).join('\n');
}

/** The files among a message's content. */
export function filesOf(content: Content): readonly FilePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'file');
}

/** A call's arguments as the JSON text that a model reads. */
export function argumentsOf(call: ToolCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

/** What a person typed of a message, '' for a message of anything else: its texts without the parts that a runtime put in. */
export function personText(message: Message): string {
  return message.role !== 'user' || message.origin === 'machine' ? '' : writersOf(message).person;
}

/** What a runtime put into a message of a person. */
export const machineText = (message: UserMessage): string => writersOf(message).machine;

/** The text of a message by who wrote it. */
interface Writers {
  readonly person: string;
  readonly machine: string;
}

const writersOf = /* @__PURE__ */ readOnce(({ content }: UserMessage): Writers => {
  const texts = textsOf(content);
  const joined = (of: (text: string) => string): string => texts.map(of).filter(Boolean).join('\n');
  return { person: joined(typedOf), machine: joined(putIn) };
});

/** What the author of a message says in it: in the user role what a person typed, else all of its text. */
export function authoredText(message: Message): string {
  return message.role === 'user' ? personText(message) : textOf(message.content);
}

const textsOf = (content: Content): readonly string[] =>
  typeof content === 'string'
    ? [content]
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

const typedOf = (text: string): string =>
  personRuns(text)
    .map(([from, to]) => text.slice(from, to))
    .join('\n');

function putIn(text: string): string {
  const runs = personRuns(text);
  const ends = runs.map(([, to]) => to);
  return [...runs.map(([from]) => from), text.length]
    .map((to, index) => text.slice(ends[index - 1] ?? 0, to).trim())
    .filter(Boolean)
    .join('\n');
}

/** Whether a person typed the message, or a part of it. */
export function isHuman(message: Message): boolean {
  if (message.role !== 'user' || message.origin === 'machine') return false;
  return personText(message).trim() !== '' || textOf(message.content).trim() === '';
}

/** The fields that a message of each role may have; anything else belongs in `meta`. */
const fields: Readonly<Record<Message['role'], readonly string[]>> = {
  user: ['role', 'content', 'origin', 'meta', 'provider'],
  assistant: ['role', 'content', 'toolCalls', 'thinking', 'finish', 'model', 'meta', 'provider'],
  tool: ['role', 'content', 'toolCallId', 'name', 'isError', 'meta', 'provider'],
};

const callFields: readonly string[] = ['id', 'name', 'arguments'];

/**
 * A message that came from outside, checked, as a copy of JSON values; throws
 * `MESSAGE_INVALID` and names the field. Unknown fields are refused: they would
 * be sent, and never counted.
 */
export function checkMessage(value: unknown): Message {
  const message = value as Message;
  if (typeof value !== 'object' || value === null) throw invalid('message', value);
  const { role } = value as { role: unknown };
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') throw invalid('role', role);
  checkFields(message, fields[role]);
  if (!isContent(message.content)) throw invalid('content', message.content);
  if (message.role === 'user' && !['person', 'machine', undefined].includes(message.origin))
    throw invalid('origin', message.origin);
  if (!isProvider(message.provider)) throw invalid('provider', message.provider);
  if (message.role === 'assistant') checkAnswer(message);
  if (message.role === 'tool') checkResult(message);
  return copyOf(message);
}

function checkFields(value: object, fields: readonly string[]): void {
  for (const [field, content] of Object.entries(value))
    if (content !== undefined && !fields.includes(field))
      throw fail(
        'MESSAGE_INVALID',
        `Field "${field}" of a message is not known; there are ${fields.join(', ')}${readerOf(field)}`,
        { field, known: fields },
      );
}

/** What reads a message with a field that servers spell so. */
const readerOf = (field: string): string =>
  field.includes('_') ? " (fromChat reads OpenAI's messages, fromOllama those of Ollama)" : '';

/** A deep copy of a message as JSON values. */
function copyOf(message: Message): Message {
  const copy: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(message)) {
    const own = typeof value === 'string' ? value : copyOfField(field, value);
    if (own !== undefined) copy[field] = own;
  }
  return copy as unknown as Message;
}

function copyOfField(field: string, value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    const said = `Field "${field}" of a message cannot be kept as JSON: ${notWritable(value, field) ?? (error as Error).message}`;
    throw fail('MESSAGE_INVALID', said, { field });
  }
  return text === undefined ? undefined : JSON.parse(text);
}

/** The JSON of a value; undefined where it has none, null where it cannot be written. */
function toJson(value: unknown): string | undefined | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

function checkAnswer(message: AssistantMessage): void {
  const { toolCalls, thinking, model } = message;
  if (!isModelName(model)) throw invalid('model', model);
  if (thinking !== undefined && typeof thinking !== 'string') throw invalid('thinking', thinking);
  if (toolCalls === undefined) return;
  if (!Array.isArray(toolCalls)) throw invalid('toolCalls', toolCalls);
  for (const call of toolCalls as unknown[]) {
    if (!isCall(call)) throw invalid('toolCalls', call);
    checkFields(call as object, callFields);
  }
}

function checkResult(message: ToolMessage): void {
  const { toolCallId, name } = message;
  if (toolCallId !== undefined && typeof toolCallId !== 'string')
    throw invalid('toolCallId', toolCallId);
  if (name !== undefined && typeof name !== 'string') throw invalid('name', name);
}

function isCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const call = value as Record<string, unknown>;
  const args = call['arguments'];
  return (
    typeof call['name'] === 'string' &&
    (call['id'] === undefined || typeof call['id'] === 'string') &&
    (typeof args === 'string' || (typeof args === 'object' && args !== null))
  );
}

function isContent(value: unknown): value is Content {
  if (typeof value === 'string') return true;
  return Array.isArray(value) && value.every(isPart);
}

function isPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const part = value as Record<string, unknown>;
  if (part['type'] === 'text') return typeof part['text'] === 'string';
  return (
    part['type'] === 'file' &&
    typeof part['data'] === 'string' &&
    typeof part['mediaType'] === 'string'
  );
}

/** The values of the fields that are most often wrong. */
const takes: Readonly<Record<string, string>> = {
  role: 'user, assistant or tool (a system prompt is an option of the session)',
  content:
    "a text ('' for none), or a list of { type: 'text', text } and { type: 'file', mediaType, data } (fromChat reads OpenAI's parts)",
  provider: '{ name, raw }',
  toolCalls: 'a list of { id?, name, arguments }',
};

function invalid(field: string, value: unknown): Error {
  const valueText = (toJson(value) ?? String(value)).slice(0, 80);
  const wanted = takes[field];
  const rest = wanted === undefined ? '' : `; it takes ${wanted}`;
  return fail('MESSAGE_INVALID', `Field "${field}" of a message cannot be ${valueText}${rest}`, {
    field,
  });
}
