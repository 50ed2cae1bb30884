import { expect, test } from 'vitest';
import type { ModelFacts } from '../../../src/llm/chat-model.ts';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { startOpenAIServer, type OpenAIServerOptions } from '../../../src/testing/openai-server.ts';
import { stubServer } from '../stub-server.ts';

const unknown = {
  trained: null,
  configured: null,
  loaded: null,
  size: null,
  tools: null,
  thinking: null,
};

async function factsOf(options: OpenAIServerOptions, model = 'qwen3-4b'): Promise<ModelFacts> {
  await using server = await startOpenAIServer({ model: 'qwen3-4b', trained: 32_768, ...options });
  return await openaiModel({ baseURL: server.url, model }).facts();
}

/** Facts from a server whose pages are these, by path. */
async function factsFrom(
  pages: Readonly<Record<string, unknown>>,
  model: string,
): Promise<ModelFacts> {
  await using server = await stubServer((request, response) => {
    const page = pages[request.url ?? ''];
    response.writeHead(page === undefined ? 404 : 200);
    response.end(JSON.stringify(page ?? { error: 'not found' }));
  });
  return await openaiModel({ baseURL: server.url, model }).facts();
}

test('vLLM tells the window it has set up', async () => {
  expect(await factsOf({ dialect: 'vllm', window: 4096 })).toEqual({
    ...unknown,
    name: 'qwen3-4b',
    configured: 4096,
    loaded: 4096,
    size: 4,
  });
});

test('llama.cpp tells window, training and parameters, whatever the model is called', async () => {
  const llama = { dialect: 'llama.cpp', window: 4096, parameters: 4_022_468_096 } as const;
  expect(await factsOf(llama, 'anything')).toEqual({
    ...unknown,
    name: 'anything',
    trained: 32_768,
    configured: 4096,
    loaded: 4096,
    size: 4.022468096,
  });
});

test('of llama.cpp the window of one slot counts, where it is told', async () => {
  const list = { data: [{ id: 'm', owned_by: 'llamacpp', meta: { n_ctx: 16_384 } }] };
  const props = { default_generation_settings: { n_ctx: 4096 }, total_slots: 4 };
  expect(await factsFrom({ '/v1/models': list, '/props': props }, 'm')).toMatchObject({
    loaded: 4096,
  });
  expect(await factsFrom({ '/v1/models': list }, 'm')).toMatchObject({ loaded: 16_384 });
});

test('LM Studio tells the window of a model that is loaded', async () => {
  const studio = { ...unknown, name: 'qwen3-4b', trained: 32_768, size: 4 };
  expect(await factsOf({ dialect: 'lm-studio', window: 8192 })).toEqual({
    ...studio,
    loaded: 8192,
  });
  expect(await factsOf({ dialect: 'lm-studio' })).toEqual(studio);
});

test('a server that tells nothing leaves all open but what the name says', async () => {
  expect(await factsOf({})).toEqual({ ...unknown, name: 'qwen3-4b', size: 4 });
  expect(await factsFrom({ '/v1/models': { data: [] } }, 'm')).toEqual({ ...unknown, name: 'm' });
  expect(await factsFrom({ '/v1/models': [{ id: 'm' }] }, 'm')).toEqual({ ...unknown, name: 'm' });
});

test('hosted servers tell window and abilities in the list', async () => {
  const entry = {
    id: 'meta/llama-3.1-70b',
    context_length: 131_072,
    supported_parameters: ['tools', 'reasoning', 'max_tokens'],
  };
  const list = { '/v1/models': { data: [null, { id: 'other' }, entry] } };
  expect(await factsFrom(list, 'llama-3.1-70b')).toEqual({
    name: 'llama-3.1-70b',
    trained: null,
    configured: 131_072,
    loaded: 131_072,
    size: 70,
    tools: true,
    thinking: true,
  });
});

test('pages that make no sense tell nothing', async () => {
  const pages = {
    '/v1/models': { data: [{ id: 'm', max_model_len: 'long', meta: 'none' }] },
    '/props': 'none',
    '/api/v0/models': { data: 7 },
  };
  expect(await factsFrom(pages, 'm')).toEqual({ ...unknown, name: 'm' });
});

test('a model that is not in the list is not there', async () => {
  await expect(factsOf({}, 'other')).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    detail: { model: 'other', known: ['qwen3-4b'] },
  });
});

test('a server without a list says so', async () => {
  await expect(factsFrom({}, 'm')).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    detail: { status: 404 },
  });
});

test('the models of a server are listed by name', async () => {
  await using server = await startOpenAIServer({ model: 'qwen3-4b' });
  const asked = openaiModel({ baseURL: server.url, model: '' });
  expect(await asked.models()).toEqual(['qwen3-4b']);
});
