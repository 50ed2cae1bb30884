import type { Assembly } from '../assembly/assembly.ts';
import type { AssistantMessage, Part, ToolCall } from '../messages/message.ts';
import type { JsonSchema, ToolSpec } from '../messages/tool-spec.ts';
import {
  addressOf,
  fromArguments,
  isImage,
  liftImages,
  mergeNeighbors,
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
interface OpenAITool {
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

/** A message as chat completions answer it, as far as it is read. */
interface OpenAIResponseMessage {
  readonly content?: string | null;
  /** What servers of thinking models add. */
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?:
    | readonly {
        readonly id?: string | null;
        readonly function?: { readonly name: string; readonly arguments?: unknown };
      }[]
    | null;
}

/** An answer of chat completions, as far as it is read. */
interface OpenAIResponse {
  readonly choices: readonly {
    readonly message: OpenAIResponseMessage;
    readonly finish_reason?: string | null;
  }[];
}

/**
 * An assembly as `client.chat.completions.create({ model, ...toOpenAI(assembly) })`
 * takes it. Images of a result follow behind the results of its unit, any other
 * file is a line of text. Arguments that are no object stand under `unparsed`:
 * most servers read the history's JSON.
 */
export function toOpenAI(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: WireOptions & { readonly tools?: readonly ToolSpec[] } = {},
): OpenAIRequest {
  const { reserve } = assembly.budget;
  const { tools = [], merge = false } = options;
  const wire = liftImages(toWire(assembly));
  return {
    messages: (merge ? mergeNeighbors(wire) : wire).map(toMessage),
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

function toCall({ id, name, json }: WireCall): OpenAICall {
  return { id, type: 'function', function: { name, arguments: json } };
}

function toTool({ name, description, parameters }: ToolSpec): OpenAITool {
  return { type: 'function', function: { name, description, parameters: copyOf(parameters) } };
}

const copyOf = (schema: JsonSchema): { [name: string]: unknown } => ({ ...schema });

/** What chat completions answered, as a message to append; takes the message or the whole answer, whose first choice is read. */
export function fromOpenAI(given: OpenAIResponseMessage | OpenAIResponse): AssistantMessage {
  const choice = 'choices' in given ? given.choices[0] : undefined;
  const message: OpenAIResponseMessage = 'choices' in given ? (choice?.message ?? {}) : given;
  const calls = (message.tool_calls ?? []).flatMap(fromCall);
  const thinking = message.reasoning_content ?? message.reasoning ?? '';
  const finish = choice?.finish_reason ?? null;
  return {
    role: 'assistant',
    content: message.content ?? '',
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thinking !== '' && { thinking }),
    ...(finish !== null && { finish }),
  };
}

function fromCall(
  call: NonNullable<OpenAIResponseMessage['tool_calls']>[number],
): readonly ToolCall[] {
  if (call.function === undefined) return [];
  const { name, arguments: given } = call.function;
  const id = call.id ?? '';
  return [{ ...(id !== '' && { id }), name, arguments: fromArguments(given) }];
}
