import type { OpenAIAsked, OpenAIReply } from './reply.ts';

/** An answer with everything settled. */
export interface CompleteAnswer {
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly finish: string;
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly reply: OpenAIReply;
}

/** What `reply` comes to: text that has no room is cut. `room` is in tokens. */
export function toAnswer(
  reply: OpenAIReply,
  asked: OpenAIAsked,
  { count, room }: { readonly count: (text: string) => number; readonly room: number },
): CompleteAnswer {
  const { content = '', thinking = '', toolCalls = [] } = reply;
  const whole = typeof content === 'string' ? content : JSON.stringify(content);
  const text = cut(whole, room, count);
  const calls = toolCalls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${asked.n + 1}_${index + 1}`,
    name,
    json: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  const said = [thinking, text, ...calls.map(({ name, json }) => name + json)];
  const written = said.reduce((sum, part) => sum + (part === '' ? 0 : count(part)), 0);
  const counted = {
    prompt_tokens: asked.tokens,
    completion_tokens: written,
    total_tokens: asked.tokens + written,
  };
  const end = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    model: asked.body.model ?? '',
    text,
    thinking,
    calls,
    finish: reply.finish ?? (text === whole ? end : 'length'),
    usage: reply.usage === undefined ? counted : reply.usage,
    reply,
  };
}

/** The longest beginning that has room. */
function cut(text: string, room: number, count: (text: string) => number): string {
  if (count(text) <= room) return text;
  const characters = Array.from(text);
  const beginning = (length: number): string => characters.slice(0, length).join('');
  let [fits, over] = [0, characters.length];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (count(beginning(middle)) <= room) fits = middle;
    else over = middle;
  }
  return beginning(fits);
}

/** The answer in one piece. */
export function wholeAnswer(answer: CompleteAnswer): unknown {
  const { text, thinking, calls, finish, usage, reply } = answer;
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(thinking !== '' && { [reply.thinkingIn ?? 'reasoning_content']: thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(toCall) }),
  };
  return {
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finish }],
    ...(usage !== null && { usage }),
  };
}

/** The answer as the events of a stream, without the `[DONE]` at its end. */
export function eventsOf(answer: CompleteAnswer, includeUsage: boolean): readonly unknown[] {
  const { text, thinking, calls, finish, usage, reply } = answer;
  const { piece = 12, thinkingIn = 'reasoning_content' } = reply;
  const around = head(answer, 'chat.completion.chunk');
  const event = (delta: object, finish_reason: string | null = null): unknown => ({
    ...around,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const called = calls.flatMap((call, index) => [
    { index, ...toCall({ ...call, json: '' }) },
    ...piecesOf(call.json, piece).map((part) => ({ index, function: { arguments: part } })),
  ]);
  return [
    event({ role: 'assistant', content: '' }),
    ...piecesOf(thinking, piece).map((part) => event({ [thinkingIn]: part })),
    ...piecesOf(text, piece).map((part) => event({ content: part })),
    ...called.map((call) => event({ tool_calls: [call] })),
    event({}, finish),
    ...(includeUsage && usage !== null ? [{ ...around, choices: [], usage }] : []),
  ];
}

/** Seconds since 1970 that all answers claim to be from. */
const created = 1_700_000_000;

function head({ model }: CompleteAnswer, object: string): object {
  return { id: 'chatcmpl-scripted', object, created, model };
}

function toCall({ id, name, json }: CompleteAnswer['calls'][number]): object {
  return { id, type: 'function', function: { name, arguments: json } };
}

function piecesOf(text: string, length: number): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += length)
    pieces.push(characters.slice(start, start + length).join(''));
  return pieces;
}
