import type { AIMessage, BaseMessage, ToolMessage } from 'langchain';
import { contentOf, machineMessage, named } from '../../core/formats/provider-parts.ts';
import type { AssistantMessage, Message, Part, Usage } from '../../index.ts';
import { langchain, type RawAnswer } from './to-langchain.ts';

/** Messages of LangChain as messages to append; system prompts are none. */
export const fromLangChain = (messages: readonly BaseMessage[]): readonly Message[] =>
  messages.flatMap(fromMessage);

function fromMessage(message: BaseMessage): readonly Message[] {
  const { type } = message;
  if (type === 'system') return [];
  if (type === 'ai') return [fromAnswer(message as AIMessage)];
  const content = contentOf(blocksOf(message).map(toPart));
  if (type === 'human') return [{ role: 'user', content }];
  if (type !== 'tool') return [machineMessage(type, content)];
  const { tool_call_id: toolCallId, name, status } = message as ToolMessage;
  return [
    {
      role: 'tool',
      toolCallId,
      content,
      ...(name !== undefined && { name }),
      ...(status === 'error' && { isError: true }),
    },
  ];
}

/** A block of a content, any field of it. */
type Block = Readonly<Record<string, unknown>> & { readonly type: string };

const blocksOf = ({ content }: BaseMessage): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function fromAnswer(message: AIMessage): AssistantMessage {
  const blocks = blocksOf(message);
  const textOf = (types: readonly string[]): string =>
    blocks.flatMap((one) => (types.includes(one.type) ? [textIn(one)] : [])).join('');
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = message;
  const toolCalls = calls.map(({ id, name, args }) => ({
    ...(id !== undefined && { id }),
    name,
    arguments: args,
  }));
  const others = blocks.filter(({ type }) => !said.has(type)).map(toPart);
  const broken = invalid.map(
    (call) => ({ type: 'text', text: named('invalid call', call) }) as const,
  );
  const text = textOf(['text']);
  const parts: readonly Part[] = [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...others,
    ...broken,
  ];
  const thinking = textOf(['thinking', 'reasoning']);
  const { finish_reason, stop_reason, done_reason } = message.response_metadata as Finish;
  const finish = finish_reason ?? stop_reason ?? done_reason;
  const raw = rawAnswer(message, blocks);
  return {
    role: 'assistant',
    content: contentOf(parts),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(thinking !== '' && { thinking }),
    ...(typeof finish === 'string' && { finish }),
    ...(raw !== null && { provider: { name: langchain, raw } }),
  };
}

interface Finish {
  readonly finish_reason?: unknown;
  readonly stop_reason?: unknown;
  readonly done_reason?: unknown;
}

/** Blocks of an answer that our fields say, or that its calls say again. */
const said = new Set([
  'text',
  'thinking',
  'reasoning',
  'redacted_thinking',
  'tool_use',
  'tool_call',
  'input_json_delta',
]);

const textIn = ({ text, thinking, reasoning }: Block): string =>
  [text, thinking, reasoning].find((one): one is string => typeof one === 'string') ?? '';

/** What goes back as it came: blocks that are no text, and what a client added; null for nothing. */
function rawAnswer(
  { content, additional_kwargs: added, response_metadata: metadata }: AIMessage,
  blocks: readonly Block[],
): RawAnswer | null {
  const { tool_calls: _, function_call: __, ...kept } = added;
  if (blocks.every(({ type }) => type === 'text') && Object.keys(kept).length === 0) return null;
  const { output_version, model_provider } = metadata as Record<string, unknown>;
  return {
    content,
    additional_kwargs: kept,
    response_metadata: {
      ...(output_version !== undefined && { output_version }),
      ...(model_provider !== undefined && { model_provider }),
    },
  };
}

/** A block of a content as a part: a text, a file, or anything else in words. */
function toPart(block: Block): Part {
  const { type, text, ...held } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  const {
    image_url: image,
    url,
    data,
    mimeType,
    mime_type,
  } = held as Readonly<Record<string, unknown>>;
  const found = Object(image).url ?? image ?? url ?? data;
  if (typeof found !== 'string') return { type: 'text', text: named(type, held) };
  const [, own, base64] = /^data:([^;,]*);base64,(.*)$/s.exec(found) ?? [];
  const statedType = own ?? mimeType ?? mime_type;
  const mediaType =
    typeof statedType === 'string'
      ? statedType
      : type.startsWith('image')
        ? 'image/*'
        : 'application/octet-stream';
  return { type: 'file', mediaType, data: base64 ?? found };
}

interface Counted {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number };
  readonly output_token_details?: { readonly reasoning?: number };
}

/** What a model counted. */
export function usageIn(message: AIMessage): Usage {
  const usage = message.usage_metadata as Counted | undefined;
  const { input_token_details: input, output_token_details: output } = usage ?? {};
  return {
    ...(usage !== undefined && {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
    }),
    ...(input?.cache_read !== undefined && { cachedInputTokens: input.cache_read }),
    ...(input?.cache_creation !== undefined && { cacheWriteTokens: input.cache_creation }),
    ...(output?.reasoning !== undefined && { reasoningTokens: output.reasoning }),
  };
}
