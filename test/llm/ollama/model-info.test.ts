import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { ollamaModel } from '../../../src/llm/ollama/ollama.ts';
import { startOllamaServer } from '../../../src/testing/ollama-server.ts';
import { stubServer } from '../stub-server.ts';

test('a model tells its windows, its size and what it can', async () => {
  const models = {
    'qwen3:8b': {
      contextLength: 40_960,
      numCtx: 8_192,
      parameterCount: 8_200_000_000,
      capabilities: ['completion', 'tools', 'thinking'] as const,
      family: 'qwen3',
    },
  };
  await using server = await startOllamaServer({ models });
  const model = ollamaModel(new Ollama({ host: server.url }), 'qwen3:8b');
  const facts = {
    name: 'qwen3:8b',
    trained: 40_960,
    configured: 8_192,
    loaded: null,
    size: 8.2,
    tools: true,
    thinking: true,
  };
  expect(await model.facts()).toEqual(facts);
  await model.load(16_000);
  expect(await model.facts()).toEqual({ ...facts, loaded: 16_000 });
});

test('a name without a tag is the latest', async () => {
  await using server = await startOllamaServer({ models: { gemma: {}, 'gemma:2b': {} } });
  const client = new Ollama({ host: server.url });
  await ollamaModel(client, 'gemma:2b').load(2_000);
  expect((await ollamaModel(client, 'gemma').facts()).loaded).toBe(null);
  await ollamaModel(client, 'gemma').load(3_000);
  expect((await ollamaModel(client, 'gemma').facts()).loaded).toBe(3_000);
  expect((await ollamaModel(client, 'gemma:latest').facts()).loaded).toBe(3_000);
});

test('an old server does not tell the window in force', async () => {
  await using server = await startOllamaServer({ models: { gemma: {} }, version: '0.9.6' });
  const model = ollamaModel(new Ollama({ host: server.url }), 'gemma');
  expect((await model.load(2_000)).window).toBe(null);
});

test('what a server does not say is null', async () => {
  await using server = await stubServer((_, response) => response.end('{}'));
  const model = ollamaModel(new Ollama({ host: server.url }), 'gemma');
  expect(await model.facts()).toEqual({
    name: 'gemma',
    trained: null,
    configured: null,
    loaded: null,
    size: null,
    tools: null,
    thinking: null,
  });
  expect(await model.models()).toEqual([]);
});

test('a server that cannot tell what is loaded still tells the rest', async () => {
  await using server = await stubServer(({ url }, response) => {
    if (url === '/api/show') response.end('{"parameters":"num_ctx 4096"}');
    else response.writeHead(404).end('404 page not found');
  });
  const model = ollamaModel(new Ollama({ host: server.url }), 'gemma');
  expect(await model.facts()).toMatchObject({ configured: 4_096, loaded: null });
  await expect(model.models()).rejects.toMatchObject({ code: 'MODEL_FAILED' });
});

test.each([
  [{ details: { parameter_size: '3.2B' } }, 3.2],
  [{ details: { parameter_size: '137M' } }, 0.137],
  [{ details: { parameter_size: '1.5T' } }, 1_500],
  [{ details: {}, model_info: { 'general.parameter_count': 8_030_261_248 } }, 8.030261248],
  [{ details: { parameter_size: 'large' } }, null],
])('the size of %j is %j billion', async (shown, size) => {
  await using server = await stubServer(({ url }, response) =>
    response.end(JSON.stringify(url === '/api/show' ? shown : {})),
  );
  const model = ollamaModel(new Ollama({ host: server.url }), 'gemma');
  expect((await model.facts()).size).toBeCloseTo(size ?? 0, 9);
  if (size === null) expect((await model.facts()).size).toBe(null);
});
