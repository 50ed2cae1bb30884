import { expect, test } from 'vitest';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { startOpenAIServer } from '../../../src/testing/openai-server.ts';
import { commonCalls, expectNothingKept, never, reason, request, testAborts } from '../aborts.ts';
import { stubServer } from '../stub-server.ts';

const model = 'scripted';

testAborts(commonCalls, ({ url = 'http://127.0.0.1:9', fetch }) =>
  openaiModel({ baseURL: url, model, ...(fetch && { fetch }) }),
);

test('an answer ends between two words, and the server sees it', async () => {
  const reply = {
    content: 'one two three',
    piece: 4,
    before: (event: number) => (event === 3 ? never : undefined),
  };
  await using server = await startOpenAIServer({ reply });
  const ending = new AbortController();
  const heard: string[] = [];
  const outcome = openaiModel({ baseURL: server.url, model }).reply(request, {
    signal: ending.signal,
    onText(text) {
      heard.push(text);
      if (heard.length === 2) setImmediate(() => ending.abort(reason));
    },
  });
  await expect(outcome).rejects.toBe(reason);
  await server.idle();
  expect(server.chats[0]!.aborted).toBe(true);
  expect(heard).toEqual(['one ', 'two ']);
});

test('nothing more is heard after an abort, though it came in the same packet', async () => {
  const deltas = ['a', 'b'].map((content) => ({ content, reasoning: `thought of ${content}` }));
  const raw = deltas
    .map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
    .join('');
  await using server = await stubServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(raw);
  });
  const ending = new AbortController();
  const heard: string[] = [];
  const outcome = openaiModel({ baseURL: server.url, model }).reply(request, {
    signal: ending.signal,
    onText: (text) => heard.push(text),
    onThinking(text) {
      heard.push(text);
      ending.abort(reason);
    },
  });
  await expect(outcome).rejects.toBe(reason);
  expect(heard).toEqual(['thought of a']);
  await server.left;
});

test('a listener that throws ends the request', async () => {
  const before = (event: number): Promise<never> | undefined => (event === 3 ? never : undefined);
  await using server = await startOpenAIServer({
    reply: { content: 'one two three', before, piece: 4 },
  });
  const outcome = openaiModel({ baseURL: server.url, model }).reply(request, {
    onText() {
      throw reason;
    },
  });
  await expect(outcome).rejects.toBe(reason);
  await server.idle();
  expect(server.chats[0]!.aborted).toBe(true);
});

test('a signal that lives on keeps nothing of a call that is over', async () => {
  await using server = await startOpenAIServer();
  const asked = openaiModel({
    baseURL: server.url,
    model,
    fetch: (address, { signal, ...sent }) => fetch(address, signal ? sent : {}),
  });
  await expectNothingKept(async (signal) => {
    await asked.reply(request, { signal });
    await asked.facts({ signal });
  });
});
