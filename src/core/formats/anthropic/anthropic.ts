import type { Assembly } from '../../assembly/assembly.ts';
import type { Part } from '../../messages/message.ts';
import { isUrl, shownText } from '../../messages/message-text.ts';
import { toolsIn, type ToolSpec } from '../../messages/tool-spec.ts';
import { isObject } from '../../values/json.ts';
import type {
  AnthropicBlock,
  AnthropicContent,
  AnthropicMessage,
  AnthropicText,
  AnthropicTool,
  ImageType,
} from './anthropic-blocks.ts';
import { setBreakpoints, type PlacedBlock } from './anthropic-cache.ts';
import { chronicleBlocks } from './chronicle-blocks.ts';
import { visible } from '../provider-parts.ts';
import { withCallsAsText } from '../calls-as-text.ts';
import { base64Of, isImage, rawOf, toWire, type WireMessage } from '../wire.ts';

// What the Messages API demands beyond what any server does: roles that alternate, the results of a
// unit in one message right behind it, no blank text, ids and names of letters, digits, `_` and `-`.

/** What `messages.create` takes beside the model. */
export interface AnthropicRequest {
  system?: AnthropicText[];
  messages: AnthropicMessage[];
  tools?: AnthropicTool[];
  /** The most that may be answered, in tokens. */
  max_tokens: number;
}

/** How a request is spelled. */
export interface AnthropicOptions {
  readonly tools?: readonly ToolSpec[];
  /** Sets breakpoints of the cache where the prompt stays the same, for five minutes, or for an hour; none unless told. */
  readonly cache?: 'auto' | '1h';
  /** Whether the request will ask for thinking: then calls since the last user message that came without any are told in words, since they would be refused. */
  readonly thinking?: boolean;
}

/** The name under which Anthropic's own spelling is kept. */
export const anthropic = 'anthropic';

/** Ids as the Messages API takes them. */
export const anthropicIds = { longest: 64 } as const;

/** Longest name of a tool that the Messages API takes. */
const longestName = 128;

/** The most that may be answered where nothing is reserved for it, in tokens. */
const leastAnswer = 4_096;

/**
 * An assembly as `client.messages.create({ model, ...toAnthropic(assembly) })` takes it. What
 * Anthropic spelled itself, thinking first of all, goes back as it came; a file that it does not
 * take is a line of text. A name of a tool that it would refuse is respelled, unless `tools` has it.
 */
export function toAnthropic(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: AnthropicOptions = {},
): AnthropicRequest {
  const { cache, thinking = false } = options;
  const tools = toolsIn(options);
  const spelled = toWire(assembly, anthropicIds, { longest: longestName, tools });
  const wire = thinking ? withCallsAsText(spelled, hasThought) : spelled;
  const system: AnthropicText[] = [];
  const placed: Omit<PlacedBlock, 'isSettled'>[] = [];
  let settled: number | null = null;
  for (const [index, message] of wire.entries()) {
    const { section } = assembly.messages[index]!;
    if (message.role === 'system') system.push({ type: 'text', text: visible(message.text) });
    else {
      const raw = rawOf(message, anthropic);
      const isRaw = Array.isArray(raw) && raw.length > 0;
      const splitMessage =
        cache !== undefined && section === 'chronicle' ? inBlocks(message) : message;
      const blocks = isRaw ? (raw as AnthropicBlock[]) : toBlocks(splitMessage);
      const role = message.role === 'assistant' ? 'assistant' : 'user';
      if (section === 'working') settled ??= placed.length;
      placed.push(...blocks.map((block) => ({ role, block, isRaw }) as const));
      if (splitMessage !== message) settled ??= placed.length - 1;
    }
  }
  const isSettled = (index: number): boolean => index < (settled ?? placed.length);
  const request = {
    system,
    tools: tools.map(toTool),
    placed: placed.map((one, index) => ({ ...one, isSettled: isSettled(index) })),
  };
  const set = cache === undefined ? request : setBreakpoints(request, cache);
  const { reserve } = assembly.budget;
  return {
    ...(set.system.length > 0 && { system: set.system }),
    messages: joined(set.placed),
    ...(set.tools.length > 0 && { tools: set.tools }),
    max_tokens: reserve > 0 ? reserve : leastAnswer,
  };
}

/** The chronicle in blocks, so that the cache keeps those that are full; as it is where none is. */
function inBlocks(message: Exclude<WireMessage, { role: 'system' }>): typeof message {
  const [part, ...more] = message.role === 'user' ? message.parts : [];
  if (part?.type !== 'text' || more.length > 0) return message;
  const blocks = chronicleBlocks(part.text);
  if (blocks.length === 1) return message;
  return { ...message, parts: blocks.map((text) => ({ type: 'text', text })) } as typeof message;
}

/** Whether a message begins with thinking that Anthropic spelled. */
function hasThought(message: WireMessage): boolean {
  const raw = rawOf(message, anthropic);
  const first: unknown = Array.isArray(raw) ? raw[0] : undefined;
  return isObject(first) && /^(?:redacted_)?thinking$/.test(String(first['type']));
}

/** The blocks of a message as our fields say it. */
export function toBlocks(message: Exclude<WireMessage, { role: 'system' }>): AnthropicBlock[] {
  switch (message.role) {
    case 'user':
      return toContent(message.parts);
    case 'assistant': {
      const { text, calls } = message;
      const texts = text.trim() === '' && calls.length > 0 ? [] : [visible(text)];
      return [
        ...texts.map((text) => ({ type: 'text', text }) as const),
        ...calls.map(({ id, name, arguments: input }) => {
          return { type: 'tool_use', id, name, input: { ...input } } as const;
        }),
      ];
    }
    case 'tool': {
      const { call, parts, isError } = message;
      const content = toContent(parts);
      return [
        { type: 'tool_result', tool_use_id: call.id, content, ...(isError && { is_error: true }) },
      ];
    }
  }
}

function toContent(parts: readonly Part[]): AnthropicContent[] {
  const blocks = parts.flatMap((part): AnthropicContent[] => {
    const own = fileBlock(part);
    if (own !== null) return [own];
    const text = shownText([part]);
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  });
  return blocks.length > 0 ? blocks : [{ type: 'text', text: visible('') }];
}

/** An image or a PDF as a block; null for what Anthropic does not take. */
function fileBlock(part: Part): AnthropicContent | null {
  if (part.type === 'text') return null;
  const { mediaType, data, name } = part;
  const base64 = base64Of(part);
  if (isImage(part)) {
    if (isUrl(data)) return { type: 'image', source: { type: 'url', url: data } };
    const media_type = imageTypes.find((type) => type === mediaType.replace('jpg', 'jpeg'));
    if (media_type === undefined || base64 === null) return null;
    return { type: 'image', source: { type: 'base64', media_type, data: base64 } };
  }
  if (mediaType !== 'application/pdf') return null;
  const title = name === undefined ? {} : { title: name };
  if (base64 === null) return { type: 'document', source: { type: 'url', url: data }, ...title };
  const source = { type: 'base64', media_type: mediaType, data: base64 } as const;
  return { type: 'document', source, ...title };
}

const imageTypes: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function toTool({ name, description, parameters }: ToolSpec): AnthropicTool {
  return { name, description, input_schema: { ...parameters, type: 'object' } };
}

/** The blocks as messages: neighbors of one role are one. */
function joined(placed: readonly PlacedBlock[]): AnthropicMessage[] {
  const messages: AnthropicMessage[] = [];
  for (const { role, block } of placed) {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(block);
    else messages.push({ role, content: [block] });
  }
  return messages;
}
