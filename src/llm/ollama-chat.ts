import type { ChatResponse, Options } from 'ollama';
import { fromOllama, type OllamaRequest } from '../core/ollama-wire.ts';
import type { ChatListener, ChatReply } from './chat-model.ts';
import { interrupted } from './model-error.ts';
import { hear, type Call } from './ollama-call.ts';
import { thinkFilter, type Heard } from './think-tag.ts';

/** What is asked of a model, beside its name. */
export interface OllamaQuestion extends Omit<OllamaRequest, 'options'> {
  readonly options: Partial<Options>;
  readonly think?: boolean | 'low' | 'medium' | 'high';
  readonly keep_alive?: string | number;
  /** Schema of the answer. */
  readonly format?: object;
}

/** Asks, and hears the answer as it comes. */
export async function converse(
  call: Call,
  question: OllamaQuestion,
  listener: ChatListener = {},
): Promise<ChatReply> {
  const { model } = call.asked;
  const filter = thinkFilter();
  const whole = { text: '', thinking: '' };
  const calls: NonNullable<ChatResponse['message']['tool_calls']> = [];
  let last: Partial<ChatResponse> = {};
  const take = ({ text, thinking }: Heard): void => {
    whole.text += text;
    whole.thinking += thinking;
    if (thinking !== '') listener.onThinking?.(thinking);
    if (text !== '') listener.onText?.(text);
  };
  for await (const part of hear(call, (own) => own.chat({ ...question, model, stream: true }))) {
    if (!isPart(part)) throw interrupted(call.asked, `no answer: ${JSON.stringify(part)}`);
    const { content, thinking, tool_calls: called } = part.message;
    take({ text: '', thinking: thinking ?? '' });
    if (content) take(filter.push(content));
    calls.push(...(called ?? []));
    last = part;
  }
  take(filter.end());
  const message = { content: whole.text, thinking: whole.thinking, tool_calls: calls };
  const { done_reason } = last;
  return {
    message: fromOllama({ message, ...(done_reason !== undefined && { done_reason }) }),
    usage: usageOf(last),
  };
}

/** Whether a line has the shape of an answer; the client passes on whatever is JSON. */
function isPart(value: unknown): value is ChatResponse {
  const message = (value as { message?: unknown } | null)?.message;
  if (typeof message !== 'object' || message === null) return false;
  const {
    content,
    thinking,
    tool_calls: calls = null,
  } = message as Readonly<Record<string, unknown>>;
  const isText = (said: unknown): boolean =>
    said === undefined || said === null || typeof said === 'string';
  const isCall = (called: unknown): boolean =>
    typeof (called as { function?: { name?: unknown } } | null)?.function?.name === 'string';
  return (
    isText(content) &&
    isText(thinking) &&
    (calls === null || (Array.isArray(calls) && calls.every(isCall)))
  );
}

/** The server's own counts; a 0 is one that it does not know. */
function usageOf(last: Partial<ChatResponse>): ChatReply['usage'] {
  const { prompt_eval_count: read = 0, eval_count: written = 0 } = last;
  return { ...(read > 0 && { inputTokens: read }), ...(written > 0 && { outputTokens: written }) };
}
