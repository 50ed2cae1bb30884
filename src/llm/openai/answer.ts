import { fromOpenAI } from '../../core/formats/from-chat.ts';
import type { AssistantMessage } from '../../core/messages/message.ts';
import type { ChatListener, ChatReply } from '../chat-model.ts';
import { countsOf, replyCollector } from '../server/reply.ts';
import { textOf, type CallDelta, type StreamChunk } from './stream-chunk.ts';

// An answer comes in deltas: pieces of text and thinking, and pieces of calls,
// which name the call by its place or by its id. Servers leave out the one or
// the other, and some give every call the place 0.

/** An answer while it comes. */
export interface AnswerBuilder {
  add(chunk: StreamChunk): void;
  /** Whether the server has said why the model stopped. */
  readonly finished: boolean;
  /** The answer as far as it came. */
  end(): ChatReply;
}

/** Joins the deltas of one answer and passes their text to the listener. */
export function answerBuilder(listener: ChatListener): AnswerBuilder {
  const words = replyCollector(listener);
  const calls: OpenCall[] = [];
  let finish: string | null = null;
  let usage: NonNullable<StreamChunk['usage']> = {};

  function add(chunk: StreamChunk): void {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.find(({ index = 0 }) => index === 0);
    const message = choice?.message;
    const delta = choice?.delta ?? message ?? {};
    const thinking = textOf(delta.reasoning_content) || textOf(delta.reasoning);
    words.add(textOf(delta.content), thinking);
    for (const [place, call] of (delta.tool_calls ?? []).entries())
      takeCall(calls, message ? { index: place, ...call } : call);
    finish = choice?.finish_reason ?? finish;
  }

  return {
    add,
    get finished() {
      return finish !== null;
    },
    end: () => ({
      message: messageOf({ ...words.end(), calls, finish }),
      ...countsOf(
        ['prompt_tokens', usage.prompt_tokens],
        ['completion_tokens', usage.completion_tokens],
        usage.prompt_tokens_details?.cached_tokens,
      ),
    }),
  };
}

interface OpenCall {
  readonly index: number | null;
  id: string;
  name: string;
  json: string;
}

function takeCall(calls: OpenCall[], delta: CallDelta): void {
  const { name, arguments: args } = delta.function ?? {};
  let call = callOf(calls, delta);
  if (call === undefined) {
    call = { index: delta.index ?? null, id: '', name: '', json: '' };
    calls.push(call);
  }
  call.id ||= delta.id ?? '';
  call.name ||= name ?? '';
  if (args !== undefined && args !== null)
    call.json += typeof args === 'string' ? args : JSON.stringify(args);
}

/** The call that a delta goes on with; undefined where it begins one. */
function callOf(calls: readonly OpenCall[], delta: CallDelta): OpenCall | undefined {
  const { index = null } = delta;
  const id = delta.id ?? '';
  const goesOn = (call: OpenCall): boolean => id === '' || call.id === '' || call.id === id;
  if (index !== null) return calls.findLast((call) => call.index === index && goesOn(call));
  if (id !== '') return calls.find((call) => call.id === id);
  return delta.function?.name ? undefined : calls.at(-1);
}

function messageOf(said: {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly OpenCall[];
  readonly finish: string | null;
}): AssistantMessage {
  const message = {
    content: said.text,
    reasoning_content: said.thinking.trim() === '' ? '' : said.thinking,
    tool_calls: said.calls.map(({ id, name, json }) => ({
      id,
      function: { name, arguments: json },
    })),
  };
  return fromOpenAI({ choices: [{ message, finish_reason: said.finish }] });
}
