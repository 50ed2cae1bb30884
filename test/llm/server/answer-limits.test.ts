import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import type { ChatModel, ChatRequest } from '../../../src/llm/chat-model.ts';
import { ollamaModel } from '../../../src/llm/ollama/ollama.ts';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { assemblyOf } from '../../core/formats/wire-arbitrary.ts';

// What a server says costs what it is long, and no answer is read for ever.

const request: ChatRequest = {
  assembly: assemblyOf([{ role: 'user', content: 'Hi' }]) as ChatRequest['assembly'],
};

const mega = 1_000_000;
const filler = new TextEncoder().encode('x'.repeat(mega));

interface Served {
  readonly ollama: ChatModel;
  readonly openai: ChatModel;
  /** Megabytes that were read. */
  readonly read: () => number;
  /** Whether the body was given up. */
  readonly isLeft: () => boolean;
}

/** Models of servers that answer with `chunks`, for ever unless these end. */
function served(chunks: () => Iterable<Uint8Array>, given: ResponseInit): Served {
  let read = 0;
  let isLeft = false;
  const fetch = (): Promise<Response> => {
    const source = chunks()[Symbol.iterator]();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { value, done } = source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
        read += value?.length ?? 0;
      },
      cancel() {
        isLeft = true;
      },
    });
    return Promise.resolve(new Response(body, given));
  };
  return {
    ollama: ollamaModel(new Ollama({ fetch }), 'm'),
    openai: openaiModel({ baseURL: 'http://127.0.0.1:9', model: 'm', fetch }),
    read: () => read / mega,
    isLeft: () => isLeft,
  };
}

function* endless(head = ''): Generator<Uint8Array> {
  yield new TextEncoder().encode(head);
  for (;;) yield filler;
}

const stream = { headers: { 'content-type': 'text/event-stream' } };
const json = { headers: { 'content-type': 'application/json' } };

test.each(['ollama', 'openai'] as const)(
  'a line of %s that does not end is given up, with a code',
  async (api) => {
    const server = served(() => endless('data: '), stream);
    await expect(server[api].reply(request)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: 'Model "m" failed: a line of its answer exceeds 32000000 characters',
      retryable: false,
    });
    expect(server.isLeft()).toBe(true);
    expect(server.read()).toBeLessThan(36);
  },
);

test.each(['ollama', 'openai'] as const)(
  'an answer of %s that does not end is given up, with a code',
  async (api) => {
    const line = { ollama: '{"message":{"content":""}}\n', openai: 'data: {"choices":[]}\n\n' }[
      api
    ];
    const lines = `${line.trimEnd()}${' '.repeat(100_000)}${line.endsWith('\n\n') ? '\n\n' : '\n'}`;
    const bytes = new TextEncoder().encode(lines.repeat(10));
    const server = served(function* () {
      for (;;) yield bytes;
    }, stream);
    await expect(server[api].reply(request)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: 'Model "m" failed: its answer exceeds 128000000 characters',
    });
    expect(server.isLeft()).toBe(true);
    expect(server.read()).toBeLessThan(132);
  },
);

test.each(['ollama', 'openai'] as const)(
  'an answer of %s that comes whole and does not end is given up, with a code',
  async (api) => {
    const server = served(() => endless('{"a":"'), json);
    const outcome = api === 'ollama' ? server.ollama.models() : server.openai.reply(request);
    await expect(outcome).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: 'Model "m" failed: its answer exceeds 32000000 characters',
    });
    expect(server.isLeft()).toBe(true);
    expect(server.read()).toBeLessThan(36);
  },
);

test.each(['ollama', 'openai'] as const)(
  'an error of %s that does not end is told by its status',
  async (api) => {
    const server = served(() => endless('{"error":{"input":"'), { status: 500 });
    await expect(server[api].reply(request)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { status: 500, cause: 'status 500' },
    });
    expect(server.isLeft()).toBe(true);
    expect(server.read()).toBeLessThan(36);
  },
);

test.each(['ollama', 'openai'] as const)(
  'an error of %s speaks behind a long request that it repeats',
  async (api) => {
    const error = {
      input: 'x'.repeat(1.5 * mega),
      message: 'maximum context length is 8192 tokens',
    };
    const body = new TextEncoder().encode(JSON.stringify({ error }));
    const server = served(() => [body], { status: 400 });
    await expect(server[api].reply(request)).rejects.toMatchObject({
      code: 'MODEL_OVERFLOW',
      detail: { window: 8_192 },
    });
  },
);

test.each(['ollama', 'openai'] as const)(
  'a line of %s in many pieces is read in time',
  async (api) => {
    const content = 'x'.repeat(24 * mega);
    const said = { content };
    const line = {
      ollama: `${JSON.stringify({ message: said, done: true })}\n`,
      openai: `data: ${JSON.stringify({ choices: [{ delta: said, finish_reason: 'stop' }] })}\n\n`,
    }[api];
    const bytes = new TextEncoder().encode(line);
    const server = served(function* () {
      for (let at = 0; at < bytes.length; at += 8_000) yield bytes.subarray(at, at + 8_000);
    }, stream);
    const { message } = await server[api].reply(request);
    expect(message.content === content).toBe(true);
  },
);

test('an answer of Ollama with very many calls is read', async () => {
  const calls = Array.from({ length: 200_000 }, () => ({ function: { name: 'a' } }));
  const line = JSON.stringify({ message: { tool_calls: calls }, done: true });
  const server = served(() => [new TextEncoder().encode(line)], stream);
  const { message } = await server.ollama.reply(request);
  expect(message.toolCalls).toHaveLength(calls.length);
});

test('very many empty lines of Ollama are passed over in time', async () => {
  const empty = new TextEncoder().encode('\n'.repeat(mega));
  const server = served(function* () {
    for (let count = 0; count < 100; count += 1) yield empty;
    yield new TextEncoder().encode('{"message":{"content":"Hi"},"done":true}\n');
  }, stream);
  const before = process.cpuUsage();
  await server.ollama.reply(request);
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
}, 120_000);
