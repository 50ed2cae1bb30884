import { Ollama } from 'ollama';
import { expect, test, vi } from 'vitest';
import type { ChatRequest } from '../../src/llm/chat-model.ts';
import { ollamaModel, type OllamaModel } from '../../src/llm/ollama.ts';
import { startOllamaServer } from '../../src/testing/ollama-server.ts';
import { assemblyOf } from '../core/wire-arbitrary.ts';
import { stubServer } from './stub-server.ts';

const name = 'llama3.2:3b';
const request: ChatRequest = {
  assembly: assemblyOf([{ role: 'user', content: 'Hi' }]) as ChatRequest['assembly'],
};
const never = new Promise<never>(() => {});

const calls: Readonly<
  Record<string, (model: OllamaModel, signal: AbortSignal) => Promise<unknown>>
> = {
  reply: (model, signal) => model.reply(request, { signal }),
  facts: (model, signal) => model.facts({ signal }),
  models: (model, signal) => model.models({ signal }),
  load: (model, signal) => model.load(4_000, { signal }),
  pull: (model, signal) => model.pull({ signal }),
};

test.each(Object.keys(calls))('%s ends while the server has not said a word', async (call) => {
  let asked = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await using server = await stubServer(() => asked());
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const ending = new AbortController();
  const outcome = calls[call]!(model, ending.signal).catch((error: unknown) => error);
  await waiting;
  const reason = new Error('no longer wanted');
  ending.abort(reason);
  expect(await outcome).toBe(reason);
  await server.left;
});

test.each(Object.keys(calls))('%s asks nothing of the server once it is over', async (call) => {
  await using server = await stubServer((_, response) => response.end());
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const reason = new Error('too late');
  await expect(calls[call]!(model, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(server.paths).toEqual([]);
});

test('an answer ends between two words, and the server sees it', async () => {
  const reply = {
    content: 'one two three',
    before: (chunk: number) => (chunk === 2 ? never : undefined),
  };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const ending = new AbortController();
  const reason = new Error('enough');
  const heard: string[] = [];
  const outcome = model.reply(request, {
    signal: ending.signal,
    onText(text) {
      heard.push(text);
      if (heard.length === 2) setImmediate(() => ending.abort(reason));
    },
  });
  await expect(outcome).rejects.toBe(reason);
  await server.idle();
  expect(server.log[0]?.aborted).toBe(true);
  expect(heard).toEqual(['one ', 'two ']);
});

test('nothing more is heard after an abort, though it came in the same packet', async () => {
  const lines = ['a', 'b', 'c'].map((content) => JSON.stringify({ message: { content } }));
  await using server = await stubServer((_, response) => {
    response.write(`${lines.join('\n')}\n`);
  });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const ending = new AbortController();
  const reason = new Error('enough');
  const heard: string[] = [];
  const outcome = model.reply(request, {
    signal: ending.signal,
    onText(text) {
      heard.push(text);
      ending.abort(reason);
    },
  });
  await expect(outcome).rejects.toBe(reason);
  expect(heard).toEqual(['a']);
  await server.left;
});

test('a client with a fetch of its own is ended through it', async () => {
  let asked = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await using server = await stubServer(() => asked());
  const fetches: unknown[] = [];
  const client = new Ollama({
    host: server.url,
    fetch(input, init) {
      fetches.push(input);
      return fetch(input, init);
    },
  });
  const ending = new AbortController();
  const outcome = ollamaModel(client, name).facts({ signal: ending.signal });
  const caught = outcome.catch((error: unknown) => error);
  await waiting;
  ending.abort();
  expect(await caught).toBe(ending.signal.reason);
  expect(fetches).toEqual([`${server.url}/api/show`]);
  await server.left;
});

test("the client's own abort() still ends an answer; it has then broken off", async () => {
  const reply = {
    content: 'one two',
    before: (chunk: number) => (chunk === 1 ? never : undefined),
  };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const client = new Ollama({ host: server.url });
  const outcome = ollamaModel(client, name).reply(request, { onText: () => client.abort() });
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_INTERRUPTED' });
});

test('a signal that lives on keeps nothing of a call that is over', async () => {
  await using server = await startOllamaServer({ models: { [name]: {} } });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await model.reply(request, { signal });
  await model.facts({ signal });
  const listeners = (calls: readonly unknown[][]) => calls.map(([, listener]) => listener);
  expect(added.mock.calls.length).toBeGreaterThan(0);
  expect(new Set(listeners(removed.mock.calls))).toEqual(new Set(listeners(added.mock.calls)));
});

test.each(Object.keys(calls))('%s ends though its fetch heeds no signal', async (call) => {
  let asked = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const fetch = (): Promise<never> => {
    asked();
    return never;
  };
  const ending = new AbortController();
  const reason = new Error('no longer wanted');
  const model = ollamaModel(new Ollama({ fetch }), name);
  const outcome = calls[call]!(model, ending.signal).catch((error: unknown) => error);
  await waiting;
  ending.abort(reason);
  expect(await outcome).toBe(reason);
});

test.each(Object.keys(calls))('%s ends though the body heeds no signal', async (call) => {
  for (const status of [200, 500]) {
    let read = (): void => {};
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    const body = new ReadableStream({ pull: () => (read(), never) }, { highWaterMark: 0 });
    const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { status }));
    const ending = new AbortController();
    const reason = new Error('no longer wanted');
    const model = ollamaModel(new Ollama({ fetch }), name);
    const outcome = calls[call]!(model, ending.signal).catch((error: unknown) => error);
    await reading;
    ending.abort(reason);
    expect(await outcome).toBe(reason);
  }
});
