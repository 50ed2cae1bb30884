import type { ChatResponse, Options } from 'ollama';
import { fromOllama, type OllamaRequest } from '../../core/formats/ollama.ts';
import type { ChatListener, ChatReply } from '../chat-model.ts';
import { fieldOf, isObject } from '../../core/values/json.ts';
import { interrupted } from '../server/model-error.ts';
import { countsOf, replyCollector } from '../server/reply.ts';
import { streamJson, type OllamaCall } from './call.ts';

/** What is asked of a model, beside its name; the server is never to cut it. */
export interface OllamaQuestion extends Pick<OllamaRequest, 'messages' | 'tools'> {
  readonly options: Partial<Options>;
  readonly think?: boolean | 'low' | 'medium' | 'high' | undefined;
  readonly keep_alive?: string | number | undefined;
}

/** Asks, and hears the answer as it comes. */
export async function converse(
  call: OllamaCall,
  question: OllamaQuestion,
  listener: ChatListener = {},
): Promise<ChatReply> {
  const { asked } = call.endpoint;
  const words = replyCollector(listener);
  const calls: NonNullable<ChatResponse['message']['tool_calls']> = [];
  let last: Partial<ChatResponse> = {};
  const body = { model: asked.model, ...question, truncate: false, shift: false };
  for await (const part of streamJson(call, '/chat', body)) {
    if (!isPart(part)) throw interrupted(asked, `no answer: ${JSON.stringify(part)}`);
    const { content, thinking, tool_calls: called } = part.message;
    words.add(content ?? '', thinking ?? '');
    for (const one of called ?? []) calls.push(one);
    last = part;
  }
  const { text: content, thinking } = words.end();
  const { done_reason } = last;
  return {
    message: fromOllama({
      message: { content, thinking, tool_calls: calls },
      ...(done_reason !== undefined && { done_reason }),
    }),
    ...countsOf(['prompt_eval_count', last.prompt_eval_count], ['eval_count', last.eval_count]),
  };
}

/** Whether a line has the shape of an answer. */
function isPart(value: object): value is ChatResponse {
  const message = fieldOf(value, 'message');
  if (!isObject(message)) return false;
  const { content, thinking, tool_calls: calls } = message;
  const isText = (said: unknown): boolean => typeof (said ?? '') === 'string';
  const isCall = (called: unknown): boolean =>
    typeof fieldOf(fieldOf(called, 'function'), 'name') === 'string';
  const list = calls ?? [];
  return isText(content) && isText(thinking) && Array.isArray(list) && list.every(isCall);
}
