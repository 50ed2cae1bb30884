import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { ollamaModel, type OllamaModel } from '../../../src/llm/ollama/ollama.ts';
import { startOllamaServer } from '../../../src/testing/ollama-server.ts';
import { gate } from '../../gate.ts';
import {
  commonCalls,
  expectEnd,
  never,
  request,
  testAborts,
  type Calls,
  type Place,
} from '../aborts.ts';
import { stubServer } from '../stub-server.ts';

const name = 'llama3.2:3b';

const calls: Calls<OllamaModel> = {
  ...commonCalls,
  load: (model, signal) => model.load(4_000, { signal }),
  pull: (model, signal) => model.pull({ signal }),
};

const modelAt = ({ url, fetch }: Place) =>
  ollamaModel(new Ollama({ ...(url && { host: url }), ...(fetch && { fetch }) }), name);

testAborts(calls, modelAt, {
  async serve(halts) {
    const before = (chunk: number) => (halts && chunk === 2 ? never : undefined);
    const reply = { content: 'one two three', before };
    const server = await startOllamaServer({ models: { [name]: {} }, reply });
    return { server, isAborted: () => server.log[0]?.aborted };
  },
  packet: {
    type: 'application/x-ndjson',
    body: ['a', 'b', 'c']
      .map((content) => `${JSON.stringify({ message: { content } })}\n`)
      .join(''),
    first: 'a',
  },
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
