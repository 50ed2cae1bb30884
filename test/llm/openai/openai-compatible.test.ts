import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ChatRequest } from '../../../src/llm/chat-model.ts';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { startOpenAIServer } from '../../../src/testing/openai-server.ts';
import { assemblyOf } from '../../core/formats/wire-arbitrary.ts';

const model = 'scripted';

function saying(content: string, budget?: { window: number; reserve: number }): ChatRequest {
  const messages = [{ role: 'user' as const, content }];
  return { assembly: assemblyOf(messages, budget) as ChatRequest['assembly'] };
}

const event = (choice: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;

/** A stream of deltas, byte for byte. */
const stream = (...deltas: readonly object[]): string =>
  `${deltas.map((delta) => event({ delta })).join('')}${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`;

async function answering(
  raw: string,
  type?: string,
): ReturnType<ReturnType<typeof openaiModel>['reply']> {
  await using server = await startOpenAIServer({ reply: { raw, ...(type && { type }) } });
  return await openaiModel({ baseURL: server.url, model }).reply(saying('Hi'));
}

test('an answer is heard as it comes, and is whole at the end', async () => {
  await using server = await startOpenAIServer({ reply: { content: 'one two three', piece: 4 } });
  const heard: string[] = [];
  const listener = { onText: (text: string) => heard.push(text) };
  const reply = await openaiModel({ baseURL: server.url, model }).reply(saying('Count'), listener);
  expect(heard).toEqual(['one ', 'two ', 'thre', 'e']);
  expect(reply).toEqual({
    message: { role: 'assistant', content: 'one two three', finish: 'stop' },
    usage: { inputTokens: server.chats[0]!.tokens, outputTokens: 4 },
  });
});

test('a request carries the reserve, asks for usage and shows the key', async () => {
  await using server = await startOpenAIServer({ key: 'secret' });
  const options = {
    baseURL: server.url,
    model,
    apiKey: 'secret\n',
    headers: { 'x-title': 'notes' },
  };
  await openaiModel(options).reply(saying('Hi', { window: 2_000, reserve: 300 }));
  expect(server.log).toHaveLength(1);
  expect(server.log[0]!.headers).toMatchObject({
    authorization: 'Bearer secret',
    'x-title': 'notes',
  });
  expect(server.log[0]!.body).toEqual({
    model,
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 300,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('what is asked for beside the messages is sent', async () => {
  await using server = await startOpenAIServer();
  const asked = openaiModel({ baseURL: server.url, model, temperature: 0.5 });
  await asked.reply({ ...saying('Hi'), think: false });
  expect(server.log[0]!.body).toMatchObject({
    temperature: 0.5,
    chat_template_kwargs: { enable_thinking: false },
  });
});

test('an address without a path, with slashes or with a query leads to the API', async () => {
  await using server = await startOpenAIServer();
  const { origin } = new URL(server.url);
  for (const baseURL of [origin, `${origin}/`, `${origin}/v1/`, `${origin}/v1?key=secret`]) {
    const asked = openaiModel({ baseURL, model });
    expect(asked.server).toBe(`${origin}/v1`);
    await asked.reply(saying('Hi'));
  }
  expect(new Set(server.log.map(({ path }) => path))).toEqual(new Set(['/v1/chat/completions']));
});

test.each(['localhost:8080', 'ftp://here', '', 'http://'])('"%s" is no address', (baseURL) => {
  expect(() => openaiModel({ baseURL, model })).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', detail: { option: 'baseURL' } }),
  );
});

test('neither name, password nor query of an address is shown', () => {
  const baseURL = 'http://user:pass@127.0.0.1:1/v1?key=secret';
  expect(openaiModel({ baseURL, model }).server).toBe('http://127.0.0.1:1/v1');
  const broken = () => openaiModel({ baseURL: 'user:pass@127.0.0.1?key=secret', model });
  expect(broken).toThrow(/^(?!.*(?:pass|secret)).*baseURL/);
});

test.each([
  'alice:S3CRET@host:8080/v1',
  'http://alice:S3/CRET@host/v1',
  'ftp://alice:S3/CRET@host',
  'S3CRET',
])('nothing is shown of an address that is none: %s', (baseURL) => {
  expect(() => openaiModel({ baseURL, model })).toThrow(/^(?!.*(?:S3|CRET|alice)).*baseURL/);
});

test('a slash in a password does not show its rest', () => {
  const { server } = openaiModel({ baseURL: 'http://alice:12/S3CRET@host/v1', model });
  expect(server).not.toMatch(/alice|S3CRET/);
});

test.each([
  { apiKey: 'sk-SECRET\nx' },
  { apiKey: 'sk-SECRET…' },
  { apiKey: 'sk-SECRET\0' },
  { headers: { 'x-key': 'SECRET\r\nx: y' } },
  { headers: { 'SECRET key': 'x' } },
])('what no header can carry is refused, and not shown: %j', (given) => {
  let error: unknown;
  try {
    openaiModel({ baseURL: 'http://127.0.0.1:9', model, ...given });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: Object.keys(given)[0] },
  });
  expect(inspect(error, { depth: 9 })).not.toContain('SECRET');
});

test('calls come in pieces and are joined', async () => {
  const toolCalls = [
    { id: 'a', name: 'read', arguments: { path: 'naïve.ts', lines: [1, 2] } },
    { id: 'b', name: 'list', arguments: {} },
  ];
  const reply = { content: 'Let me see', toolCalls, piece: 3, chunk: 5 };
  await using server = await startOpenAIServer({ reply });
  const tools = [{ name: 'read', description: 'Reads', parameters: { type: 'object' } }];
  const asked = openaiModel({ baseURL: server.url, model });
  const { message } = await asked.reply({ ...saying('Read'), tools });
  expect(message).toEqual({
    role: 'assistant',
    content: 'Let me see',
    toolCalls,
    finish: 'tool_calls',
  });
  expect(server.log[0]!.body.tools).toEqual([{ type: 'function', function: tools[0] }]);
});

test('arguments that are no JSON stay a text', async () => {
  const toolCalls = [{ id: 'a', name: 'read', arguments: '{"path": "x' }];
  await using server = await startOpenAIServer({ reply: { toolCalls } });
  const { message } = await openaiModel({ baseURL: server.url, model }).reply(saying('Read'));
  expect(message.toolCalls).toEqual(toolCalls);
});

const part = (index: number | undefined, id: string | undefined, rest: object): object => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: rest,
});

test.each([
  {
    how: 'mixed',
    deltas: [
      part(0, 'a', { name: 'read', arguments: '' }),
      part(1, 'b', { name: 'list', arguments: '{"dir"' }),
      part(0, undefined, { arguments: '{"n":' }),
      part(1, undefined, { arguments: ':"x"}' }),
      part(0, undefined, { arguments: '1}' }),
    ],
  },
  {
    how: 'all under place 0',
    deltas: [
      part(0, 'a', { name: 'read', arguments: '{"n":1}' }),
      part(0, 'b', { name: 'list', arguments: '{"dir":' }),
      part(0, undefined, { arguments: '"x"}' }),
    ],
  },
  {
    how: 'without a place',
    deltas: [
      part(undefined, 'a', { name: 'read', arguments: '{"n"' }),
      part(undefined, undefined, { arguments: ':1}' }),
      part(undefined, 'b', { name: 'list', arguments: { dir: 'x' } }),
    ],
  },
  {
    how: 'with the id and name in each piece',
    deltas: [
      part(0, 'a', { name: 'read', arguments: '{"n"' }),
      part(0, 'a', { name: 'read', arguments: ':1}' }),
      part(1, 'b', { name: 'list', arguments: '{"dir":"x"}' }),
    ],
  },
])('calls are told apart that come $how', async ({ deltas }) => {
  const { message } = await answering(stream(...deltas.map((call) => ({ tool_calls: [call] }))));
  expect(message.toolCalls).toEqual([
    { id: 'a', name: 'read', arguments: { n: 1 } },
    { id: 'b', name: 'list', arguments: { dir: 'x' } },
  ]);
});

test.each(['reasoning_content', 'reasoning'] as const)(
  'thinking is heard apart from %s',
  async (thinkingIn) => {
    const reply = { content: 'Yes', thinking: 'Hm, well', thinkingIn, piece: 2 };
    await using server = await startOpenAIServer({ reply });
    const heard: string[] = [];
    const { message } = await openaiModel({ baseURL: server.url, model }).reply(saying('Is it?'), {
      onText: (text) => heard.push(`text ${text}`),
      onThinking: (text) => heard.push(`thinking ${text}`),
    });
    expect(message).toEqual({
      role: 'assistant',
      content: 'Yes',
      thinking: 'Hm, well',
      finish: 'stop',
    });
    expect(heard.join(', ')).toBe(
      'thinking Hm, thinking , , thinking we, thinking ll, text Ye, text s',
    );
  },
);

test('thinking in the text is moved where it belongs', async () => {
  const reply = { content: '<think>Hm</think>\n\nYes, <think> is a tag', piece: 1 };
  await using server = await startOpenAIServer({ reply });
  const { message } = await openaiModel({ baseURL: server.url, model }).reply(saying('Is it?'));
  expect(message).toMatchObject({ content: 'Yes, <think> is a tag', thinking: 'Hm' });
});

test('thinking of nothing is none', async () => {
  const { message } = await answering(stream({ content: '<think>\n\n</think>\n\nYes' }));
  expect(message).toEqual({ role: 'assistant', content: 'Yes', finish: 'stop' });
});

test('counts that the server does not give are left out', async () => {
  await using server = await startOpenAIServer({
    reply: [{ usage: null }, { usage: { prompt_tokens: 0 } }],
  });
  const asked = openaiModel({ baseURL: server.url, model });
  expect((await asked.reply(saying('Hi'))).usage).toEqual({});
  expect((await asked.reply(saying('Hi'))).usage).toEqual({});
});

test.each([12.5, -1, 1e308, '12', [], true])(
  'a count of %j is none: it is named and left out',
  async (count) => {
    const usage = { prompt_tokens: count, completion_tokens: 4 };
    await using server = await startOpenAIServer({ reply: { content: 'Hello', usage } });
    const reply = await openaiModel({ baseURL: server.url, model }).reply(saying('Hi'));
    expect(reply).toMatchObject({
      message: { content: 'Hello' },
      usage: { outputTokens: 4 },
      ignored: [`prompt_tokens ${JSON.stringify(count)}`],
    });
    expect(reply.usage).not.toHaveProperty('inputTokens');
  },
);

test('usage is read wherever in the stream it stands', async () => {
  const usage = {
    prompt_tokens: 7,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 5 },
  };
  const last = JSON.stringify({
    choices: [{ delta: { content: 'Yes' }, finish_reason: 'stop' }],
    usage,
  });
  const reply = await answering(`data: ${last}\n\ndata: {"choices":[],"usage":null}\n\n`);
  expect(reply.usage).toEqual({ inputTokens: 7, outputTokens: 2, cachedInputTokens: 5 });
});

test.each([
  [0, { cachedInputTokens: 0 }],
  [7, { cachedInputTokens: 7 }],
  [8, {}],
  ['5', {}],
  [-1, {}],
])('of 7 tokens a cache served %j only where that is a share of them', async (cached, told) => {
  const usage = { prompt_tokens: 7, prompt_tokens_details: { cached_tokens: cached } };
  const last = JSON.stringify({
    choices: [{ delta: { content: 'Yes' }, finish_reason: 'stop' }],
    usage,
  });
  const reply = await answering(`data: ${last}\n\n`);
  expect(reply.usage).toEqual({ inputTokens: 7, ...told });
});

test('an answer that its length ended says so', async () => {
  await using server = await startOpenAIServer({ reply: 'word '.repeat(99) });
  const asked = openaiModel({ baseURL: server.url, model });
  const { message } = await asked.reply(saying('Go on', { window: 2_000, reserve: 10 }));
  expect(message.finish).toBe('length');
});

test('an answer that comes whole all the same is taken', async () => {
  const call = { type: 'function', function: { name: 'read', arguments: '{}' } };
  const message = { role: 'assistant', content: 'Yes', reasoning: 'Hm', tool_calls: [call, call] };
  const whole = { choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 9 } };
  const reply = await answering(JSON.stringify(whole), 'application/json');
  expect(reply).toEqual({
    message: {
      role: 'assistant',
      content: 'Yes',
      thinking: 'Hm',
      toolCalls: [
        { name: 'read', arguments: {} },
        { name: 'read', arguments: {} },
      ],
      finish: 'stop',
    },
    usage: { inputTokens: 9 },
  });
});

test.each([
  { refused: 'stream_options', sent: { max_tokens: 600 } },
  {
    refused: 'max_tokens',
    sent: { max_completion_tokens: 600, stream_options: { include_usage: true } },
  },
])('$refused is not sent again to a server that refuses it', async ({ refused, sent }) => {
  await using server = await startOpenAIServer({ refuses: [refused], reply: 'Yes' });
  const asked = openaiModel({ baseURL: server.url, model });
  expect((await asked.reply(saying('Hi'))).message.content).toBe('Yes');
  await asked.reply(saying('Hi'));
  expect(server.chats.map(({ status }) => status)).toEqual([400, 200, 200]);
  for (const { body } of server.chats.slice(1)) {
    expect(body).toMatchObject(sent);
    expect(body).not.toHaveProperty(refused);
  }
});

test('several fields may be refused, one after another', async () => {
  const refuses = ['max_tokens', 'chat_template_kwargs', 'stream_options', 'temperature'];
  await using server = await startOpenAIServer({ refuses, reply: 'Yes' });
  const asked = openaiModel({ baseURL: server.url, model, temperature: 0.7 });
  await asked.reply({ ...saying('Hi'), think: true });
  expect(server.chats.map(({ status }) => status)).toEqual([400, 400, 400, 400, 200]);
});

test('a limit of the answer is not taken for a field that is refused', async () => {
  const error = {
    error: { message: 'max_tokens is too large: 600. This model takes at most 100.' },
  };
  await using server = await startOpenAIServer({ reply: { status: 400, error } });
  const outcome = openaiModel({ baseURL: server.url, model }).reply(saying('Hi'));
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_FAILED', detail: { status: 400 } });
  expect(server.chats).toHaveLength(1);
});

test('requests go through a fetch that is given', async () => {
  await using server = await startOpenAIServer({ reply: 'Yes' });
  const addresses: string[] = [];
  const asked = openaiModel({
    baseURL: server.url,
    model,
    fetch(address, sent) {
      addresses.push(address);
      return fetch(address, sent);
    },
  });
  expect((await asked.reply(saying('Hi'))).message.content).toBe('Yes');
  expect(await asked.models()).toEqual([model]);
  expect(addresses).toEqual([`${server.url}/chat/completions`, `${server.url}/models`]);
});

test.each([
  { why: 'a failure', status: 500, message: 'while processing: stream_options', tries: 1 },
  {
    why: 'a repetition',
    status: 400,
    message: 'bad: {"messages":[],"stream_options":{}}',
    tries: 1,
  },
  { why: 'a refusal that it does not help', status: 400, message: 'temperature', tries: 2 },
])('nothing is left out for good because of $why', async ({ status, message, tries }) => {
  const reply = [
    ...Array.from({ length: tries }, () => ({ status, error: { error: { message } } })),
    'Yes',
  ];
  await using server = await startOpenAIServer({ reply });
  const asked = openaiModel({ baseURL: server.url, model, temperature: 0.1 });
  await expect(asked.reply(saying('Hi'))).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  await asked.reply(saying('Hi'));
  expect(server.chats).toHaveLength(tries + 1);
  expect(server.chats.at(-1)!.body).toMatchObject({
    stream_options: { include_usage: true },
    temperature: 0.1,
  });
});
