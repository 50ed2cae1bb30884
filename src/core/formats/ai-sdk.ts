import type { Assembly } from '../assembly/assembly.ts';
import type { Part } from '../messages/message.ts';
import { noText } from './provider-parts.ts';
import { withCallsAsText } from './calls-as-text.ts';
import {
  liftImages,
  mergeNeighbors,
  rawOf,
  toWire,
  type WireMessage,
  type WireOptions,
} from './wire.ts';
import { shownText } from '../messages/message-text.ts';

/** Options of providers, by their names. */
type ProviderOptions = { [provider: string]: { [name: string]: JSONValue } };
type JSONValue = null | string | number | boolean | JSONValue[] | { [name: string]: JSONValue };

/** A part of a user message. */
type AiSdkPart =
  | { type: 'text'; text: string }
  | { type: 'file'; data: string; mediaType: string; filename?: string };

/** A call as the AI SDK spells it. */
interface AiSdkCall {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: { [name: string]: unknown };
}

/** A result as the AI SDK spells it. */
interface AiSdkResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string };
}

/** A message as the AI SDK takes it, 5 to 7 alike. */
export type AiSdkMessage =
  | { role: 'user'; content: string | AiSdkPart[] }
  | { role: 'assistant'; content: string | ({ type: 'text'; text: string } | AiSdkCall)[] }
  | { role: 'tool'; content: AiSdkResult[] };

/** What `generateText` and `streamText` take beside the model and its tools. */
export interface AiSdkRequest {
  system?: string;
  messages: AiSdkMessage[];
  /** The most that may be answered, in tokens. */
  maxOutputTokens?: number;
}

/** The system prompt as a message, for those that say more with it. */
interface AiSdkSystem {
  role: 'system';
  content: string;
  providerOptions?: ProviderOptions;
}

/** A message of a list that begins with the system prompt. */
export type AiSdkModelMessage = (AiSdkSystem | AiSdkMessage) & {
  providerOptions?: ProviderOptions;
};

/** The name under which the spelling of the AI SDK is kept. */
export const aiSdk = 'ai-sdk';

/** Ids as every provider behind it takes them. */
const aiSdkIds = { longest: 64 } as const;

/**
 * An assembly as `generateText({ model, tools, ...toAiSdk(assembly) })` takes
 * it. What its provider added to an answer (thinking with a signature) goes back as it came.
 * Images of a result follow behind the results of its unit, all of which
 * are one message; any other file of a result or an answer is a line of text.
 */
export function toAiSdk(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: WireOptions & {
    /** Whether the model thinks and signs it, as Anthropic's: then calls since the last user message that came without any are told in words, since they would be refused. */
    readonly thinking?: boolean;
  } = {},
): AiSdkRequest {
  const { reserve } = assembly.budget;
  const wire = liftImages(spell(assembly, options.thinking));
  const system = wire.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  return {
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: toMessages(options.merge === true ? mergeNeighbors(wire) : wire),
    ...(reserve > 0 && { maxOutputTokens: reserve }),
  };
}

/** The messages as they are spelled, those of a turn with `thinking` as their provider takes them. */
function spell(assembly: Pick<Assembly, 'messages'>, thinking = false): readonly WireMessage[] {
  const wire = toWire(assembly, aiSdkIds);
  return thinking ? withCallsAsText(wire, hasThought) : wire;
}

/** Whether the provider of a message spelled what was thought for it. */
function hasThought(message: WireMessage): boolean {
  const raw = rawOf(message, aiSdk);
  return Array.isArray(raw) && raw.some((part: { type?: string }) => part.type === 'reasoning');
}

/**
 * An assembly as a list of messages, the system prompt first. With `cacheControl` it has breakpoints
 * of Anthropic's cache behind the system prompt, where the entries begin, and at the end.
 */
export function toModelMessages(
  assembly: Pick<Assembly, 'messages'>,
  {
    cacheControl = false,
    thinking,
  }: {
    readonly cacheControl?: boolean;
    /** As of {@link toAiSdk}. */
    readonly thinking?: boolean;
  } = {},
): AiSdkModelMessage[] {
  const heads = assembly.messages.filter(({ section }) => section !== 'working');
  const wire = spell(assembly, thinking);
  const prompt = wire.slice(0, heads.length);
  const system = prompt.flatMap((one): AiSdkModelMessage[] =>
    one.role === 'system' ? [{ role: 'system', content: one.text }] : [],
  );
  const head: AiSdkModelMessage[] = [...system, ...toMessages(liftImages(prompt))];
  const messages = [...head, ...toMessages(liftImages(wire.slice(heads.length)))];
  if (!cacheControl) return messages;
  const set = new Set([system.length - 1, head.length - 1, messages.length - 1]);
  return messages.map((message, index) =>
    set.has(index) ? { ...message, providerOptions: breakpoint } : message,
  );
}

const breakpoint: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The messages but for the system prompt, results of a unit as one. */
function toMessages(wire: readonly WireMessage[]): AiSdkMessage[] {
  const messages: AiSdkMessage[] = [];
  for (const message of wire) {
    const last = messages.at(-1);
    if (message.role === 'system') continue;
    if (message.role !== 'tool') messages.push(toMessage(message));
    else if (last?.role === 'tool') last.content.push(toResult(message));
    else messages.push({ role: 'tool', content: [toResult(message)] });
  }
  return messages;
}

function toMessage(message: Extract<WireMessage, { role: 'user' | 'assistant' }>): AiSdkMessage {
  const raw = rawOf(message, aiSdk);
  if (raw !== undefined) return { role: message.role, content: raw } as AiSdkMessage;
  if (message.role === 'user') {
    const isText = message.parts.every(({ type }) => type === 'text');
    const content = isText ? shownText(message.parts) : message.parts.map(toPart);
    return { role: 'user', content };
  }
  const { text, calls } = message;
  if (calls.length === 0) return { role: 'assistant', content: text === '' ? noText : text };
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  const callParts = calls.map(({ id, name, arguments: input }): AiSdkCall => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input: { ...input } };
  });
  return { role: 'assistant', content: [...texts, ...callParts] };
}

function toPart(part: Part): AiSdkPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { data, mediaType, name } = part;
  return { type: 'file', data, mediaType, ...(name !== undefined && { filename: name }) };
}

function toResult(message: Extract<WireMessage, { role: 'tool' }>): AiSdkResult {
  const raw = rawOf(message, aiSdk);
  if (raw !== undefined) return raw as AiSdkResult;
  const { call, parts, isError } = message;
  const output = { type: isError ? 'error-text' : 'text', value: shownText(parts) } as const;
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}
