import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { ollamaModel, type OllamaModel } from '../../../src/llm/ollama/ollama.ts';
import { startOllamaServer } from '../../../src/testing/ollama-server.ts';
import { gate } from '../../gate.ts';
import {
  commonCalls,
  expectEnd,
  expectNothingKept,
  never,
  reason,
  request,
  testAborts,
  type Calls,
} from '../aborts.ts';
import { stubServer } from '../stub-server.ts';

const name = 'llama3.2:3b';

const calls: Calls<OllamaModel> = {
  ...commonCalls,
  load: (model, signal) => model.load(4_000, { signal }),
  pull: (model, signal) => model.pull({ signal }),
};

testAborts(calls, ({ url, fetch }) =>
  ollamaModel(new Ollama({ ...(url && { host: url }), ...(fetch && { fetch }) }), name),
);

test('an answer ends between two words, and the server sees it', async () => {
  const reply = {
    content: 'one two three',
    before: (chunk: number) => (chunk === 2 ? never : undefined),
  };
  await using server = await startOllamaServer({ models: { [name]: {} }, reply });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const ending = new AbortController();
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
  const asked = gate();
  await using server = await stubServer(() => asked.open());
  const fetches: unknown[] = [];
  const client = new Ollama({
    host: server.url,
    fetch(input, init) {
      fetches.push(input);
      return fetch(input, init);
    },
  });
  await expectEnd((signal) => ollamaModel(client, name).facts({ signal }), asked.passed);
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

test("the client's own abort() ends the answers under way, and no other request", async () => {
  const asked = gate();
  await using server = await stubServer(({ url }, response) => {
    if (url === '/api/chat') asked.open();
    else void asked.passed.then(() => (client.abort(), response.end('{"models":[]}')));
  });
  const client = new Ollama({ host: server.url });
  const model = ollamaModel(client, name);
  const models = model.models();
  await expect(model.reply(request)).rejects.toMatchObject({ code: 'MODEL_INTERRUPTED' });
  expect(await models).toEqual([]);
  await server.left;
});

test('a signal that lives on keeps nothing of a call that is over', async () => {
  await using server = await startOllamaServer({ models: { [name]: {} } });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  await expectNothingKept(async (signal) => {
    await model.reply(request, { signal });
    await model.facts({ signal });
  });
});
