import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { OpenAIRequest } from '../../core/formats/openai.ts';
import type { ChatListener, ChatReply } from '../chat-model.ts';
import { errorWords } from '../server/error-words.ts';
import { fieldOf, isObject, jsonOf } from '../../core/values/json.ts';
import {
  errorOf,
  apiAddress,
  longest,
  textChunks,
  send,
  textOf,
  type Call,
} from '../server/model-call.ts';
import { answerTooLong, interrupted } from '../server/model-error.ts';
import { readOverflow } from '../server/overflow-error.ts';
import { errorInStream } from '../server/server-error.ts';
import { answerBuilder, type AnswerBuilder } from './answer.ts';
import type { OpenAICall } from './call.ts';
import { isChunk } from './stream-chunk.ts';

/** What is asked of a model, beside its name. */
export interface OpenAIQuestion extends OpenAIRequest {
  readonly temperature?: number | undefined;
  /** What the chat template is told, where the server has one. */
  readonly chat_template_kwargs?: { readonly enable_thinking: boolean } | undefined;
}

/** Asks, and hears the answer as it comes. */
export async function converse(
  call: OpenAICall,
  question: OpenAIQuestion,
  listener: ChatListener = {},
): Promise<ChatReply> {
  const response = await ask(call, question);
  const answer = answerBuilder(listener);
  const type = response.headers.get('content-type') ?? '';
  if (/json|html/.test(type)) await takeWhole(call, response, answer);
  else await takeStream(call, response, answer);
  return answer.end();
}

/** A field that some servers refuse, how they say it, and what is sent instead. */
interface Concession {
  readonly field: keyof OpenAIQuestion | 'stream_options';
  readonly said: RegExp;
  readonly instead?: string;
}

const concessions: readonly Concession[] = [
  { field: 'stream_options', said: /stream_options|include_usage/ },
  {
    field: 'max_tokens',
    said: /max_completion_tokens|max_tokens[^]{0,80}(?:support|recogni[sz]ed|unknown|permitted|extra)|(?:unsupported|unrecogni[sz]ed|unknown|unexpected)[^]{0,80}max_tokens/i,
    instead: 'max_completion_tokens',
  },
  { field: 'temperature', said: /temperature/ },
  { field: 'chat_template_kwargs', said: /chat_template|enable_thinking/ },
];

/** Sends a question, again without what the server refuses by name; what it did well without is not sent to it again. */
async function ask(call: OpenAICall, question: OpenAIQuestion): Promise<Response> {
  const { endpoint } = call;
  const { model } = endpoint.asked;
  const refused = new Set(endpoint.refused);
  for (;;) {
    const whole = { model, ...question, stream: true, stream_options: { include_usage: true } };
    const body = withoutRefused(whole, refused);
    const response = await send(call, apiAddress(endpoint, '/chat/completions'), body);
    if (response.ok) {
      for (const field of refused) endpoint.refused.add(field);
      return response;
    }
    const text = await textOf(call, response);
    const field = refusedIn(text, body, response.status);
    if (field === null) throw await errorOf(call, response, text);
    refused.add(field);
  }
}

function withoutRefused(
  body: Readonly<Record<string, unknown>>,
  refused: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(body).flatMap(([field, value]): [string, unknown][] => {
    if (!refused.has(field)) return [[field, value]];
    const instead = concessions.find((known) => known.field === field)?.instead;
    return instead === undefined ? [] : [[instead, value]];
  });
  return Object.fromEntries(fields);
}

/** The field of `body` that a refusal is about; null where it is about something else. */
function refusedIn(
  text: string,
  body: Readonly<Record<string, unknown>>,
  status: number,
): string | null {
  if (![400, 404, 422].includes(status) || readOverflow(text) !== null) return null;
  const words = errorWords(text);
  const found = concessions.find(
    ({ field, said }) => body[field] !== undefined && said.test(words),
  );
  return found?.field ?? null;
}

/** Takes an answer that came whole, though a stream was asked for. */
async function takeWhole(call: Call, response: Response, answer: AnswerBuilder): Promise<void> {
  const text = await textOf(call, response);
  const chunk = jsonOf(text);
  if (!isChunk(chunk) || isError(chunk))
    throw await errorOf(
      call,
      { status: statusIn(chunk) ?? response.status, headers: response.headers },
      text,
    );
  answer.add(chunk);
}

async function takeStream(call: Call, response: Response, answer: AnswerBuilder): Promise<void> {
  const { asked } = call.endpoint;
  let done = false;
  for await (const { data, event } of eventsOf(call, response)) {
    done = data.trim() === '[DONE]';
    if (done) break;
    const chunk = jsonOf(data);
    if (event === 'error' || isError(chunk)) throw errorInStream(asked, data);
    if (!isChunk(chunk)) throw interrupted(asked, `no answer in the stream: ${data}`);
    answer.add(chunk);
    call.signal?.throwIfAborted();
  }
  if (!done && !answer.finished) throw interrupted(asked, 'the stream ended before the answer did');
}

/** The events of a response as they come; older llama.cpp sends an error as a field of that name. */
async function* eventsOf(call: Call, response: Response): AsyncGenerator<EventSourceMessage> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: longest.line,
    onEvent: (event) => events.push(event),
    onError: ({ type, field, value = '' }) => {
      if (type === 'max-buffer-size-exceeded')
        throw answerTooLong(call.endpoint.asked, longest.line, 'a line of its answer');
      if (field === 'error') events.push({ event: 'error', data: value });
    },
  });
  const taken = (): readonly EventSourceMessage[] => {
    const ready = events;
    events = [];
    return ready;
  };
  for await (const part of textChunks(call, response)) {
    parser.feed(part);
    yield* taken();
  }
  parser.feed('\n\n');
  yield* taken();
}

const isError = (value: unknown): boolean =>
  (fieldOf(value, 'error') ?? null) !== null || fieldOf(value, 'object') === 'error';

/** The status inside an error that came with another. */
function statusIn(value: unknown): number | null {
  const error = fieldOf(value, 'error');
  const status = (isObject(error) ? error['code'] : null) ?? fieldOf(value, 'code');
  return typeof status === 'number' && status >= 400 && status < 600 ? status : null;
}
