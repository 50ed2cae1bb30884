import type { Assembly } from '../assembly/assembly.ts';
import type { Content, Message, Part, ToolCall, ToolMessage } from '../messages/message.ts';
import {
  fromArguments,
  liftImages,
  mergeNeighbors,
  toWire,
  type WireMessage,
  type WireOptions,
} from './wire.ts';
import { shownText } from '../messages/message-text.ts';

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
type AiSdkMessage =
  | { role: 'user'; content: string | AiSdkPart[] }
  | { role: 'assistant'; content: string | ({ type: 'text'; text: string } | AiSdkCall)[] }
  | { role: 'tool'; content: AiSdkResult[] };

/** What `generateText` and `streamText` take beside the model and its tools. */
interface AiSdkRequest {
  system?: string;
  messages: AiSdkMessage[];
  /** The most that may be answered, in tokens. */
  maxOutputTokens?: number;
}

/** A message of the AI SDK, as far as it is read. */
interface AiSdkResponseMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** A result of `generateText`, awaited `response` of `streamText`, or what holds either's messages. */
interface AiSdkResponse {
  /** Of every step, where there is one (7). */
  readonly responseMessages?: readonly AiSdkResponseMessage[];
  readonly response?: { readonly messages?: readonly AiSdkResponseMessage[] };
  readonly messages?: readonly AiSdkResponseMessage[];
  readonly finishReason?: string;
}

/**
 * An assembly as `generateText({ model, tools, ...toAiSdk(assembly) })` takes
 * it. Images of a result follow behind the results of its unit, all of which
 * are one message; any other file of a result or an answer is a line of text.
 */
export function toAiSdk(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: WireOptions = {},
): AiSdkRequest {
  const { reserve } = assembly.budget;
  const wire = liftImages(toWire(assembly));
  const system: string[] = [];
  const messages: AiSdkMessage[] = [];
  for (const message of options.merge === true ? mergeNeighbors(wire) : wire) {
    const last = messages.at(-1);
    if (message.role === 'system') system.push(message.text);
    else if (message.role !== 'tool') messages.push(toMessage(message));
    else if (last?.role === 'tool') last.content.push(toResult(message));
    else messages.push({ role: 'tool', content: [toResult(message)] });
  }
  return {
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages,
    ...(reserve > 0 && { maxOutputTokens: reserve }),
  };
}

function toMessage(message: Extract<WireMessage, { role: 'user' | 'assistant' }>): AiSdkMessage {
  if (message.role === 'user') {
    const isText = message.parts.every(({ type }) => type === 'text');
    const content = isText ? shownText(message.parts) : message.parts.map(toPart);
    return { role: 'user', content };
  }
  const { text, calls } = message;
  if (calls.length === 0) return { role: 'assistant', content: text };
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  const made = calls.map(({ id, name, arguments: input }): AiSdkCall => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input: { ...input } };
  });
  return { role: 'assistant', content: [...texts, ...made] };
}

function toPart(part: Part): AiSdkPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { data, mediaType, name } = part;
  return { type: 'file', data, mediaType, ...(name !== undefined && { filename: name }) };
}

function toResult(message: Extract<WireMessage, { role: 'tool' }>): AiSdkResult {
  const { call, parts, isError } = message;
  const output = { type: isError ? 'error-text' : 'text', value: shownText(parts) } as const;
  return { type: 'tool-result', toolCallId: call.id, toolName: call.name, output };
}

/**
 * What the AI SDK answered, as messages to append in their order: the model's
 * and the results of tools that it ran. Takes messages, or what holds them.
 */
export function fromAiSdk(
  given: readonly AiSdkResponseMessage[] | AiSdkResponse,
): readonly Message[] {
  const answer: AiSdkResponse = 'length' in given ? { messages: given } : given;
  const found = answer.responseMessages ?? answer.response?.messages ?? answer.messages ?? [];
  const messages = found.flatMap(fromMessage);
  const { finishReason: finish } = answer;
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (finish === undefined || last < 0) return messages;
  return messages.with(last, { ...messages[last]!, finish } as Message);
}

/** A part of any version, as far as it is read. */
interface AnyPart {
  readonly type?: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: { readonly type?: string; readonly value?: unknown; readonly reason?: string };
  readonly data?: unknown;
  readonly mediaType?: string;
}

function fromMessage({ role, content }: AiSdkResponseMessage): readonly Message[] {
  const parts: readonly AnyPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const results = parts.filter(({ type }) => type === 'tool-result').map(fromResult);
  if (role !== 'assistant') return role === 'tool' ? results : [];
  const textOfType = (wanted: string): string =>
    parts.flatMap(({ type, text }) => (type === wanted ? [text ?? ''] : [])).join('');
  const calls = parts.filter(({ type }) => type === 'tool-call').map(fromCall);
  const thinking = textOfType('reasoning');
  const message: Message = {
    role: 'assistant',
    content: textOfType('text'),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thinking !== '' && { thinking }),
  };
  return [message, ...results];
}

function fromCall({ toolCallId: id, toolName = '', input }: AnyPart): ToolCall {
  return { ...(id !== undefined && { id }), name: toolName, arguments: fromArguments(input) };
}

function fromResult({ toolCallId, toolName, output }: AnyPart): ToolMessage {
  const { type = '' } = output ?? {};
  return {
    role: 'tool',
    ...(toolCallId !== undefined && { toolCallId }),
    ...(toolName !== undefined && { name: toolName }),
    content: contentOf(output ?? {}),
    ...((type.startsWith('error') || type === 'execution-denied') && { isError: true }),
  };
}

function contentOf({ type, value, reason = '' }: NonNullable<AnyPart['output']>): Content {
  if (type === 'execution-denied') return `[denied] ${reason}`.trim();
  if (type === 'content' && Array.isArray(value))
    return (value as readonly AnyPart[]).map(fromPart);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function fromPart(part: AnyPart): Part {
  const { text, data, mediaType } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof data === 'string' && mediaType !== undefined) return { type: 'file', mediaType, data };
  return { type: 'text', text: JSON.stringify(part) };
}
