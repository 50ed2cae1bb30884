import { expect, test, vi } from 'vitest';
import type { ChatModel, ChatRequest } from '../../src/llm/chat-model.ts';
import { openaiModel } from '../../src/llm/openai-compatible.ts';
import { startOpenAIServer } from '../../src/testing/openai-server.ts';
import { assemblyOf } from '../core/wire-arbitrary.ts';
import { stubServer } from './stub-server.ts';

const model = 'scripted';
const request: ChatRequest = {
  assembly: assemblyOf([{ role: 'user', content: 'Hi' }]) as ChatRequest['assembly'],
};
const never = new Promise<never>(() => {});
const reason = new Error('no longer wanted');

const calls: Readonly<Record<string, (model: ChatModel, signal: AbortSignal) => Promise<unknown>>> =
  {
    reply: (model, signal) => model.reply(request, { signal }),
    facts: (model, signal) => model.facts({ signal }),
    models: (model, signal) => model.models({ signal }),
  };

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

test.each(Object.keys(calls))('%s ends while the server has not said a word', async (call) => {
  const asked = gate();
  await using server = await stubServer(() => asked.open());
  const ending = new AbortController();
  const outcome = calls[call]!(openaiModel({ baseUrl: server.url, model }), ending.signal);
  const caught = outcome.catch((error: unknown) => error);
  await asked.passed;
  ending.abort(reason);
  expect(await caught).toBe(reason);
  await server.left;
});

test.each(Object.keys(calls))('%s ends while the body of an error is under way', async (call) => {
  const asked = gate();
  await using server = await stubServer((_, response) => {
    response.writeHead(500).write('{"error":', () => asked.open());
  });
  const ending = new AbortController();
  const outcome = calls[call]!(openaiModel({ baseUrl: server.url, model }), ending.signal);
  const caught = outcome.catch((error: unknown) => error);
  await asked.passed;
  ending.abort(reason);
  expect(await caught).toBe(reason);
  await server.left;
});

test.each(Object.keys(calls))('%s asks nothing of the server once it is over', async (call) => {
  await using server = await stubServer((_, response) => response.end());
  const asked = openaiModel({ baseUrl: server.url, model });
  await expect(calls[call]!(asked, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(server.paths).toEqual([]);
});

test.each(Object.keys(calls))('%s ends though its fetch heeds no signal', async (call) => {
  const asked = gate();
  const fetch = (): Promise<never> => {
    asked.open();
    return never;
  };
  const ending = new AbortController();
  const deaf = openaiModel({ baseUrl: 'http://127.0.0.1:9', model, fetch });
  const caught = calls[call]!(deaf, ending.signal).catch((error: unknown) => error);
  await asked.passed;
  ending.abort(reason);
  expect(await caught).toBe(reason);
});

test('an answer ends between two words, and the server sees it', async () => {
  const reply = {
    content: 'one two three',
    piece: 4,
    before: (event: number) => (event === 3 ? never : undefined),
  };
  await using server = await startOpenAIServer({ reply });
  const ending = new AbortController();
  const heard: string[] = [];
  const outcome = openaiModel({ baseUrl: server.url, model }).reply(request, {
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
  const outcome = openaiModel({ baseUrl: server.url, model }).reply(request, {
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
  const outcome = openaiModel({ baseUrl: server.url, model }).reply(request, {
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
    baseUrl: server.url,
    model,
    fetch: (address, { signal, ...sent }) => fetch(address, signal ? sent : {}),
  });
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await asked.reply(request, { signal });
  await asked.facts({ signal });
  const listeners = (calls: readonly unknown[][]) => calls.map(([, listener]) => listener);
  expect(added.mock.calls.length).toBeGreaterThan(0);
  expect(new Set(listeners(removed.mock.calls))).toEqual(new Set(listeners(added.mock.calls)));
});
