import type { AssistantMessage, Message, Part, ToolCall } from '../messages/message.ts';
import { usageFrom, type Usage } from '../messages/usage.ts';
import { isObject } from '../values/json.ts';
import { chatIds, toChatMessage } from './chat.ts';
import { checkAnswer } from './no-answer.ts';
import { openai } from './openai.ts';
import { contentOf, dense, isSame, machineMessage, named, wireOf } from './provider-parts.ts';
import { fromArguments, typeIn } from './wire.ts';

/** A call of either kind, as far as it is read. */
interface ChatCall {
  readonly id?: string | null;
  readonly function?: { readonly name: string; readonly arguments?: unknown };
  readonly custom?: { readonly name: string; readonly input: string };
}

/** A message of chat completions, as far as it is read. */
interface ChatGiven {
  readonly role?: string;
  readonly content?: string | readonly object[] | null;
  readonly refusal?: string | null;
  /** What servers of thinking models add. */
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly audio?: { readonly id: string; readonly transcript?: string } | null;
  readonly annotations?: readonly object[] | null;
  readonly tool_calls?: readonly ChatCall[] | null;
  readonly tool_call_id?: string;
}

/** An answer of chat completions, as far as it is read. */
interface ChatCompletion {
  readonly choices: readonly {
    readonly message: ChatGiven;
    readonly finish_reason?: string | null;
  }[];
}

/** A part of any kind, as far as it is read. */
interface AnyPart {
  readonly type?: string;
  readonly text?: string;
  readonly refusal?: string;
  readonly image_url?: { readonly url: string; readonly detail?: 'low' | 'high' | 'auto' };
  readonly file?: { readonly filename?: string; readonly file_data?: string };
  readonly input_audio?: { readonly data: string; readonly format: string };
}

/**
 * What chat completions answered, as a message to append: of a whole answer the first choice, or
 * the message itself, and what is neither is refused with `MESSAGE_INVALID`; or a list of messages, as messages to append in their order. What our fields
 * cannot say is named in words, and kept as it came.
 */
export function fromChat(given: ChatCompletion | ChatGiven): AssistantMessage;
export function fromChat(given: readonly ChatGiven[]): readonly Message[];
export function fromChat(
  given: ChatCompletion | ChatGiven | readonly ChatGiven[],
): AssistantMessage | readonly Message[] {
  if ('length' in given) return given.map(fromMessage);
  if (!('choices' in given)) {
    checkAnswer(
      given,
      'choices',
      messageFields.some((name) => name in given),
    );
    return fromAssistant(given);
  }
  const choice = given.choices?.[0];
  checkAnswer(given, 'choices', isObject(choice?.message));
  const message = fromAssistant(choice!.message);
  const finish = choice!.finish_reason ?? null;
  return finish === null ? message : { ...message, finish };
}

/** Fields by which a message is known from what is none. */
const messageFields = ['role', 'content', 'refusal', 'audio', 'reasoning_content', 'tool_calls'];

/** {@link fromChat} of one message or answer. */
export const fromOpenAI = (given: ChatCompletion | ChatGiven): AssistantMessage => fromChat(given);

function fromMessage(source: ChatGiven): Message {
  const { role = 'message', tool_call_id: toolCallId } = source;
  if (role === 'assistant') return fromAssistant(source);
  const content = contentOf(partsOf(source));
  if (role === 'user') return kept({ role: 'user', content }, source);
  if (role !== 'tool') return machineMessage(role, content);
  return { role: 'tool', ...(toolCallId !== undefined && { toolCallId }), content };
}

function fromAssistant(source: ChatGiven): AssistantMessage {
  const calls = (source.tool_calls ?? []).map(fromCall);
  const thinking = source.reasoning_content ?? source.reasoning ?? '';
  const parts = partsOf(source);
  const contentParts = parts.length > 0 ? parts : saidOtherwise(source);
  const annotations = source.annotations ?? [];
  const message: AssistantMessage = {
    role: 'assistant',
    content: contentOf(contentParts),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thinking !== '' && { thinking }),
    ...(annotations.length > 0 && { meta: { annotations } }),
  };
  return kept(message, source);
}

/** What is said in place of a text: a refusal, or the words of a sound. */
function saidOtherwise({ refusal, audio }: ChatGiven): readonly Part[] {
  const text = refusal ?? audio?.transcript ?? '';
  return text === '' ? [] : [{ type: 'text', text }];
}

/** The message with what was given, where it does not say it all. */
function kept<M extends Message>(message: M, source: ChatGiven): M {
  return isSaid(message, source)
    ? message
    : { ...message, provider: { name: openai, raw: toSend(source) } };
}

/** Fields that a message of ours says, or that nobody takes back. */
const saidFields = new Set(
  'role content reasoning_content reasoning annotations tool_calls tool_call_id'.split(' '),
);

function isSaid(message: Message, source: ChatGiven): boolean {
  const fields = dense(source) as Readonly<Record<string, unknown>>;
  if (Object.keys(fields).some((name) => !saidFields.has(name))) return false;
  if (!(source.tool_calls ?? []).every(isFunction)) return false;
  if (typeof source.content === 'string' || source.content === null || source.content === undefined)
    return true;
  const wire = wireOf(message, chatIds);
  const again = wire.role === 'system' ? null : toChatMessage(wire).content;
  return isSame(
    source.content,
    typeof again === 'string' ? [{ type: 'text', text: again }] : again,
  );
}

const callFields = new Set(['id', 'type', 'function', 'index']);

const isFunction = (call: ChatCall): boolean =>
  call.function !== undefined &&
  Object.keys(dense(call) as object).every((name) => callFields.has(name));

/** A message as it is sent back: without what is empty, and of a sound the id alone. */
function toSend(message: ChatGiven): unknown {
  const { annotations: _, audio, ...fields } = message;
  const filled = Object.entries(fields).filter(
    ([name, value]) =>
      value !== undefined &&
      (name === 'content' || value !== null) &&
      !(Array.isArray(value) && value.length === 0),
  );
  const role = { role: 'assistant' };
  return { ...role, ...Object.fromEntries(filled), ...(audio && { audio: { id: audio.id } }) };
}

function fromCall({ id, function: called, custom, ...rest }: ChatCall): ToolCall {
  const own = id === null || id === undefined || id === '' ? {} : { id };
  if (called !== undefined)
    return { ...own, name: called.name, arguments: fromArguments(called.arguments) };
  if (custom !== undefined) return { ...own, name: custom.name, arguments: custom.input };
  return { ...own, name: 'unknown', arguments: JSON.stringify(rest) };
}

function partsOf({ content }: ChatGiven): readonly Part[] {
  if (typeof content !== 'string') return (content ?? []).map(toPart);
  return content === '' ? [] : [{ type: 'text', text: content }];
}

function toPart(part: AnyPart): Part {
  const { type = 'part', text, refusal, image_url: image, file, input_audio: sound } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof refusal === 'string') return { type: 'text', text: refusal };
  if (image !== undefined) {
    const detail = image.detail === undefined ? {} : { detail: image.detail };
    return { type: 'file', mediaType: typeIn(image.url, 'image/*'), data: image.url, ...detail };
  }
  if (file?.file_data !== undefined) {
    const { file_data: data, filename } = file;
    const name = filename === undefined ? {} : { name: filename };
    return { type: 'file', mediaType: typeIn(data, 'application/pdf'), data, ...name };
  }
  if (sound !== undefined) {
    const mediaType = sound.format === 'mp3' ? 'audio/mpeg' : `audio/${sound.format}`;
    return { type: 'file', mediaType, data: sound.data };
  }
  const { type: _, ...held } = part;
  return { type: 'text', text: named(type, held) };
}

/** What chat completions counted: their `usage`, or an answer that has one; the Responses API's, too. */
export function usageOf(given: { readonly usage?: object | null } | object): Usage {
  const usage = ('usage' in given ? given.usage : given) as OpenAIUsage | null | undefined;
  const input = usage?.prompt_tokens_details ?? usage?.input_tokens_details;
  const output = usage?.completion_tokens_details ?? usage?.output_tokens_details;
  return usageFrom({
    inputTokens: usage?.prompt_tokens ?? usage?.input_tokens,
    outputTokens: usage?.completion_tokens ?? usage?.output_tokens,
    cachedInputTokens: input?.cached_tokens,
    reasoningTokens: output?.reasoning_tokens,
  });
}

interface OpenAIUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
  readonly input_tokens_details?: { readonly cached_tokens?: number } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number } | null;
}
