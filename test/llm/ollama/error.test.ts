import { Ollama } from 'ollama';
import { afterEach, expect, test, vi } from 'vitest';
import type { EngineError } from '../../../src/core/values/error.ts';
import type { ChatRequest } from '../../../src/llm/chat-model.ts';
import { ollamaModel, type OllamaModel } from '../../../src/llm/ollama/ollama.ts';
import { ollamaSummarizer } from '../../../src/llm/ollama/summarizer.ts';
import { startOllamaServer } from '../../../src/testing/ollama-server.ts';
import type { OllamaReply } from '../../../src/testing/ollama/reply.ts';
import { assemblyOf } from '../../core/formats/wire-arbitrary.ts';
import { stubServer } from '../stub-server.ts';

const name = 'llama3.2:3b';

function saying(content: string, window = 4_000): ChatRequest {
  const messages = [{ role: 'user' as const, content }];
  return { assembly: assemblyOf(messages, { window, reserve: 10 }) as ChatRequest['assembly'] };
}

const modelAt = (url: string, model = name): OllamaModel =>
  ollamaModel(new Ollama({ host: url }), model);

const failure = async (outcome: Promise<unknown>): Promise<EngineError> =>
  outcome.then(
    () => expect.unreachable(),
    (error: EngineError) => error,
  );

/** What a reply fails with at a server that answers with this status and body. */
async function answered(status: number, body: string, type = 'text/plain'): Promise<EngineError> {
  await using server = await stubServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return await failure(modelAt(server.url).reply(saying('Hi')));
}

/** What a reply fails with where the server does this. */
async function replied(reply: OllamaReply): Promise<EngineError> {
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  return await failure(modelAt(server.url).reply(saying('Hi')));
}

const log = vi.spyOn(console, 'log');
afterEach(() => {
  expect(log).not.toHaveBeenCalled();
});

test('a server that is down cannot be reached, whichever fetch is used', async () => {
  const server = await stubServer(() => {});
  await server.close();
  const own = new Ollama({ host: server.url, fetch: (input, init) => fetch(input, init) });
  for (const model of [modelAt(server.url), ollamaModel(own, name)])
    for (const call of [() => model.reply(saying('Hi')), model.facts, model.models])
      expect(await failure(call())).toMatchObject({
        code: 'MODEL_UNREACHABLE',
        retryable: true,
        detail: { server: server.url, model: name },
      });
});

test.each([{ url: 'http://127.0.0.1:11434' }, 'http://127.0.0.1:11434', undefined, null])(
  'what is no client of Ollama is refused, and it is said what is one: %j',
  (given) => {
    const client = given as unknown as Ollama;
    for (const make of [() => ollamaModel(client, name), () => ollamaSummarizer(client, name)])
      expect(make).toThrow(
        expect.objectContaining({
          code: 'OPTION_INVALID',
          message:
            'The client is not one of Ollama, as `new Ollama({ host })` of the package ollama',
          detail: { option: 'client' },
        }),
      );
  },
);

test('a host that nobody knows cannot be reached', async () => {
  const error = await failure(modelAt('http://nobody.invalid').models());
  expect(error.code).toBe('MODEL_UNREACHABLE');
});

test('a dropped connection breaks an answer off, before and after its first word', async () => {
  const own = (url: string): OllamaModel =>
    ollamaModel(new Ollama({ host: url, fetch: (input, init) => fetch(input, init) }), name);
  for (const at of [modelAt, own])
    for (const dropAfter of [0, 1]) {
      await using server = await startOllamaServer({
        models: { [name]: {} },
        reply: { content: 'one two', dropAfter },
      });
      const error = await failure(at(server.url).reply(saying('Hi')));
      expect(error).toMatchObject({ code: 'MODEL_INTERRUPTED', retryable: true });
    }
});

test('a stream that ends without its last chunk has broken off', async () => {
  const error = await replied({ content: 'one two', endAfter: 1 });
  expect(error.code).toBe('MODEL_INTERRUPTED');
  expect(error.message).toContain('the stream ended before the answer did');
});

test('an error in mid-stream breaks the answer off, in the words of the server', async () => {
  const error = await replied({ content: 'one two', errorAfter: 1, error: 'CUDA error' });
  expect(error).toMatchObject({ code: 'MODEL_INTERRUPTED', retryable: true });
  expect(error.message).toBe(`Model "${name}" broke off: CUDA error`);
});

test('what was heard before an error stays heard', async () => {
  const reply = { content: 'one two', errorAfter: 1, error: 'CUDA error' };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const heard: string[] = [];
  const onText = (text: string) => heard.push(text);
  await failure(modelAt(server.url).reply(saying('Hi'), { onText }));
  expect(heard).toEqual(['one ']);
});

test('an error before the first word is a failure, with status and words', async () => {
  const error = await replied({ error: 'model requires more system memory (8.4 GiB)' });
  expect(error).toMatchObject({
    code: 'MODEL_FAILED',
    retryable: false,
    detail: { status: 500, cause: 'model requires more system memory (8.4 GiB)' },
  });
});

test('a model that is not there is named, with those that are', async () => {
  await using server = await startOllamaServer({ models: { [name]: {}, 'qwen3:8b': {} } });
  const model = modelAt(server.url, 'gemma');
  for (const call of [() => model.reply(saying('Hi')), model.facts, () => model.load(4_000)])
    expect(await failure(call())).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      detail: { server: server.url, model: 'gemma', known: [name, 'qwen3:8b'] },
    });
});

test('a model that is not there is named also where the server has none or does not list them', async () => {
  await using empty = await startOllamaServer();
  expect((await failure(modelAt(empty.url).facts())).detail).toMatchObject({ known: [] });
  const body = JSON.stringify({ error: `model "${name}" not found, try pulling it first` });
  const error = await answered(404, body, 'application/json');
  expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND', detail: { known: [] } });
});

test.each([
  ['chat', ['embedding'], {}],
  ['tools', ['completion'], { tools: [{ name: 'read', description: '', parameters: {} }] }],
  ['thinking', ['completion'], { think: true }],
] as const)('a model without %s says so', async (ability, capabilities, asked) => {
  await using server = await startOllamaServer({ models: { [name]: { capabilities } } });
  const error = await failure(modelAt(server.url).reply({ ...saying('Hi'), ...asked }));
  expect(error).toMatchObject({ code: 'MODEL_UNSUPPORTED', detail: { ability } });
});

test.each(['native', 'rendered'] as const)(
  'a prompt that is too long is an overflow with a %s template',
  async (mode) => {
    await using server = await startOllamaServer({ models: { [name]: { mode } } });
    const error = await failure(modelAt(server.url).reply(saying('many words '.repeat(90), 100)));
    expect(error).toMatchObject({ code: 'MODEL_OVERFLOW', retryable: false });
    if (mode === 'native')
      expect(error.detail).toMatchObject({ tokens: server.log[0]?.asked, window: 100 });
  },
);

test('an overflow in mid-stream is one, too', async () => {
  const words = 'request (910 tokens) exceeds the available context size (256 tokens)';
  const error = await replied({ content: 'one two', errorAfter: 1, error: words });
  expect(error).toMatchObject({ code: 'MODEL_OVERFLOW', detail: { tokens: 910, window: 256 } });
});

test('a server with too much to do is busy', async () => {
  await using server = await startOllamaServer({ models: { [name]: {} }, parallel: 0 });
  const error = await failure(modelAt(server.url).reply(saying('Hi')));
  expect(error).toMatchObject({ code: 'MODEL_BUSY', retryable: true });
});

test('a server that wants a key refuses', async () => {
  const error = await answered(401, '{"error":"unauthorized"}', 'application/json');
  expect(error).toMatchObject({ code: 'MODEL_REFUSED', detail: { status: 401 } });
  expect((await answered(403, 'Forbidden')).code).toBe('MODEL_REFUSED');
});

test('a gateway without a server behind it is no server', async () => {
  expect((await answered(502, '<html>Bad Gateway</html>', 'text/html')).code).toBe(
    'MODEL_UNREACHABLE',
  );
});

test('another kind of server fails in its own words', async () => {
  expect(await answered(404, '404 page not found')).toMatchObject({
    code: 'MODEL_FAILED',
    detail: { status: 404, cause: '404 page not found' },
  });
  expect(await answered(500, '')).toMatchObject({ detail: { cause: 'status 500' } });
  const nested = '{"error":{"message":"out of order"}}';
  expect((await answered(400, nested, 'application/json')).message).toContain('out of order');
});

test('a model that is nowhere cannot be pulled', async () => {
  const lines = [
    { status: 'pulling manifest' },
    { error: 'pull model manifest: file does not exist' },
  ];
  await using server = await stubServer(({ url }, response) =>
    url === '/api/pull'
      ? response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      : response.end('{"models":[]}'),
  );
  expect(await failure(modelAt(server.url, 'gemmma').pull())).toMatchObject({
    code: 'MODEL_NOT_FOUND',
    detail: { model: 'gemmma', known: [] },
  });
});

test('facts that are no JSON are a failure', async () => {
  await using server = await stubServer((_, response) => response.end('<html>'));
  expect((await failure(modelAt(server.url).facts())).code).toBe('MODEL_FAILED');
});

test('what a server repeats is no error of its own', async () => {
  const content = 'the input length exceeds the context length, model "x" not found';
  const body = JSON.stringify({ error: 'out of luck', messages: [{ role: 'user', content }] });
  expect(await answered(400, body, 'application/json')).toMatchObject({
    code: 'MODEL_FAILED',
    detail: { cause: 'out of luck' },
  });
  const nested = { error: { message: 'out of luck', input: content } };
  const error = await answered(400, JSON.stringify(nested), 'application/json');
  expect([error.code, error.message.includes(content)]).toEqual(['MODEL_FAILED', false]);
});

test.each([
  '{}',
  'null',
  '{"message":null}',
  '{"message":{"content":42}}',
  '{"message":{"content":"","tool_calls":{}}}',
  '{"message":{"content":"","tool_calls":[null]}}',
  '{"message":{"content":"","tool_calls":[{}]}}',
])('an answer of another shape is a model error: %s', async (line) => {
  const end = '{"message":{"content":""},"done":true}';
  expect((await answered(200, `${line}\n${end}\n`)).code).toBe('MODEL_INTERRUPTED');
});

test.each(['{}', '{"models":null}', '{"models":{}}', '{"models":[null,{}]}'])(
  'a list of another shape has no models: %s',
  async (body) => {
    await using server = await stubServer((_, response) => response.end(body));
    const model = modelAt(server.url);
    expect(await model.models()).toEqual([]);
    expect(await model.facts()).toMatchObject({ name, loaded: null });
  },
);
