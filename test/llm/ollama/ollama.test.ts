import { Ollama } from 'ollama';
import { expect, test, vi } from 'vitest';
import type { ChatRequest } from '../../../src/llm/chat-model.ts';
import { ollamaModel } from '../../../src/llm/ollama/ollama.ts';
import { startOllamaServer } from '../../../src/testing/ollama-server.ts';
import { assemblyOf } from '../../core/formats/wire-arbitrary.ts';
import { stubServer } from '../stub-server.ts';

const name = 'llama3.2:3b';

function saying(content: string, budget?: { window: number; reserve: number }): ChatRequest {
  const messages = [{ role: 'user' as const, content }];
  return { assembly: assemblyOf(messages, budget) as ChatRequest['assembly'] };
}

test('an answer is heard as it comes, and is whole at the end', async () => {
  await using server = await startOllamaServer({ models: { [name]: {} }, reply: 'one two three' });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const heard: string[] = [];
  const reply = await model.reply(saying('Count'), { onText: (text) => heard.push(text) });
  expect(heard).toEqual(['one ', 'two ', 'three']);
  expect(reply.message).toEqual({ role: 'assistant', content: 'one two three', finish: 'stop' });
  const { tokens } = server.log[0]!;
  expect(reply.usage).toEqual({ inputTokens: tokens, outputTokens: expect.any(Number) });
});

test('a request carries window and reserve, and forbids the server to cut', async () => {
  await using server = await startOllamaServer({ models: { [name]: {} } });
  const client = new Ollama({ host: server.url });
  const more = { num_gpu: 0, num_ctx: 1 };
  const model = ollamaModel(client, name, { keepAlive: '10m', temperature: 0.5, options: more });
  await model.reply(saying('Hi', { window: 2_000, reserve: 300 }));
  expect(server.log[0]?.body).toEqual({
    model: name,
    messages: [{ role: 'user', content: 'Hi' }],
    options: { num_gpu: 0, temperature: 0.5, num_ctx: 2_000, num_predict: 300 },
    truncate: false,
    shift: false,
    stream: true,
    keep_alive: '10m',
  });
});

test('counts that the server does not give are left out', async () => {
  const reply = { content: 'ok', promptEvalCount: null, evalCount: null };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  expect((await model.reply(saying('Hi'))).usage).toEqual({});
});

test('an answer that its length ended says so', async () => {
  await using server = await startOllamaServer({
    models: { [name]: {} },
    reply: 'word '.repeat(99),
  });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const { message } = await model.reply(saying('Go on', { window: 2_000, reserve: 10 }));
  expect(message.finish).toBe('length');
});

test('tool calls are collected with their ids', async () => {
  const toolCalls = [
    { id: 'a', name: 'read', arguments: { path: 'x.ts' } },
    { id: 'b', name: 'list', arguments: {} },
  ];
  const reply = { content: 'Let me see', toolCalls };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const tools = [{ name: 'read', description: 'Reads', parameters: { type: 'object' } }];
  const { message } = await model.reply({ ...saying('Read'), tools });
  expect(message).toEqual({
    role: 'assistant',
    content: 'Let me see',
    toolCalls,
    finish: 'stop',
  });
  expect(server.log[0]?.body.tools).toEqual([{ type: 'function', function: tools[0] }]);
});

test('thinking is heard apart and kept apart', async () => {
  const models = { [name]: { capabilities: ['completion', 'thinking'] as const } };
  const reply = { thinking: 'hm well', content: 'Yes' };
  await using server = await startOllamaServer({ models, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const heard: string[] = [];
  const { message } = await model.reply(saying('Is it?'), {
    onThinking: (text) => heard.push(`(${text})`),
    onText: (text) => heard.push(text),
  });
  expect(heard).toEqual(['(hm )', '(well)', 'Yes']);
  expect(message).toEqual({
    role: 'assistant',
    content: 'Yes',
    thinking: 'hm well',
    finish: 'stop',
  });
});

test('thinking that a template left in the text is taken out of it', async () => {
  const reply = '<think> hm well </think> Yes';
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const { message } = await model.reply(saying('Is it?'));
  expect(message).toMatchObject({ content: 'Yes', thinking: ' hm well ' });
});

test('whether to think is said by the request, else by the model, else by nobody', async () => {
  const models = { [name]: { capabilities: ['completion', 'thinking'] as const } };
  await using server = await startOllamaServer({ models });
  const client = new Ollama({ host: server.url });
  await ollamaModel(client, name).reply(saying('Hi'));
  await ollamaModel(client, name, { think: 'low' }).reply(saying('Hi'));
  await ollamaModel(client, name, { think: true }).reply({ ...saying('Hi'), think: false });
  expect(server.log.map(({ body }) => body.think)).toEqual([undefined, 'low', false]);
});

test("an error of a listener is the caller's own, and ends the request", async () => {
  const hold = new Promise<never>(() => {});
  const reply = { content: 'a b', before: (chunk: number) => (chunk === 1 ? hold : undefined) };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const onText = (): never => {
    throw new RangeError('mine');
  };
  await expect(model.reply(saying('Hi'), { onText })).rejects.toThrow(new RangeError('mine'));
  await server.idle();
  expect(server.log[0]?.aborted).toBe(true);
});

test("the client's list of streams is left as it was", async () => {
  await using server = await startOllamaServer({
    models: { [name]: {} },
    reply: ['ok', { content: 'a b', errorAfter: 1 }],
  });
  const client = new Ollama({ host: server.url });
  const model = ollamaModel(client, name);
  await model.reply(saying('Hi'));
  await model.reply(saying('Hi')).catch(() => {});
  expect(client).toMatchObject({ ongoingStreamedRequests: [] });
});

test('loading tells the window in force and the tokens of a text', async () => {
  const models = { [name]: { fits: 4_000 } };
  await using server = await startOllamaServer({ models, reply: 'long answer' });
  const model = ollamaModel(new Ollama({ host: server.url }), name, { keepAlive: -1 });
  const loaded = await model.load(8_000, { text: 'how many tokens' });
  expect(loaded).toEqual({ window: 4_000, inputTokens: server.log[0]?.tokens });
  expect(server.log[0]?.body).toMatchObject({
    options: { num_ctx: 8_000, num_predict: 1 },
    keep_alive: -1,
  });
});

test('pulling brings a model, and says how far it is', async () => {
  await using server = await startOllamaServer();
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const told: string[] = [];
  await model.pull({
    onProgress: ({ status, completed, total }) =>
      told.push(total === undefined ? status : `${status} ${(completed ?? 0) / total}`),
  });
  expect(told[0]).toBe('pulling manifest');
  expect(told.at(-1)).toBe('success');
  expect(told.some((line) => line.endsWith(' 0.5'))).toBe(true);
  expect(await model.models()).toEqual([name]);
});

test('a name and password in the address reach the server, and are not told', async () => {
  await using server = await stubServer(({ headers }, response) =>
    response.end(JSON.stringify({ models: [{ name: headers.authorization }] })),
  );
  const client = new Ollama({ host: server.url.replace('//', '//me:secret@') });
  const model = ollamaModel(client, name);
  expect(await model.models()).toEqual([`Basic ${btoa('me:secret')}`]);
  expect(model.server).toBe(server.url);
});

test("the client's headers go with each request", async () => {
  await using server = await stubServer(({ headers }, response) =>
    response.end(JSON.stringify({ models: [{ name: headers.authorization }] })),
  );
  const headers = new Headers({ Authorization: 'Bearer mine' });
  const model = ollamaModel(new Ollama({ host: server.url, headers }), name);
  expect(await model.models()).toEqual(['Bearer mine']);
});

test('Ollama in the cloud is asked with the key of the environment, unless the client has one', async () => {
  vi.stubEnv('OLLAMA_API_KEY', 'of-env');
  const keys: unknown[] = [];
  const fetch = (_: unknown, sent: RequestInit = {}): Promise<Response> => {
    keys.push((sent.headers as Readonly<Record<string, string>>)['authorization']);
    return Promise.resolve(new Response('{}'));
  };
  const authorization = 'Bearer mine';
  for (const config of [
    { host: 'https://ollama.com' },
    { host: 'https://ollama.com', headers: { authorization } },
    { host: 'https://ollama.example' },
  ])
    await ollamaModel(new Ollama({ ...config, fetch }), name).models();
  vi.unstubAllEnvs();
  expect(keys).toEqual(['Bearer of-env', authorization, undefined]);
});

test('a last line needs no line break, and empty lines say nothing', async () => {
  const lines = ['{"message":{"content":"a"}}', '', '{"message":{"content":"b"},"done":true}'];
  await using server = await stubServer((_, response) => response.end(lines.join('\n')));
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  expect((await model.reply(saying('Hi'))).message.content).toBe('ab');
});
