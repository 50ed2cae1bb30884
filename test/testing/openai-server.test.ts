import { expect, test } from 'vitest';
import { startOpenAIServer, type OpenAIServer } from '../../src/testing/openai-server.ts';
import { gate } from '../gate.ts';

const messages = [{ role: 'user', content: 'Say hello' }];
const calls = [{ id: 'a', name: 'read', arguments: { path: 'naïve.ts' } }];

function post(server: OpenAIServer, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'scripted', messages, ...body }),
    ...init,
  });
}

async function said(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

interface Event {
  readonly choices: readonly { delta: Record<string, unknown>; finish_reason: string | null }[];
  readonly usage?: unknown;
}

/** The events of a stream, and how it ended. */
async function events(response: Response): Promise<{ events: Event[]; done: boolean }> {
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: '));
  const data = lines.map((line) => line.slice('data: '.length));
  const done = data.at(-1) === '[DONE]';
  return {
    events: data.slice(0, done ? -1 : undefined).map((one) => JSON.parse(one) as Event),
    done,
  };
}

async function get(server: OpenAIServer, path: string): Promise<unknown> {
  return (await fetch(`${new URL(server.url).origin}${path}`)).json();
}

test('an answer comes whole, with counts of its own', async () => {
  await using server = await startOpenAIServer({
    reply: 'Hello there',
    count: (text) => text.length,
  });
  const { status, body } = await said(await post(server, {}));
  const prompt = '<|user|>Say hello\n<|assistant|>'.length;
  expect(status).toBe(200);
  expect(body).toEqual({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'scripted',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: 11, total_tokens: prompt + 11 },
  });
  expect(server.chats[0]).toMatchObject({
    status: 200,
    tokens: prompt,
    aborted: false,
    ended: true,
  });
});

test('a stream gives text, thinking and calls in pieces, and usage where it is asked for', async () => {
  const reply = { content: 'Hello', thinking: 'Hm', toolCalls: calls, piece: 4 };
  await using server = await startOpenAIServer({ reply });
  const asked = { stream: true, stream_options: { include_usage: true } };
  const heard = await events(await post(server, asked));
  expect(heard.done).toBe(true);
  expect(heard.events.at(-1)).toMatchObject({
    choices: [],
    usage: { total_tokens: expect.any(Number) },
  });
  const deltas = heard.events.slice(0, -1).map(({ choices }) => choices[0]!.delta);
  expect(deltas.slice(0, 5)).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'Hm' },
    { content: 'Hell' },
    { content: 'o' },
    {
      tool_calls: [
        { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '' } },
      ],
    },
  ]);
  const pieces = deltas
    .slice(5)
    .flatMap(
      ({ tool_calls: given = [] }) => given as { index: number; function: { arguments: string } }[],
    );
  expect(pieces.every(({ index }) => index === 0)).toBe(true);
  expect(pieces.map((piece) => piece.function.arguments).join('')).toBe('{"path":"naïve.ts"}');
  const silent = await events(await post(server, { stream: true }));
  expect(silent.events.some(({ usage }) => usage !== undefined)).toBe(false);
  expect(silent.events.at(-1)!.choices[0]!.finish_reason).toBe('tool_calls');
});

test('lines are answered in their order, the last for ever, by what was asked', async () => {
  await using server = await startOpenAIServer({ reply: ['one', ({ n }) => `number ${n}`] });
  const texts: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { body } = await said(await post(server, {}));
    texts.push(
      (body as { choices: { message: { content: string } }[] }).choices[0]!.message.content,
    );
  }
  expect(texts).toEqual(['one', 'number 1', 'number 2']);
});

test('a text that has no room is cut, and the answer says so', async () => {
  await using server = await startOpenAIServer({
    reply: 'x'.repeat(99),
    count: (text) => text.length,
  });
  const { body } = await said(await post(server, { max_tokens: 10 }));
  expect(body).toMatchObject({
    choices: [{ message: { content: 'x'.repeat(10) }, finish_reason: 'length' }],
    usage: { completion_tokens: 10 },
  });
});

test('a stream is cut into chunks of any size, with comments between its events', async () => {
  const reply = { content: 'Grüße, 世界', chunk: 1, comments: true };
  await using server = await startOpenAIServer({ reply });
  const response = await post(server, { stream: true });
  const sizes: number[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body!) {
    sizes.push(part.length);
    text += decoder.decode(part, { stream: true });
  }
  expect(sizes.length).toBeGreaterThan(text.length / 2);
  expect(text.startsWith(': keep-alive\n\ndata: {')).toBe(true);
  expect(text).toContain('"Grüße, 世界"');
});

test('without its key it answers nobody', async () => {
  await using server = await startOpenAIServer({ key: 'secret' });
  const wrong = await said(await post(server, {}));
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
  const right = await post(server, {}, { headers: { authorization: 'Bearer secret' } });
  expect(right.status).toBe(200);
});

test('what it does not know it refuses: models, fields, paths, bodies', async () => {
  await using server = await startOpenAIServer({ refuses: ['stream_options'] });
  const other = await said(await post(server, { model: 'other' }));
  expect(other).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
  expect((await post(server, { stream_options: {} })).status).toBe(400);
  expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
  expect((await post(server, {}, { body: 'no JSON' })).status).toBe(400);
});

test.each([
  ['openai', { error: { code: 'context_length_exceeded' } }],
  ['vllm', { object: 'error', message: expect.stringContaining('maximum context length is 20') }],
  ['llama.cpp', { error: { type: 'exceed_context_size_error', n_prompt_tokens: 31, n_ctx: 20 } }],
  ['lm-studio', { error: { message: expect.stringContaining('context length of only 20') } }],
] as const)(
  'a prompt longer than the window is refused in the words of %s',
  async (dialect, body) => {
    const count = (text: string): number => text.length;
    await using server = await startOpenAIServer({ dialect, window: 20, count });
    expect(await said(await post(server, {}))).toMatchObject({ status: 400, body });
    const streamed = await post(server, { stream: true });
    if (dialect !== 'lm-studio') return expect(await said(streamed)).toMatchObject({ status: 400 });
    expect(streamed.status).toBe(200);
    expect(await streamed.text()).toMatch(/^event: error\ndata: \{"error"/);
  },
);

test('room for the answer counts with some servers, and is left to chance by others', async () => {
  const options = { window: 40, count: (text: string) => text.length };
  const status = async (dialect: 'vllm' | 'llama.cpp'): Promise<number> => {
    await using server = await startOpenAIServer({ ...options, dialect });
    return (await post(server, { max_tokens: 20 })).status;
  };
  expect([await status('vllm'), await status('llama.cpp')]).toEqual([400, 200]);
});

test('each kind of server tells its window where its kind does', async () => {
  const sizes = { model: 'm', window: 4096, trained: 32_768, parameters: 3e9 };
  await using vllm = await startOpenAIServer({ ...sizes, dialect: 'vllm' });
  expect(await get(vllm, '/v1/models')).toMatchObject({ data: [{ id: 'm', max_model_len: 4096 }] });
  await using llama = await startOpenAIServer({ ...sizes, dialect: 'llama.cpp' });
  expect(await get(llama, '/props')).toMatchObject({
    default_generation_settings: { n_ctx: 4096 },
  });
  expect(await get(llama, '/v1/models')).toMatchObject({
    data: [{ meta: { n_ctx_train: 32_768, n_params: 3e9 } }],
  });
  await using studio = await startOpenAIServer({ ...sizes, dialect: 'lm-studio' });
  expect(await get(studio, '/api/v0/models')).toMatchObject({
    data: [{ state: 'loaded', loaded_context_length: 4096, max_context_length: 32_768 }],
  });
  await using plain = await startOpenAIServer(sizes);
  expect(await get(plain, '/v1/models')).toEqual({
    object: 'list',
    data: [{ id: 'm', object: 'model', created: 1_700_000_000, owned_by: 'scripted' }],
  });
});

test('an error goes out with its status and headers, or in the stream', async () => {
  await using server = await startOpenAIServer({
    reply: [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, error: '<html>busy</html>' },
      { content: 'Hello', errorAfter: 2, error: { error: { message: 'out of memory' } } },
    ],
  });
  const busy = await post(server, {});
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7']);
  const page = await post(server, { stream: true });
  expect([page.status, await page.text()]).toEqual([503, '<html>busy</html>']);
  const broken = await events(await post(server, { stream: true }));
  expect(broken.done).toBe(false);
  expect(broken.events).toHaveLength(3);
  expect(broken.events.at(-1)).toEqual({ error: { message: 'out of memory' } });
});

test('a stream ends early, or its socket drops, and that is nobody hanging up', async () => {
  await using server = await startOpenAIServer({
    reply: [
      { content: 'Hello', endAfter: 2 },
      { content: 'Hello', dropAfter: 2 },
    ],
  });
  const ended = await events(await post(server, { stream: true }));
  expect([ended.events.length, ended.done]).toEqual([2, false]);
  const dropped = await post(server, { stream: true });
  await expect(dropped.text()).rejects.toThrow();
  await server.idle();
  expect(server.chats.map(({ aborted }) => aborted)).toEqual([false, false]);
});

test('a client that hangs up while it waits is seen', async () => {
  const arrived = gate();
  const before = (): Promise<never> => {
    arrived.open();
    return new Promise(() => {});
  };
  await using server = await startOpenAIServer({ reply: { content: 'Hello', before } });
  const ending = new AbortController();
  const outcome = post(server, { stream: true }, { signal: ending.signal });
  await arrived.passed;
  ending.abort();
  await expect(outcome).rejects.toThrow();
  await server.idle();
  expect(server.chats[0]).toMatchObject({ status: null, aborted: true, ended: true });
});

test('a body goes out byte for byte', async () => {
  const reply = { raw: 'data: {"broken\n\n', type: 'text/plain' };
  await using server = await startOpenAIServer({ reply });
  const response = await post(server, {});
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(await response.text()).toBe(reply.raw);
});

test('delays are of its clock', async () => {
  const timers: { readonly run: () => void; readonly milliseconds: number }[] = [];
  const clock = {
    now: () => 0,
    setTimeout: (run: () => void, milliseconds: number) => timers.push({ run, milliseconds }),
    clearTimeout: () => {},
  };
  await using server = await startOpenAIServer({ reply: { content: 'late', delay: 5000 }, clock });
  const outcome = post(server, {});
  await expect.poll(() => timers.length).toBe(1);
  expect(timers[0]!.milliseconds).toBe(5000);
  timers[0]!.run();
  expect((await outcome).status).toBe(200);
});
