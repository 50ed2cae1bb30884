import type {
  AssistantMessage,
  FilePart,
  Message,
  Part,
  ToolCall,
} from '../../messages/message.ts';
import { usageFrom, type Usage } from '../../messages/usage.ts';
import { isObject } from '../../values/json.ts';
import { anthropic, anthropicIds, toBlocks } from './anthropic.ts';
import { checkAnswer } from '../no-answer.ts';
import { contentOf, machineMessage, named, withRaw, wireOf } from '../provider-parts.ts';
import { fromArguments } from '../wire.ts';

/** A message of the Messages API, as far as it is read. */
interface AnthropicGiven {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly object[];
  readonly stop_reason?: string | null;
}

/** An answer of the Messages API. */
type AnthropicAnswer = AnthropicGiven & { readonly role: 'assistant' };

/** A block of any kind, as far as it is read. */
interface AnyBlock {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  readonly title?: string | null;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean | null;
  readonly source?: {
    readonly type?: string;
    readonly media_type?: string;
    readonly data?: string;
    readonly url?: string;
  };
}

/**
 * What the Messages API answered, as a message to append, and what is no answer is refused with
 * `MESSAGE_INVALID`; or a list of its messages, as messages to append in their order. Thinking is kept with its signature; what our fields cannot say is
 * named in words, and kept as it came.
 */
export function fromAnthropic(given: AnthropicAnswer): AssistantMessage;
export function fromAnthropic(given: readonly AnthropicGiven[]): readonly Message[];
export function fromAnthropic(
  given: AnthropicAnswer | readonly AnthropicGiven[],
): AssistantMessage | readonly Message[] {
  if ('length' in given) return given.flatMap(fromMessage);
  checkAnswer(given, 'content', isContent(given.content));
  return fromAssistant(given);
}

const isContent = (content: unknown): boolean =>
  typeof content === 'string' || Array.isArray(content);

function fromMessage(source: AnthropicGiven): readonly Message[] {
  if (source.role === 'assistant') return [fromAssistant(source)];
  const blocks = blocksOf(source);
  if (source.role === 'system') return [machineMessage('system', contentOf(blocks.map(toPart)))];
  const results = blocks.filter(({ type }) => type === 'tool_result').map(fromResult);
  const rest = blocks.filter(({ type }) => type !== 'tool_result');
  return rest.length === 0 ? results : [...results, fromUser(rest)];
}

function fromUser(blocks: readonly AnyBlock[]): Message {
  return kept({ role: 'user', content: contentOf(blocks.map(toPart)) }, blocks);
}

function fromAssistant(source: AnthropicGiven): AssistantMessage {
  const blocks = blocksOf(source);
  const texts = blocks.filter(({ type = '' }) => !separateKinds.has(type));
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(fromCall);
  const thinking = blocks.flatMap(({ thinking }) => thinking ?? []).join('\n');
  const finish = source.stop_reason ?? null;
  const message: AssistantMessage = {
    role: 'assistant',
    content: contentOf(texts.map(toPart)),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thinking !== '' && { thinking }),
    ...(finish !== null && { finish }),
  };
  return blocks.length === 0 ? message : kept(message, blocks);
}

/** Kinds of blocks that are no part of the content. */
const separateKinds = new Set(['tool_use', 'thinking', 'redacted_thinking']);

/** The message with its blocks, unless it says them all. */
function kept<M extends Message>(message: M, blocks: readonly AnyBlock[]): M {
  const raw = blocks.map(withoutBreakpoint);
  const wire = wireOf(message, anthropicIds);
  const again = wire.role === 'system' ? [] : toBlocks(wire);
  return withRaw(message, { name: anthropic, raw, again });
}

const blocksOf = ({ content }: AnthropicGiven): readonly AnyBlock[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content;

/** A block as it goes back: without a breakpoint, which belongs to a request, and without citations where there are none. */
function withoutBreakpoint(block: AnyBlock): unknown {
  const { cache_control: _, ...rest } = block as AnyBlock & { readonly cache_control?: unknown };
  const { citations, ...bare } = rest as AnyBlock & { readonly citations?: unknown };
  return citations === null || (Array.isArray(citations) && citations.length === 0) ? bare : rest;
}

function fromCall({ id, name = '', input }: AnyBlock): ToolCall {
  return { ...(id !== undefined && { id }), name, arguments: fromArguments(input) };
}

function fromResult(block: AnyBlock): Message {
  const { tool_use_id: toolCallId, content, is_error } = block;
  const inner: readonly AnyBlock[] = Array.isArray(content)
    ? (content as readonly AnyBlock[])
    : typeof content === 'string' && content !== ''
      ? [{ type: 'text', text: content }]
      : [];
  const message: Message = {
    role: 'tool',
    ...(toolCallId !== undefined && { toolCallId }),
    content: contentOf(inner.map(toPart)),
    ...(is_error === true && { isError: true }),
  };
  return inner.length === 0 ? message : kept(message, [{ ...block, content: inner }]);
}

/** A block as a part of our own; named where there is none for it. */
function toPart(block: AnyBlock): Part {
  const { type = 'block', text } = block;
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  const file = fileOf(block);
  if (file !== null) return file;
  const { type: _, id: __, ...held } = block as AnyBlock & { readonly [name: string]: unknown };
  return { type: 'text', text: named(type, Object.keys(held).length === 0 ? undefined : held) };
}

function fileOf({ type, source, title }: AnyBlock): FilePart | null {
  if ((type !== 'image' && type !== 'document') || !isObject(source)) return null;
  const { media_type, data, url } = source;
  const name = typeof title === 'string' ? { name: title } : {};
  const mediaType = media_type ?? (type === 'image' ? 'image/*' : 'application/pdf');
  if (source.type === 'url' && url !== undefined)
    return { type: 'file', mediaType, data: url, ...name };
  if (source.type === 'base64' && data !== undefined)
    return { type: 'file', mediaType, data, ...name };
  return null;
}

/** What the Messages API counted: its `usage`, or an answer that has one. All of the prompt is input, cached or not. */
export function usageOf(given: { readonly usage?: object | null } | object): Usage {
  const usage = ('usage' in given ? given.usage : given) as AnthropicUsage | null | undefined;
  const { input_tokens, output_tokens } = usage ?? {};
  const cacheWriteTokens = usage?.cache_creation_input_tokens ?? undefined;
  const cachedInputTokens = usage?.cache_read_input_tokens ?? undefined;
  const inputTokens =
    input_tokens === undefined
      ? undefined
      : input_tokens + (cacheWriteTokens ?? 0) + (cachedInputTokens ?? 0);
  const outputTokens = output_tokens;
  return usageFrom({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens });
}

interface AnthropicUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}
