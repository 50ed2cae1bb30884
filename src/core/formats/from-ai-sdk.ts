import type { AssistantMessage, Content, Message, Part, ToolCall } from '../messages/message.ts';
import { usageFrom, type Usage } from '../messages/usage.ts';
import { isObject } from '../values/json.ts';
import { aiSdk } from './ai-sdk.ts';
import { checkAnswer } from './no-answer.ts';
import { contentOf, machineMessage, named } from './provider-parts.ts';
import { bytesAsBase64, fromArguments } from './wire.ts';

/** A message of the AI SDK, as far as it is read. */
interface AiSdkGiven {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** A result of `generateText`, awaited `response` of `streamText`, or what holds either's messages. */
interface AiSdkResponse {
  /** Of every step, where there is one (7). */
  readonly responseMessages?: readonly AiSdkGiven[];
  readonly response?: { readonly messages?: readonly AiSdkGiven[] };
  readonly messages?: readonly AiSdkGiven[];
  readonly finishReason?: string;
}

/** A part of any version, as far as it is read. */
interface AnyPart {
  readonly type?: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: AnyOutput;
  readonly data?: unknown;
  readonly image?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly providerExecuted?: boolean;
  readonly providerOptions?: object;
  readonly providerMetadata?: object;
}

interface AnyOutput {
  readonly type?: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/**
 * What the AI SDK answered, as messages to append in their order: the model's
 * and the results of tools that it ran. Takes messages, those of people among
 * them, or what holds them, and refuses an error with `MESSAGE_INVALID`. What a provider added is kept as it came.
 */
export function fromAiSdk(given: readonly AiSdkGiven[] | AiSdkResponse): readonly Message[] {
  const answer: AiSdkResponse = 'length' in given ? { messages: given } : given;
  const sources = answer.responseMessages ?? answer.response?.messages ?? answer.messages ?? [];
  checkAnswer(answer, 'messages', true);
  const messages = sources.flatMap(fromMessage);
  const { finishReason: finish } = answer;
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (finish === undefined || last < 0) return messages;
  return messages.with(last, { ...messages[last]!, finish } as Message);
}

function fromMessage({ role, content }: AiSdkGiven): readonly Message[] {
  const parts: readonly AnyPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(asJson);
  if (role === 'assistant') return fromAssistant(parts);
  if (role === 'tool') return parts.map(fromResult);
  const converted = contentOf(parts.map(fromPart));
  return [
    role === 'user' ? kept({ role, content: converted }, parts) : machineMessage(role, converted),
  ];
}

function fromAssistant(parts: readonly AnyPart[]): readonly Message[] {
  const own = parts.filter((part) => !isOfServer(part, parts));
  const textOfType = (wanted: string): string =>
    own.flatMap(({ type, text }) => (type === wanted ? [text ?? ''] : [])).join('');
  const others = parts.filter(
    (part) => isOfServer(part, parts) || !answerKinds.has(part.type ?? ''),
  );
  const calls = own.filter(({ type }) => type === 'tool-call').map(fromCall);
  const thinking = textOfType('reasoning');
  const text = textOfType('text');
  const message: AssistantMessage = {
    role: 'assistant',
    content:
      others.length === 0
        ? text
        : contentOf([
            ...(text === '' ? [] : [{ type: 'text', text } as const]),
            ...others.map(fromPart),
          ]),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thinking !== '' && { thinking }),
  };
  const results = own.filter(({ type }) => type === 'tool-result');
  const ownParts = parts.filter((part) => !results.includes(part));
  return [kept(message, ownParts), ...results.map(fromResult)];
}

/** Kinds of parts that an answer of ours says. */
const answerKinds = new Set(['text', 'reasoning', 'tool-call', 'tool-result']);

/** Whether a call was carried out by the server itself, or a part is the result of such a call. */
const isOfServer = (
  { providerExecuted, toolCallId, type }: AnyPart,
  all: readonly AnyPart[],
): boolean =>
  providerExecuted === true ||
  (type === 'tool-result' &&
    all.some((one) => one.toolCallId === toolCallId && one.providerExecuted === true));

/** The message with its parts, where a provider added to them, or our fields have none for one. */
function kept<M extends Message>(message: M, parts: readonly AnyPart[]): M {
  const kinds = message.role === 'user' ? ownKinds : answerKinds;
  const isSaid = parts.every(
    (part) =>
      kinds.has(part.type ?? '') &&
      part.providerExecuted !== true &&
      part.providerOptions === undefined &&
      part.providerMetadata === undefined,
  );
  return isSaid ? message : { ...message, provider: { name: aiSdk, raw: parts } };
}

/** Kinds of parts that a message of a person says. */
const ownKinds = new Set(['text', 'file', 'image']);

function fromCall({ toolCallId: id, toolName = '', input }: AnyPart): ToolCall {
  return { ...(id !== undefined && { id }), name: toolName, arguments: fromArguments(input) };
}

function fromResult(part: AnyPart): Message {
  const { type: kind = 'part', toolCallId, toolName, output } = part;
  if (kind !== 'tool-result') return machineMessage(kind, JSON.stringify(part));
  const { type = '' } = output ?? {};
  return {
    role: 'tool',
    ...(toolCallId !== undefined && { toolCallId }),
    ...(toolName !== undefined && { name: toolName }),
    content: resultOf(output ?? {}),
    ...((type.startsWith('error') || type === 'execution-denied') && { isError: true }),
    ...(part.providerOptions !== undefined && { provider: { name: aiSdk, raw: part } }),
  };
}

function resultOf({ type, value, reason = '' }: AnyOutput): Content {
  if (type === 'execution-denied') return `[denied] ${reason}`.trim();
  if (type === 'content' && Array.isArray(value)) return value.map(fromResultPart);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function fromResultPart(part: AnyPart): Part {
  const { text, data, mediaType } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof data === 'string' && mediaType !== undefined) return { type: 'file', mediaType, data };
  return { type: 'text', text: JSON.stringify(part) };
}

function fromPart(part: AnyPart): Part {
  const { type = 'part', text, filename, image } = part;
  const data = part.data ?? image;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof data === 'string') {
    const mediaType =
      part.mediaType ?? (image === undefined ? 'application/octet-stream' : 'image/*');
    return { type: 'file', mediaType, data, ...(filename !== undefined && { name: filename }) };
  }
  const { type: _, ...held } = part;
  return { type: 'text', text: named(type.replaceAll('-', ' '), held) };
}

/** A part as JSON holds it: bytes as base64, addresses as text. */
function asJson(part: AnyPart): AnyPart {
  const { data, image } = part;
  return {
    ...part,
    ...(data !== undefined && { data: dataText(data) }),
    ...(image !== undefined && { image: dataText(image) }),
  };
}

function dataText(data: unknown): unknown {
  if (data instanceof Uint8Array) return bytesAsBase64(data);
  if (data instanceof ArrayBuffer) return bytesAsBase64(new Uint8Array(data));
  if (!isObject(data)) return data;
  const { href, url, data: inner } = data;
  return typeof href === 'string' ? href : dataText(url ?? inner ?? JSON.stringify(data));
}

/** What the AI SDK counted: a `usage` of any version, or a result that has one. */
export function usageOf(given: { readonly usage?: object | null } | object): Usage {
  const usage = ('usage' in given ? given.usage : given) as AiSdkUsage | null | undefined;
  const { inputTokenDetails: input, outputTokenDetails: output } = usage ?? {};
  return usageFrom({
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    cachedInputTokens: input?.cacheReadTokens ?? usage?.cachedInputTokens,
    cacheWriteTokens: input?.cacheWriteTokens,
    reasoningTokens: output?.reasoningTokens ?? usage?.reasoningTokens,
  });
}

interface AiSdkUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly inputTokenDetails?: {
    readonly cacheReadTokens?: number | undefined;
    readonly cacheWriteTokens?: number | undefined;
  };
  readonly outputTokenDetails?: { readonly reasoningTokens?: number | undefined };
}
