import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ChatRequest } from '../../../src/llm/chat-model.ts';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { errorOfStatus, errorInStream } from '../../../src/llm/server/server-error.ts';
import { startOpenAIServer } from '../../../src/testing/openai-server.ts';
import type { OpenAIReply } from '../../../src/testing/openai/reply.ts';
import { assemblyOf } from '../../core/formats/wire-arbitrary.ts';

const model = 'scripted';
const where = { server: 'http://here/v1', model };
const asked = { ...where, api: 'openai' } as const;
const request: ChatRequest = {
  assembly: assemblyOf([{ role: 'user', content: 'Hi' }]) as ChatRequest['assembly'],
};

const statusError = (status: number, body: string): Error & { readonly detail: unknown } =>
  errorOfStatus(asked, { status, headers: new Headers() }, body);

/** What comes of a request to a server that does so, and how often it was asked. */
async function outcomeOf(
  reply: OpenAIReply,
): Promise<{ error: unknown; heard: string; chats: number }> {
  await using server = await startOpenAIServer({ reply });
  let heard = '';
  const onText = (text: string): void => void (heard += text);
  const answer = openaiModel({ baseURL: server.url, model }).reply(request, { onText });
  const error: unknown = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { error, heard, chats: server.chats.length };
}

const words = (message: string, code: string | null = null): string =>
  JSON.stringify({ error: { message, type: 'invalid_request_error', code } });

test.each([
  [401, words('Incorrect API key provided'), 'MODEL_REFUSED'],
  [403, '', 'MODEL_REFUSED'],
  [404, words('The model `x` does not exist', 'model_not_found'), 'MODEL_NOT_FOUND'],
  [
    404,
    '{"object":"error","message":"The model `x` does not exist.","code":404}',
    'MODEL_NOT_FOUND',
  ],
  [404, words('model "x" not found, try pulling it first'), 'MODEL_NOT_FOUND'],
  [400, words('x is not a valid model ID'), 'MODEL_NOT_FOUND'],
  [400, words('No models loaded. Please load a model in the developer page'), 'MODEL_NOT_FOUND'],
  [404, '<html>404 page not found</html>', 'MODEL_FAILED'],
  [429, words('Rate limit reached for requests per minute'), 'MODEL_BUSY'],
  [429, words('You exceeded your current quota', 'insufficient_quota'), 'MODEL_FAILED'],
  [
    503,
    '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
    'MODEL_BUSY',
  ],
  [529, '{"type":"error","error":{"type":"overloaded_error"}}', 'MODEL_BUSY'],
  [502, '<html>Bad Gateway</html>', 'MODEL_UNREACHABLE'],
  [413, '', 'MODEL_OVERFLOW'],
  [
    413,
    words('Request too large on tokens per minute (TPM): Limit 6000', 'rate_limit_exceeded'),
    'MODEL_FAILED',
  ],
  [500, words('CUDA error: out of memory'), 'MODEL_FAILED'],
  [400, words('scripted does not support tools'), 'MODEL_UNSUPPORTED'],
  [404, words('No endpoints found that support tool use'), 'MODEL_UNSUPPORTED'],
  [500, '{"error":{"message":"tools param requires --jinja flag"}}', 'MODEL_UNSUPPORTED'],
  [400, words('"scripted" does not support thinking'), 'MODEL_UNSUPPORTED'],
  [400, words('"scripted" does not support chat'), 'MODEL_UNSUPPORTED'],
] as const)('status %i with %s is %s', (status, body, code) => {
  expect(statusError(status, body)).toMatchObject({ code, detail: where });
});

test.each([
  ['{"error":{"message":"out of  luck"}}', 'out of luck'],
  ['{"error":"out of luck"}', 'out of luck'],
  ['{"object":"error","message":"out of luck"}', 'out of luck'],
  [
    '{"detail":[{"loc":["body","top_k"],"msg":"out of luck"}]}',
    '[{"loc":["body","top_k"],"msg":"out of luck"}]',
  ],
  ['{"error":{"error":{"message":"out of luck"}}}', 'out of luck'],
  ['"out of luck"', 'out of luck'],
  ['null', 'null'],
  [' ', 'status 400'],
])('the words of %s are told', (body, said) => {
  const error = statusError(400, body);
  expect(error.message).toBe(`Model "scripted" failed: ${said}`);
  expect(error.detail).toEqual({ ...where, status: 400, cause: said });
});

test.each(['openai', 'vllm', 'llama.cpp', 'lm-studio'] as const)(
  'a prompt that does not fit is told with the numbers of %s',
  async (dialect) => {
    const count = (text: string): number => text.length;
    await using server = await startOpenAIServer({ dialect, window: 20, count });
    const outcome = openaiModel({ baseURL: server.url, model }).reply(request);
    const tokens = dialect === 'lm-studio' ? null : '<|user|>Hi\n<|assistant|>'.length;
    await expect(outcome).rejects.toMatchObject({
      code: 'MODEL_OVERFLOW',
      retryable: false,
      detail: { tokens, window: 20 },
    });
    expect(server.chats).toHaveLength(1);
  },
);

const echoed = [
  { role: 'user', content: 'maximum context length is 2048 tokens, model not found' },
];

test('what a server repeats is not told, and decides nothing', () => {
  const body = { detail: [{ loc: ['body', 'tools'], msg: 'Not permitted', input: echoed }] };
  const error = statusError(422, JSON.stringify(body));
  expect(error).toMatchObject({ code: 'MODEL_FAILED', detail: { status: 422 } });
  expect(error.message).toBe(
    'Model "scripted" failed: [{"loc":["body","tools"],"msg":"Not permitted"}]',
  );
  const event = JSON.stringify({ error: { message: 'out of memory', messages: echoed } });
  expect(errorInStream(asked, event)).toMatchObject({ code: 'MODEL_INTERRUPTED' });
});

test('a prompt that fits alone is told to exceed the window with its answer', () => {
  const said = (tokens: number): string =>
    statusError(
      400,
      words(`maximum context length is 4096 tokens, request has ${tokens} input tokens`),
    ).message;
  expect(said(5_000)).toBe(
    'A prompt of 5000 tokens exceeds the window of 4096 of model "scripted"',
  );
  expect(said(3_800)).toBe(
    'A prompt of 3800 tokens and its answer exceed the window of 4096 of model "scripted"',
  );
});

test('words are cut between code points', () => {
  const error = statusError(400, words(`${'x'.repeat(298)}😀😀`));
  expect(error.message).toMatch(/x…$/);
});

test('a prompt that does not fit may be told in the stream', () => {
  const body = '{"error":{"type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}';
  expect(errorInStream(asked, body)).toMatchObject({
    code: 'MODEL_OVERFLOW',
    detail: { tokens: 9, window: 8 },
  });
});

test('an error may come as a field of its own', async () => {
  const raw = 'error: {"code":500,"message":"Context size has been exceeded."}\n\n';
  const { error } = await outcomeOf({ raw });
  expect(error).toMatchObject({ code: 'MODEL_OVERFLOW' });
});

test('a model that is not there is told with those that are', async () => {
  await using server = await startOpenAIServer({ model: 'other' });
  const outcome = openaiModel({ baseURL: server.url, model }).reply(request);
  await expect(outcome).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    detail: { server: server.url, model, known: ['other'] },
  });
});

test('nobody at the address is told', async () => {
  const server = await startOpenAIServer();
  await server.close();
  const asked = openaiModel({ baseURL: server.url, model });
  for (const call of [asked.reply(request), asked.facts(), asked.models()])
    await expect(call).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE', retryable: true });
});

test('a wrong key is told, and is nowhere in the error', async () => {
  await using server = await startOpenAIServer({ key: 'secret' });
  const asked = openaiModel({ baseURL: server.url, model, apiKey: 'wrong-key' });
  for (const call of [asked.reply(request), asked.facts(), asked.models()]) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'MODEL_REFUSED', detail: { status: 401 } });
    expect(inspect(error, { depth: 9 })).not.toContain('wrong-key');
  }
});

test.each([
  ['the socket drops', { dropAfter: 3 }],
  ['the stream ends too soon', { endAfter: 3 }],
  ['an error comes', { errorAfter: 3, error: { error: { message: 'out of memory' } } }],
  ['an error without words comes', { errorAfter: 3, error: { object: 'error' } }],
  ['noise comes', { errorAfter: 3, error: '{"choices": [' }],
] as const)('an answer breaks off where %s, and what was heard stays heard', async (_, breaks) => {
  const outcome = await outcomeOf({ content: 'one two three', piece: 4, ...breaks });
  expect(outcome.error).toMatchObject({ code: 'MODEL_INTERRUPTED', retryable: true });
  expect(outcome).toMatchObject({ heard: 'one two ', chats: 1 });
});

test('a socket that drops before a word is broken, too', async () => {
  const { error } = await outcomeOf({ content: 'one', dropAfter: 0 });
  expect(error).toMatchObject({ code: 'MODEL_INTERRUPTED', retryable: true });
});

test('a stream that ends after the end of the answer, but without its mark, is whole', async () => {
  const { error, heard } = await outcomeOf({ content: 'one', endAfter: 3 });
  expect([error, heard]).toEqual([null, 'one']);
});

test.each([
  ['{"error":{"message":"Provider disconnected","code":502}}', 'MODEL_UNREACHABLE'],
  ['{"error":{"message":"slow down","code":429}}', 'MODEL_BUSY'],
  ['{"error":{"message":"no idea"}}', 'MODEL_FAILED'],
  ['[]', 'MODEL_FAILED'],
  ['no JSON', 'MODEL_FAILED'],
])('an error that comes with status 200 is one all the same: %s', async (raw, code) => {
  const { error } = await outcomeOf({ raw, type: 'application/json' });
  expect(error).toMatchObject({ code });
});

test('a page for people is no answer', async () => {
  const { error } = await outcomeOf({ raw: '<html>Welcome</html>', type: 'text/html' });
  expect(error).toMatchObject({ code: 'MODEL_FAILED', detail: { cause: '<html>Welcome</html>' } });
});
