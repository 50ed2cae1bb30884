import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { ollamaModel } from '../../../src/llm/ollama/ollama.ts';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { retryAfterOf } from '../../../src/llm/server/server-error.ts';
import { stubServer } from '../stub-server.ts';

const noon = Date.UTC(2026, 10, 21, 12);

test.each([
  ['20', 20_000],
  [' 0 ', 0],
  ['1.5', 1_500],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['-3', null],
  ['soon', null],
  ['Sat, none of this', null],
  ['', null],
  [null, null],
])('Retry-After of %j is %j milliseconds', (header, wait) => {
  expect(retryAfterOf(header, noon)).toBe(wait);
});

test.each([429, 503])(
  'a busy server says when to come back, whichever kind it is: %i',
  async (status) => {
    await using server = await stubServer((_, response) =>
      response.writeHead(status, { 'retry-after': '7' }).end('{"error":{"message":"slow down"}}'),
    );
    const models = [
      ollamaModel(new Ollama({ host: server.url }), 'm'),
      openaiModel({ baseURL: server.url, model: 'm' }),
    ];
    for (const model of models)
      for (const call of [model.models(), model.facts()])
        await expect(call).rejects.toMatchObject({
          code: 'MODEL_BUSY',
          retryable: true,
          detail: { server: expect.any(String) as unknown, model: 'm', retryAfter: 7_000 },
        });
  },
);

test('an error of another kind waits for nothing', async () => {
  await using server = await stubServer((_, response) =>
    response.writeHead(500, { 'retry-after': '7' }).end('{"error":"boom"}'),
  );
  const error = await ollamaModel(new Ollama({ host: server.url }), 'm')
    .models()
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'MODEL_FAILED' });
  expect(error).not.toHaveProperty('detail.retryAfter');
});
