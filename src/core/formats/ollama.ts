import type { Assembly } from '../assembly/assembly.ts';
import type { AssistantMessage, Part, ToolCall } from '../messages/message.ts';
import { toolsIn, type ToolSpec } from '../messages/tool-spec.ts';
import { usageFrom, type Usage } from '../messages/usage.ts';
import { isObject } from '../values/json.ts';
import { checkAnswer } from './no-answer.ts';
import {
  base64Of,
  fromArguments,
  isImage,
  mergeNeighbors,
  toWire,
  type WireCall,
  type WireMessage,
  type WireOptions,
} from './wire.ts';
import { shownText } from '../messages/message-text.ts';

// The client's own types have mutable lists, and what is made here is handed
// to it whole; so these have them too.

/** A call as Ollama spells it. */
export interface OllamaCall {
  id?: string;
  function: { name: string; arguments: { [name: string]: unknown } };
}

/** A message as Ollama takes it. */
export interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Base64. */
  images?: string[];
  tool_calls?: OllamaCall[];
  tool_name?: string;
  tool_call_id?: string;
}

/** A tool as Ollama takes it; `parameters` is the schema as it came. */
interface OllamaTool {
  type: 'function';
  function: {
    name: string;
    description: string;
    parameters: { type?: string; required?: string[]; properties?: { [name: string]: object } };
  };
}

/** What `chat()` of the `ollama` package takes beside the model. */
export interface OllamaRequest {
  messages: OllamaMessage[];
  tools?: OllamaTool[];
  /** The window, and the most that may be answered, in tokens. */
  options: { num_ctx: number; num_predict?: number };
  /** A prompt that is too long is an error, never cut in silence. */
  truncate: false;
  shift: false;
}

/** A message as Ollama answers it, as far as it is read. */
interface OllamaResponseMessage {
  readonly content?: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly function: { readonly name: string; readonly arguments: unknown };
  }[];
}

/** An answer of Ollama, as far as it is read. */
interface OllamaResponse {
  readonly message: OllamaResponseMessage;
  readonly done_reason?: string;
}

/**
 * An assembly as `ollama.chat({ model, ...toOllama(assembly) })` takes it.
 * Images in base64 go along, any other file is a line of text. Arguments that
 * are no object stand under `unparsed`, for Ollama takes nothing else.
 */
export function toOllama(
  assembly: Pick<Assembly, 'messages' | 'budget'>,
  options: WireOptions & { readonly tools?: readonly ToolSpec[] } = {},
): OllamaRequest {
  const { window, reserve } = assembly.budget;
  const { merge = false } = options;
  const tools = toolsIn(options);
  const wire = toWire(assembly);
  return {
    messages: (merge ? mergeNeighbors(wire) : wire).map(toMessage),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    options: { num_ctx: window, ...(reserve > 0 && { num_predict: reserve }) },
    truncate: false,
    shift: false,
  };
}

function toMessage(message: WireMessage): OllamaMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', ...contentOf(message.parts) };
    case 'assistant': {
      const { text, calls } = message;
      const content = { role: message.role, content: text };
      return calls.length === 0 ? content : { ...content, tool_calls: calls.map(toCall) };
    }
    case 'tool': {
      const { name, id, originalId } = message.call;
      const answered = { tool_name: name, ...(originalId !== undefined && { tool_call_id: id }) };
      return { role: 'tool', ...contentOf(message.parts), ...answered };
    }
  }
}

function contentOf(parts: readonly Part[]): Pick<OllamaMessage, 'content' | 'images'> {
  const images = parts.flatMap((part) => (isImage(part) ? (base64Of(part) ?? []) : []));
  const content = shownText(parts, (part) => isImage(part) && base64Of(part) !== null);
  return { content, ...(images.length > 0 && { images }) };
}

function toCall(call: WireCall): OllamaCall {
  const { id, originalId, name } = call;
  return {
    ...(originalId !== undefined && { id }),
    function: { name, arguments: { ...call.arguments } },
  };
}

function toTool({ name, description, parameters }: ToolSpec): OllamaTool {
  return { type: 'function', function: { name, description, parameters } };
}

/** Fields by which a message is known from what is none. */
const messageFields = ['role', 'content', 'thinking', 'tool_calls'];

/** What Ollama answered, as a message to append; takes its message or the whole answer, whose `done_reason` is kept. What is neither is refused with `MESSAGE_INVALID`. */
export function fromOllama(given: OllamaResponseMessage | OllamaResponse): AssistantMessage {
  const message = 'message' in given ? given.message : given;
  const isAnswer = message !== given || messageFields.some((name) => name in given);
  checkAnswer(given, 'message', isAnswer && isObject(message));
  const finish = 'message' in given ? given.done_reason : undefined;
  const { content = '', thinking = '', tool_calls = [] } = message;
  return {
    role: 'assistant',
    content,
    ...(tool_calls.length > 0 && { toolCalls: tool_calls.map(fromCall) }),
    ...(thinking !== '' && { thinking }),
    ...(finish !== undefined && { finish }),
  };
}

/** What Ollama counted: an answer, or the last part of one that came in a stream. */
export function usageOf(given: OllamaCounts): Usage {
  const { prompt_eval_count: inputTokens, eval_count: outputTokens } = given;
  return usageFrom({ inputTokens, outputTokens });
}

interface OllamaCounts {
  readonly prompt_eval_count?: number | undefined;
  readonly eval_count?: number | undefined;
}

function fromCall(call: NonNullable<OllamaResponseMessage['tool_calls']>[number]): ToolCall {
  const { name, arguments: args } = call.function;
  const { id = '' } = call;
  return { ...(id !== '' && { id }), name, arguments: fromArguments(args) };
}
