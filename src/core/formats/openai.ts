import type { Assembly } from '../assembly/assembly.ts';
import type { Part } from '../messages/message.ts';
import { toolsIn, type JsonSchema, type ToolSpec } from '../messages/tool-spec.ts';
import {
  addressOf,
  isImage,
  liftImages,
  mergeNeighbors,
  rawOf,
  toWire,
  type WireCall,
  type WireMessage,
  type WireOptions,
} from './wire.ts';
import { shownText } from '../messages/message-text.ts';

/** A call as chat completions spell it. */
export interface OpenAICall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A part of a user message. */
type OpenAIPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } };

/** A message as chat completions take it. */
export type OpenAIMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | OpenAIPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAICall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** A tool as chat completions take it. */
export interface OpenAITool {
  type: 'function';
  function: { name: string; description: string; parameters: { [name: string]: unknown } };
}

/** What chat completions take beside the model. */
export interface OpenAIRequest {
  messages: OpenAIMessage[];
  tools?: OpenAITool[];
  /** The most that may be answered, in tokens. */
  max_tokens?: number;
}

/** The name under which the spelling of chat completions is kept. */
export const openai = 'openai';

/** Longest name of a tool that OpenAI takes. */
export const longestName = 64;

/**
 * An assembly as `client.chat.completions.create({ model, ...toOpenAI(assembly) })`
 * takes it. Images of a result follow behind the results of its unit, any other
 * file is a line of text. Arguments that are no object stand under `unparsed`:
 * most servers read the history's JSON. A name of a tool that OpenAI would refuse is
 * respelled, unless `tools` has it.
 */
export function toOpenAI(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: WireOptions & { readonly tools?: readonly ToolSpec[] } = {},
): OpenAIRequest {
  const { reserve } = assembly.budget;
  const { merge = false } = options;
  const tools = toolsIn(options);
  const wire = liftImages(toWire(assembly, undefined, { longest: longestName, tools }));
  return {
    messages: (merge ? mergeNeighbors(wire) : wire).map(
      (message) => (rawOf(message, openai) as OpenAIMessage | undefined) ?? toMessage(message),
    ),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(reserve > 0 && { max_tokens: reserve }),
  };
}

function toMessage(message: WireMessage): OpenAIMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: contentOf(message.parts) };
    case 'assistant': {
      const { text, calls } = message;
      if (calls.length === 0) return { role: 'assistant', content: text };
      const content = text === '' ? null : text;
      return { role: 'assistant', content, tool_calls: calls.map(toCall) };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.call.id, content: shownText(message.parts) };
  }
}

function contentOf(parts: readonly Part[]): string | OpenAIPart[] {
  if (!parts.some(isImage)) return shownText(parts);
  return parts.map((part) =>
    isImage(part)
      ? { type: 'image_url', image_url: { url: addressOf(part) } }
      : { type: 'text', text: shownText([part]) },
  );
}

/** A call as chat completions spell it. */
export function toCall({ id, name, json }: WireCall): OpenAICall {
  return { id, type: 'function', function: { name, arguments: json } };
}

/** A tool as chat completions take it. */
export function toTool({ name, description, parameters }: ToolSpec): OpenAITool {
  return { type: 'function', function: { name, description, parameters: copyOf(parameters) } };
}

const copyOf = (schema: JsonSchema): { [name: string]: unknown } => ({ ...schema });
