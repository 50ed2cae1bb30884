import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { startOllamaServer, type OllamaServerOptions } from '../../src/testing/ollama-server.ts';
import type { OllamaReply } from '../../src/testing/ollama/reply.ts';
import { gate } from '../gate.ts';
import { errorOf } from './error-of.ts';

const messages = [{ role: 'user', content: 'hello' }];
const chat = { model: 'm', messages };
const streamed = { ...chat, stream: true as const };

async function serve(options: OllamaServerOptions = {}) {
  const server = await startOllamaServer({ models: { m: {} }, ...options });
  return { server, client: new Ollama({ host: server.url }) };
}

/** Everything an iterator gives, and what it ends with. */
async function drain<T>(parts: AsyncIterable<T>): Promise<{ parts: T[]; error: string | null }> {
  const seen: T[] = [];
  try {
    for await (const part of parts) seen.push(part);
    return { parts: seen, error: null };
  } catch (error) {
    return { parts: seen, error: (error as Error).message };
  }
}

test('a chat is answered as the script says, and streamed in chunks', async () => {
  const { server, client } = await serve({ reply: 'one two' });
  await using _ = server;
  const { parts } = await drain(await client.chat(streamed));
  expect(parts.map(({ message, done }) => [message.content, done])).toEqual([
    ['one ', false],
    ['two', false],
    ['', true],
  ]);
  const whole = await client.chat(chat);
  expect(whole.message).toEqual({ role: 'assistant', content: 'one two' });
  expect(whole).toMatchObject({ model: 'm', done: true, done_reason: 'stop', eval_count: 2 });
  expect(whole.prompt_eval_count).toBe(server.log[0]?.tokens);
  expect(whole.total_duration).toBe(
    whole.load_duration + whole.prompt_eval_duration + whole.eval_duration,
  );
  expect(server.log[1]).toMatchObject({ method: 'POST', path: '/api/chat', body: chat });
});

test('a stream is what a request gets that does not say', async () => {
  const { server } = await serve({ reply: 'one two' });
  await using _ = server;
  const body = JSON.stringify({ model: 'm', messages });
  const response = await fetch(`${server.url}/api/chat`, { method: 'POST', body });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect((await response.text()).trim().split('\n')).toHaveLength(3);
});

test('a prompt is completed', async () => {
  const { server, client } = await serve({ reply: ({ prompt }) => `${prompt.length > 0} end` });
  await using _ = server;
  const whole = await client.generate({ model: 'm', prompt: 'begin' });
  expect(whole).toMatchObject({ response: 'true end', done: true, done_reason: 'stop' });
  const stream = await client.generate({ model: 'm', prompt: 'begin', stream: true });
  const { parts } = await drain(stream);
  expect(parts.map(({ response }) => response)).toEqual(['true ', 'end', '']);
});

test('a script is followed line by line, and its last line goes on', async () => {
  const { server, client } = await serve({ reply: ['a', ({ n }) => `b${n}`, { content: 'c' }] });
  await using _ = server;
  const said: string[] = [];
  for (let n = 0; n < 4; n += 1) said.push((await client.chat(chat)).message.content);
  expect(said).toEqual(['a', 'b1', 'c', 'c']);
});

test('tool calls come in one chunk before the last', async () => {
  const toolCalls = [
    { name: 'read', arguments: { path: 'a.ts' } },
    { id: 'mine', name: 'list', arguments: {} },
  ];
  const { server, client } = await serve({ reply: { content: 'look', toolCalls } });
  await using _ = server;
  const calls = [
    { id: 'call_0_0', function: { index: 0, name: 'read', arguments: { path: 'a.ts' } } },
    { id: 'mine', function: { index: 1, name: 'list', arguments: {} } },
  ];
  const { parts } = await drain(await client.chat(streamed));
  expect(parts.map(({ message }) => message)).toEqual([
    { role: 'assistant', content: 'look' },
    { role: 'assistant', content: '', tool_calls: calls },
    { role: 'assistant', content: '' },
  ]);
  expect(parts.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
  const whole = await client.chat(chat);
  expect(whole.message.tool_calls).toHaveLength(2);
});

test('a model thinks if it can, unless told not to', async () => {
  const { server, client } = await serve({
    models: { m: { capabilities: ['completion', 'thinking'] } },
    reply: { thinking: 'hm hm', content: 'yes' },
  });
  await using _ = server;
  const { parts } = await drain(await client.chat(streamed));
  expect(parts.map(({ message }) => message)).toEqual([
    { role: 'assistant', content: '', thinking: 'hm ' },
    { role: 'assistant', content: '', thinking: 'hm' },
    { role: 'assistant', content: 'yes' },
    { role: 'assistant', content: '' },
  ]);
  expect((await client.chat(chat)).message.thinking).toBe('hm hm');
  expect((await client.chat({ ...chat, think: false })).message.thinking).toBeUndefined();
});

test('a value is answered as JSON, for requests with a format', async () => {
  const { server, client } = await serve({ reply: { content: { kept: ['a', 1] } } });
  await using _ = server;
  const format = { type: 'object', properties: { kept: { type: 'array' } } };
  const { message } = await client.chat({ ...chat, format });
  expect(message.content).toBe('{"kept":["a",1]}');
  expect(server.log[0]?.body.format).toEqual(format);
});

test('num_predict ends an answer with length, and so does a full window that may not shift', async () => {
  const { server, client } = await serve({ reply: 'a b c d e f g h i j' });
  await using _ = server;
  const short = await client.chat({ ...chat, options: { num_predict: 3 } });
  expect(short).toMatchObject({ done_reason: 'length', eval_count: 3 });
  expect(short.message.content).toBe('a b c ');
  const window = short.prompt_eval_count + 5;
  const full = { ...chat, options: { num_ctx: window }, shift: false };
  expect(await client.chat(full)).toMatchObject({ done_reason: 'length', eval_count: 5 });
  const moving = await client.chat({ ...chat, options: { num_ctx: window } });
  expect(moving).toMatchObject({ done_reason: 'stop', eval_count: 10 });
});

test('counts and reasons are what the reply says where it says so', async () => {
  const { server, client } = await serve({
    reply: { content: 'a', promptEvalCount: 7, evalCount: null, doneReason: 'cancelled' },
  });
  await using _ = server;
  const whole = await client.chat(chat);
  expect(whole).toMatchObject({ prompt_eval_count: 7, done_reason: 'cancelled' });
  expect(whole).not.toHaveProperty('eval_count');
});

test('the server tells its version, its models and what a model is', async () => {
  const { server, client } = await serve({
    models: {
      'llama3.2:3b': { parameterCount: 3_212_749_888, numCtx: 8_192, contextLength: 131_072 },
      embed: { family: 'bert', capabilities: ['embedding'], parameterCount: 136_727_040 },
    },
    version: '0.33.0',
  });
  await using _ = server;
  expect(await (await fetch(server.url)).text()).toBe('Ollama is running');
  expect(await client.version()).toEqual({ version: '0.33.0' });
  const { models } = await client.list();
  expect(models.map(({ name }) => name)).toEqual(['llama3.2:3b', 'embed:latest']);
  const shown = await client.show({ model: 'llama3.2:3b' });
  expect(shown.parameters).toMatch(/^num_ctx {2,}8192$/m);
  expect(shown.details.parameter_size).toBe('3.2B');
  expect(shown.capabilities).toEqual(['completion', 'tools']);
  expect(shown.model_info).toMatchObject({
    'general.architecture': 'llama',
    'general.parameter_count': 3_212_749_888,
    'llama.context_length': 131_072,
  });
  const other = await client.show({ model: 'embed' });
  expect(other.details.parameter_size).toBe('136.73M');
  expect(other.parameters).not.toContain('num_ctx');
});

test('texts are embedded, cut to the window or refused', async () => {
  const { server, client } = await serve();
  await using _ = server;
  const both = await client.embed({ model: 'm', input: ['a b', 'c'] });
  expect(both.embeddings).toHaveLength(2);
  expect(both.prompt_eval_count).toBe(3);
  const long = { model: 'm', input: 'a '.repeat(5_000), truncate: false };
  expect(await client.embed({ ...long, truncate: true })).toMatchObject({
    prompt_eval_count: 4_096,
  });
  expect(await errorOf(client.embed(long))).toEqual({
    status: 400,
    error: 'the input length exceeds the context length',
  });
});

test('a model is in memory from its first request on, as long as keep_alive says', async () => {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, setTimeout: () => 0, clearTimeout: () => undefined };
  const { server, client } = await serve({ clock });
  await using _ = server;
  const memory = async (): Promise<unknown> =>
    (await client.ps()).models.map(({ name, expires_at: at }) => [name, at]);
  expect(await memory()).toEqual([]);
  const load = await client.chat({ model: 'm', messages: [], keep_alive: '1h30m' });
  expect(load).toMatchObject({ done: true, done_reason: 'load' });
  expect(await memory()).toEqual([['m:latest', '2026-01-01T01:30:00.000Z']]);
  now += 2 * 3_600_000;
  expect(await memory()).toEqual([]);
  await client.chat({ ...chat, keep_alive: -1 });
  expect(await memory()).toEqual([['m:latest', '2318-01-01T00:00:00Z']]);
  const unload = await client.generate({ model: 'm', prompt: '', keep_alive: 0 });
  expect(unload).toMatchObject({ done: true, done_reason: 'unload' });
  expect(await memory()).toEqual([]);
  await client.chat({ ...chat, keep_alive: '0s' });
  expect(server.loaded.size).toBe(0);
  await client.chat({ ...chat, keep_alive: 60 });
  expect(await memory()).toEqual([['m:latest', '2026-01-01T02:01:00.000Z']]);
});

test('releases before 0.9.7 do not tell the window', async () => {
  const { server, client } = await serve({ version: '0.9.6' });
  await using _ = server;
  await client.chat(chat);
  expect((await client.ps()).models[0]).not.toHaveProperty('context_length');
});

test('a model is pulled with progress, and is there', async () => {
  const { server, client } = await serve({ library: { small: { contextLength: 2_048 } } });
  await using _ = server;
  const { parts } = await drain(await client.pull({ model: 'small', stream: true }));
  expect(parts[0]).toEqual({ status: 'pulling manifest' });
  expect(parts.at(-1)).toEqual({ status: 'success' });
  const layers = parts.filter(({ total }) => total > 0);
  expect(layers.at(-1)?.completed).toBe(layers[0]?.total);
  const { model_info: facts } = await client.show({ model: 'small' });
  expect(facts).toMatchObject({ 'llama.context_length': 2_048 });
  expect(await client.pull({ model: 'small' })).toEqual({ status: 'success' });
  const missing = await drain(await client.pull({ model: 'none', stream: true }));
  expect(missing.error).toBe('pull model manifest: file does not exist');
  expect(await errorOf(client.pull({ model: 'none' }))).toMatchObject({ status: 500 });
});

test('a request that the server cannot serve is refused in its words', async () => {
  const { server, client } = await serve({
    models: {
      m: { capabilities: ['completion'] },
      embed: { capabilities: ['embedding'] },
    },
  });
  await using _ = server;
  const tool = { type: 'function', function: { name: 'read' } };
  const refused = await Promise.all(
    [
      client.chat({ ...chat, model: 'none' }),
      client.show({ model: 'none' }),
      client.chat({ ...chat, model: '' }),
      client.chat({ ...chat, model: 'embed' }),
      client.generate({ model: 'embed', prompt: 'a' }),
      client.chat({ ...chat, tools: [tool] }),
      client.chat({ ...chat, think: true }),
    ].map((call) => errorOf(call as Promise<unknown>)),
  );
  expect(refused).toEqual([
    { status: 404, error: "model 'none' not found" },
    { status: 404, error: "model 'none' not found" },
    { status: 400, error: 'model is required' },
    { status: 400, error: '"embed" does not support chat' },
    { status: 400, error: '"embed" does not support generate' },
    { status: 400, error: 'models.invalid/library/m:latest does not support tools' },
    { status: 400, error: '"m" does not support thinking' },
  ]);
  const raw = async (body: string): Promise<unknown> => {
    const response = await fetch(`${server.url}/api/chat`, { method: 'POST', body });
    return [response.status, await response.json()];
  };
  expect(await raw('')).toEqual([400, { error: 'missing request body' }]);
  expect(await raw('{"mo')).toEqual([400, { error: 'invalid character in request body' }]);
  expect((await fetch(`${server.url}/v1/none`)).status).toBe(404);
});

test('more requests than it serves at once are refused as busy', async () => {
  const { passed, open } = gate();
  const begun = gate();
  const { server, client } = await serve({
    parallel: 1,
    reply: async () => {
      begun.open();
      await passed;
      return 'late';
    },
  });
  await using _ = server;
  const first = client.chat(chat);
  await begun.passed;
  expect(await errorOf(client.chat(chat))).toEqual({
    status: 503,
    error: 'server busy, please try again.  maximum pending requests exceeded',
  });
  open();
  expect((await first).message.content).toBe('late');
  expect((await client.chat(chat)).message.content).toBe('late');
});

test('several requests are served at once', async () => {
  const all = gate();
  let asked = 0;
  const { server, client } = await serve({
    reply: async ({ n }) => {
      asked += 1;
      if (asked === 3) all.open();
      await all.passed;
      return `${n}`;
    },
  });
  await using _ = server;
  const replies = await Promise.all([1, 2, 3].map(() => client.chat(chat)));
  expect(replies.map(({ message }) => message.content).sort()).toEqual(['0', '1', '2']);
});

test('an error before the first chunk has a status, and after it a line of the stream', async () => {
  const { server, client } = await serve({
    reply: [
      { error: 'out of memory', status: 507 },
      { content: 'a b c', error: 'gone', errorAfter: 2 },
      { content: 'a b c', error: 'gone', errorAfter: 2 },
      () => Promise.reject(new Error('script is wrong')),
      { content: 'a', errorAfter: 0 },
      { content: 'a b', error: 'late', errorAfter: 9 },
      { content: 'a', errorAfter: 1 },
    ],
  });
  await using _ = server;
  expect(await errorOf(client.chat(streamed))).toEqual({ status: 507, error: 'out of memory' });
  const { parts, error } = await drain(await client.chat(streamed));
  expect([parts.map(({ message }) => message.content), error]).toEqual([['a ', 'b '], 'gone']);
  expect(await errorOf(client.chat(chat))).toEqual({ status: 500, error: 'gone' });
  expect(await errorOf(client.chat(chat))).toEqual({ status: 500, error: 'script is wrong' });
  const told = await drain(await client.chat(streamed));
  const late = await drain(await client.chat(streamed));
  expect([late.parts.length, late.error]).toEqual([2, 'late']);
  expect(await errorOf(client.chat(chat))).toMatchObject({ status: 500 });
  expect(told.error).toMatch(/^an error was encountered while running the model/);
});

test('a socket is dropped, before the status or between chunks', async () => {
  const heard = gate();
  const { server, client } = await serve({
    reply: [
      { content: 'a b', dropAfter: 0 },
      { content: 'a b', dropAfter: 1, before: (n) => (n === 1 ? heard.passed : undefined) },
      { content: 'a b', dropAfter: 1 },
    ],
  });
  await using _ = server;
  await expect(client.chat(streamed)).rejects.toThrow('fetch failed');
  const seen: string[] = [];
  const stream = await client.chat(streamed);
  const reading = (async () => {
    for await (const { message } of stream) {
      seen.push(message.content);
      heard.open();
    }
  })();
  await expect(reading).rejects.toThrow('terminated');
  expect(seen).toEqual(['a ']);
  await expect(client.chat(chat)).rejects.toThrow('fetch failed');
  await server.idle();
  expect(server.log.map(({ status, aborted }) => [status, aborted])).toEqual([
    [null, false],
    [200, false],
    [null, false],
  ]);
});

test('a stream may end without its last chunk', async () => {
  const { server, client } = await serve({
    reply: [
      { content: 'a b c', endAfter: 1 },
      { content: 'a', endAfter: 0 },
    ],
  });
  await using _ = server;
  const { parts, error } = await drain(await client.chat(streamed));
  expect(parts.map(({ message }) => message.content)).toEqual(['a ']);
  expect(error).toBe('Did not receive done or success response in stream.');
  expect(await drain(await client.chat(streamed))).toEqual({ parts: [], error });
  expect(server.log[1]?.status).toBe(200);
});

test('a client that hangs up is seen, between chunks and before the answer', async () => {
  const never = new Promise<void>(() => undefined);
  const asked = gate();
  const signals: AbortSignal[] = [];
  const { server, client } = await serve({
    reply: [
      { content: 'a b c', before: (n) => (n === 1 ? never : undefined) },
      ({ signal }) => {
        signals.push(signal);
        asked.open();
        return never.then(() => 'never');
      },
    ],
  });
  await using _ = server;
  const stream = await client.chat(streamed);
  const reading = (async () => {
    for await (const _part of stream) stream.abort();
  })();
  await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await server.idle();
  const controller = new AbortController();
  const body = JSON.stringify({ ...chat, stream: false });
  const { signal } = controller;
  const second = fetch(`${server.url}/api/chat`, { method: 'POST', body, signal });
  await asked.passed;
  controller.abort();
  await expect(second).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await server.idle();
  expect(server.log).toMatchObject([
    { status: 200, aborted: true, ended: true },
    { status: null, aborted: true, ended: true },
  ]);
  expect(signals[0]?.aborted).toBe(true);
});

test('delays are those of the clock, before the status and between chunks', async () => {
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    setTimeout: (run: () => void, milliseconds: number) => {
      waits.push(milliseconds);
      run();
    },
    clearTimeout: () => undefined,
  };
  const { server, client } = await serve({
    clock,
    reply: { content: 'a b', delay: 500, pause: 30 },
  });
  await using _ = server;
  await drain(await client.chat(streamed));
  expect(waits).toEqual([500, 30, 30]);
});

test('an answer of many chunks leaves nothing behind that Node warns of', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): number => warnings.push(message);
  process.on('warning', hear);
  const { server, client } = await serve({ reply: 'a '.repeat(100) });
  await using _ = server;
  expect((await drain(await client.chat(streamed))).parts).toHaveLength(101);
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});

test('closing ends what is under way, and frees the port', async () => {
  const asked = gate();
  const { server, client } = await serve({
    reply: () => {
      asked.open();
      return new Promise<OllamaReply>(() => undefined);
    },
  });
  const call = client.chat(chat).then(
    () => 'answered',
    (error: Error) => error.message,
  );
  await asked.passed;
  await server.close();
  expect(await call).toBe('fetch failed');
  expect(server.log).toMatchObject([{ aborted: true, ended: true }]);
  await expect(client.version()).rejects.toThrow('fetch failed');
  await server.close();
  await using again = await startOllamaServer({ port: Number(new URL(server.url).port) });
  expect(again.url).toBe(server.url);
});
