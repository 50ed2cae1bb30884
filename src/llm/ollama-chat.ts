import type { ChatResponse, Options } from 'ollama';

import { fromOllama, type OllamaRequest } from '../core/ollama-wire.ts';
import type { ChatListener, ChatReply } from './chat-model.ts';
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
    const { content, thinking = '', tool_calls = [] } = part.message;
    take({ text: '', thinking });
    if (content) take(filter.push(content));
    calls.push(...tool_calls);
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

/** The server's own counts; a 0 is one that it does not know. */
function usageOf(last: Partial<ChatResponse>): ChatReply['usage'] {
  const { prompt_eval_count: read = 0, eval_count: written = 0 } = last;
  return { ...(read > 0 && { inputTokens: read }), ...(written > 0 && { outputTokens: written }) };
}
