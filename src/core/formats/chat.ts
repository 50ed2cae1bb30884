import type { Assembly } from '../assembly/assembly.ts';
import type { Part } from '../messages/message.ts';
import { isUrl, shownText } from '../messages/message-text.ts';
import { toolsIn, type ToolSpec } from '../messages/tool-spec.ts';
import { longestName, openai, toCall, toTool, type OpenAICall, type OpenAITool } from './openai.ts';
import { visible } from './provider-parts.ts';
import {
  addressOf,
  base64Of,
  isImage,
  liftImages,
  mergeNeighbors,
  rawOf,
  toWire,
  type WireMessage,
  type WireOptions,
} from './wire.ts';

/** A part of a user message. */
type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: 'low' | 'high' | 'auto' } }
  | { type: 'file'; file: { filename: string; file_data: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } };

/** A message as chat completions take it. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'developer'; content: string }
  | { role: 'user'; content: string | ChatPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAICall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** What chat completions take beside the model. */
export interface ChatCompletionRequest {
  messages: ChatMessage[];
  tools?: OpenAITool[];
  /** The most that may be answered, in tokens; the name of one is that of the other's elder. */
  max_completion_tokens?: number;
  max_tokens?: number;
}

/** How a request is spelled. */
export interface ChatOptions extends WireOptions {
  readonly tools?: readonly ToolSpec[];
  /** What the limit of the answer is called: the elder name for servers that know no other; `max_completion_tokens` unless told. */
  readonly limit?: 'max_completion_tokens' | 'max_tokens';
  /** The role of the system prompt: `developer` for models that think; `system` unless told. */
  readonly role?: 'system' | 'developer';
}

/** Ids as chat completions take them. */
export const chatIds = { longest: 40 } as const;

/**
 * An assembly as `client.chat.completions.create({ model, ...toChat(assembly) })` takes it. What the
 * server spelled itself goes back as it came. Images of a result follow behind the results of its
 * unit; a file that is no image, PDF or sound is a line of text. Names of tools are respelled as by
 * `toOpenAI`.
 */
export function toChat(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: ChatOptions = {},
): ChatCompletionRequest {
  const { reserve } = assembly.budget;
  const tools = toolsIn(options);
  const { merge = false, limit = 'max_completion_tokens', role = 'system' } = options;
  const wire = liftImages(toWire(assembly, chatIds, { longest: longestName, tools }));
  return {
    messages: (merge ? mergeNeighbors(wire) : wire).map((message) => {
      if (message.role === 'system') return { role, content: message.text };
      return (rawOf(message, openai) as ChatMessage | undefined) ?? toChatMessage(message);
    }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(reserve > 0 && { [limit]: reserve }),
  };
}

/** A message as our fields say it. */
export function toChatMessage(message: Exclude<WireMessage, { role: 'system' }>): ChatMessage {
  switch (message.role) {
    case 'user': {
      const { parts } = message;
      const isText = parts.every((part) => ownPart(part) === null);
      return { role: 'user', content: isText ? shownText(parts) : parts.map(toPart) };
    }
    case 'assistant': {
      const { text, calls } = message;
      if (calls.length === 0) return { role: 'assistant', content: visible(text) };
      const content = text === '' ? null : text;
      return { role: 'assistant', content, tool_calls: calls.map(toCall) };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.call.id, content: shownText(message.parts) };
  }
}

const toPart = (part: Part): ChatPart => ownPart(part) ?? { type: 'text', text: shownText([part]) };

/** A file as chat completions take it; null for what they take as text. */
function ownPart(part: Part): ChatPart | null {
  if (part.type === 'text') return null;
  const { mediaType, name = 'file.pdf', detail, data } = part;
  if (isImage(part)) {
    const image_url = { url: addressOf(part), ...(detail !== undefined && { detail }) };
    return { type: 'image_url', image_url };
  }
  if (isUrl(data)) return null;
  if (mediaType === 'application/pdf')
    return { type: 'file', file: { filename: name, file_data: addressOf(part) } };
  const format = soundFormat[mediaType];
  if (format === undefined) return null;
  return { type: 'input_audio', input_audio: { data: base64Of(part)!, format } };
}

const soundFormat: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};
