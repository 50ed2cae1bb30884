import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startOpenAIServer } from '../../../../src/testing/openai-server.ts';
import { flamestack } from '../../call.ts';
import { serverWith, stage } from '../../chat-stage.ts';

test('the only model is taken, several are listed, and the one used last is known', async () => {
  const { pipe, server } = await stage({ reply: 'Hi.' });
  expect((await pipe('a', 'Hello\n')).exit).toBe(0);
  server.add('other', {});
  expect(await pipe('b', 'Hello\n')).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/several models: .*tiny:latest[^]*--model/) as unknown,
  });
  expect((await pipe('a', 'Hello again\n')).exit).toBe(0);
});

test('of a server without models it is said how to get one', async () => {
  const { pipe, store } = await stage({ models: {} });
  const { exit, err } = await pipe('a', 'Hello\n');
  expect([exit, err]).toEqual([2, expect.stringContaining('`ollama pull llama3.2:3b` gets one')]);
  expect(existsSync(store)).toBe(false);
});

test('of a missing model that nobody named it is said that it answered last, and how to name another', async () => {
  const { pipe, server } = await stage({ reply: 'Hi.' });
  await pipe('a', 'Hello\n');
  const elsewhere = await serverWith({ models: { 'qwen3-8b': {} } });
  const { exit, err } = await pipe(`a --host ${elsewhere.url}`, 'Hello\n');
  expect(exit).toBe(1);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(
    'has no model "tiny:latest", which answered last in session "a"; none was named',
  );
  expect(err).toContain('Name one: --model qwen3-8b:latest');
  const named = await pipe(`a --model tiny --host ${elsewhere.url}`, 'Hello\n');
  expect(named.err).not.toContain('answered last');
  expect(server.log.length).toBeGreaterThan(0);
});

test('a model that is missing is downloaded if the person wants it', async () => {
  const { sit, server } = await stage();
  const { type, until, exit } = sit('--model far');
  await until('no model far. Download it? [y/N] ');
  type('y\r');
  await until('far · http');
  type('\x04');
  expect(await exit).toBe(0);
  expect(server.log.map(({ path }) => path)).toContain('/api/pull');
  const again = sit('--model elsewhere');
  await again.until('[y/N] ');
  again.type('\r');
  expect(await again.exit).toBe(1);
  expect(again.out()).toContain('Not downloaded: elsewhere\n');
  expect(again.out()).not.toContain('ollama pull');
});

test('of several models a terminal is asked, and a slip in a name is asked about', async () => {
  const { sit, server } = await stage({ reply: 'Hi.' });
  server.add('other', {});
  const { type, until, exit } = sit('');
  await until('Which model?');
  await until('or a part of it: ');
  type('3\r');
  await until('Please answer 1 or 2, or a part of one name.');
  type('/help\r');
  await until('/quit');
  await until('or a part of it: ');
  type('/status\r');
  await until('The question comes first; /status is kept for the next prompt.');
  await until('or a part of it: ');
  type('1\r');
  await until(' · http');
  await until(' model ');
  type('\x04');
  expect(await exit).toBe(0);
  const near = sit('--model othr');
  await near.until('no model othr. Is other:latest meant? [Y/n] ');
  near.type('\r');
  await near.until('other:latest · http');
  near.type('\x04');
  expect(await near.exit).toBe(0);
  expect(server.log.map(({ path }) => path)).not.toContain('/api/pull');
  const left = sit('--new');
  await left.until('or a part of it: ');
  left.type('/q\r');
  expect(await left.exit).toBe(0);
  expect(left.out()).not.toContain('several models');
  const refused = sit('--new --model elsewhere');
  await refused.until('Download it? [y/N] ');
  refused.type('/exit\r');
  expect(await refused.exit).toBe(0);
  expect(refused.out()).not.toContain('Not downloaded');
  const none = sit('--new');
  await none.until('or a part of it: ');
  none.type('\x03');
  expect([2, 130]).toContain(await none.exit);
});

test.each([
  ['OTHER', 'other:latest'],
  ['tiny:latest', 'tiny:latest'],
  ['oth', 'other:latest'],
])('"%s" is the name of a model, or a part of one', async (typed, name) => {
  const { sit, server } = await stage({ reply: 'Hi.' });
  server.add('other', {});
  const { type, until, exit } = sit('');
  await until('Its number, or its name or a part of it: ');
  type('latest\r');
  await until('Please answer 1 or 2, or a part of one name.');
  type(`${typed}\r`);
  await until(`${name} · http`);
  type('\x04');
  expect(await exit).toBe(0);
});

test('a sentence at a question comes back in the prompt after Ctrl-C, and is not sent', async () => {
  const { sit, server } = await stage({ reply: 'Hi.' });
  const { type, until, exit } = sit('a');
  await until('> ');
  type('/model far\r');
  await until('Download it? [y/N] ');
  type('what is the weather like\r');
  await until('That is kept for the next prompt.');
  await until('Download it? [y/N] ');
  type('\x03');
  await until('> ');
  await until('what is the weather like');
  type('\x15/model far\r');
  await until('Download it? [y/N] ');
  type('half of a sentence\x03');
  await until('> ');
  await until('half of a sentence');
  type(', and its end\r');
  await until('Hi.');
  type('\x04');
  expect(await exit).toBe(0);
  const asked = server.log.filter(({ path }) => path === '/api/chat');
  expect(asked.map(({ body }) => body.messages?.at(-1)?.content)).toEqual([
    'half of a sentence, and its end',
  ]);
});

test('what was typed at a question that ends the chat is told, since it was not sent', async () => {
  const { type, until, exit, out } = (await stage()).sit('--model far');
  await until('Download it? [y/N] ');
  type('what is the weather like\r');
  await until('That is kept for the next prompt.');
  type('n\r');
  expect(await exit).toBe(1);
  expect(out()).toContain('Not sent: what is the weather like\n');
});

test('a near model is named where nobody can be asked, by chat and by doctor', async () => {
  const { pipe, server } = await stage({ models: { 'qwen3:8b': {} } });
  const { exit, err } = await pipe('a --model qwen3:8', 'Hello\n');
  expect([exit, err]).toEqual([1, expect.stringContaining('Is qwen3:8b meant? --model qwen3:8b')]);
  const env = { OLLAMA_HOST: server.url };
  const { out } = await flamestack('doctor --model qwen3:8', { env });
  expect(out).toContain('Is qwen3:8b meant? --model qwen3:8b');
});

test('a server that gives a smaller window is believed after the first answer', async () => {
  const { pipe, server } = await stage({ models: { tiny: { fits: 4_096 } } });
  const { err } = await pipe('a', 'Hello\nHello again\n');
  expect(err).toBe('The server gave a window of 4,096 tokens instead of 8,192; keeping to it.\n');
  const sizes = server.log.flatMap(({ body }) => body.options?.num_ctx ?? []);
  expect(sizes).toEqual([8_192, 4_096]);
});

test('a server that does not say its window after the first answer is asked again after the next', async () => {
  const { server, store } = await stage({ models: { tiny: { fits: 4_096 } } });
  let refused = 0;
  const isAnswered = (): boolean => server.log.some(({ path }) => path === '/api/chat');
  const relay = createServer(async (request, response) => {
    if (request.url === '/api/ps' && refused === 0 && isAnswered()) {
      refused += 1;
      return void response.writeHead(500).end('{}');
    }
    const { method = '', url = '' } = request;
    const body = method === 'POST' ? await text(request) : undefined;
    const answer = await fetch(`${server.url}${url}`, { method, ...(body && { body }) });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void relay.close());
  const { port } = relay.address() as AddressInfo;
  const { err } = await flamestack(`chat --store ${store} a`, {
    stdin: Readable.from(['Hello\nHello again\n']),
    env: { OLLAMA_HOST: `http://127.0.0.1:${port}` },
  });
  expect(refused).toBe(1);
  expect(err).toBe('The server gave a window of 4,096 tokens instead of 8,192; keeping to it.\n');
});

test('a prompt that the server finds too long is made again within its count', async () => {
  let perToken = 5;
  const { pipe, server } = await stage({
    count: (text) => text.length / perToken,
    reply: ({ n }) => {
      if (n === 3) perToken = 2;
      return 'Noted.';
    },
  });
  const long = 'The parser drops what it cannot use. '.repeat(180);
  const told = await pipe('a --frames', `${`${long}\n`.repeat(6)}Now what?\n`);
  expect(told).toEqual({
    exit: 0,
    out: 'Noted.\n'.repeat(7),
    err: expect.stringContaining('making it shorter by its count') as unknown,
  });
  expect(server.log.filter(({ path }) => path === '/api/chat').length).toBeGreaterThan(7);
});

test('a model without tools goes on without, and is not told of frames', async () => {
  const models = { plain: { capabilities: ['completion' as const] } };
  const { pipe, server } = await stage({ models, reply: 'Fine.' });
  const { exit, out, err } = await pipe('a', 'Hello\n');
  expect([exit, out]).toEqual([0, 'Fine.\n']);
  expect(err).toContain('plain:latest cannot call tools');
  const [asked] = server.log.filter(({ path }) => path === '/api/chat');
  expect(asked!.body.tools).toBeUndefined();
  expect(JSON.stringify(asked!.body.messages)).not.toContain('frame_push');
});

test('errors of the server are one line with advice, and /retry asks again', async () => {
  const { sit } = await stage({
    reply: [{ content: 'one two three', dropAfter: 2 }, { error: 'boom' }, 'Here it is.'],
  });
  const { type, until } = sit('a');
  await until('> ');
  type('Hello\r');
  await until('broke off');
  await until('/retry asks again');
  await until('> ');
  type('/retry\r');
  await until('boom');
  await until('> ');
  type('/retry\r');
  await until('Here it is.');
});

test('a script ends where the model fails, with what to do', async () => {
  const { pipe, server } = await stage({ reply: { error: 'boom', status: 500 } });
  const told = await pipe('a', 'Hello\nHello again\n');
  expect(told).toMatchObject({ exit: 1, out: '', err: expect.stringMatching(/boom/) as unknown });
  expect(server.log.filter(({ path }) => path === '/api/chat')).toHaveLength(1);
  await server.close();
  const down = await pipe('a', 'Hello\n');
  expect(down).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/No model server answers[^]*ollama serve/) as unknown,
  });
});

test('a server of the OpenAI kind is spoken to by its base URL, with the key', async () => {
  const server = await startOpenAIServer({ window: 8_192, key: 'secret', reply: 'Hello there.' });
  onTestFinished(() => server.close());
  const { store } = await stage();
  const words = `chat a --store ${store} --openai ${server.url}`;
  const told = await flamestack(words, {
    stdin: Readable.from(['Hi\n']),
    env: { OPENAI_API_KEY: 'secret' },
  });
  expect(told).toEqual({ exit: 0, out: 'Hello there.\n', err: '' });
  const refused = await flamestack(words, { stdin: Readable.from(['Hi\n']) });
  expect(refused.err).toContain('OPENAI_API_KEY');
});

test('what a server says that its cache served is kept with the answer', async () => {
  const usage = {
    prompt_tokens: 300,
    completion_tokens: 4,
    prompt_tokens_details: { cached_tokens: 120 },
  };
  const server = await startOpenAIServer({ reply: { content: 'Hello.', usage } });
  onTestFinished(() => server.close());
  const { store } = await stage();
  const words = `chat a --store ${store} --openai ${server.url}`;
  await flamestack(words, { stdin: Readable.from(['Hi\n']) });
  const { out } = await flamestack(`export a --as otlp --store ${store}`);
  expect(out).toContain(
    '{"key":"gen_ai.usage.cache_read.input_tokens","value":{"intValue":"120"}}',
  );
  expect(out).toContain('{"key":"gen_ai.usage.output_tokens","value":{"intValue":"4"}}');
});

test('what a model thinks is one line, unless it is asked for', async () => {
  const models = { deep: { capabilities: ['completion' as const, 'thinking' as const] } };
  const reply = { thinking: 'The person greets me.', content: 'Hello.' };
  const { sit } = await stage({ models, reply });
  const first = sit('a');
  await first.until('> ');
  first.type('Hi\r');
  await first.until('thought for');
  await first.until('Hello.');
  expect(first.out()).not.toContain('greets me');
  first.type('\x04');
  await first.exit;
  const second = sit('a --think');
  await second.until('> ');
  second.type('Hi\r');
  await second.until('greets me.\n');
  await second.until('Hello.');
});

test('a model that thinks is left more room for its answer', async () => {
  const thinking = { capabilities: ['completion', 'thinking'] as const, contextLength: 8_000 };
  const { pipe, server } = await stage({ models: { tiny: thinking }, reply: 'Hi.' });
  expect((await pipe('a --window 8000', 'Hello\n')).exit).toBe(0);
  const chat = server.log.findLast(({ path }) => path === '/api/chat')!;
  expect(chat.body.options).toMatchObject({ num_ctx: 8_000, num_predict: 2_400 });
});

test('an answer is kept whatever its usage says, and a count that is none is named once', async () => {
  const usage = { prompt_tokens: 12.5 };
  const server = await startOpenAIServer({ window: 8_192, reply: { content: 'Yes.', usage } });
  onTestFinished(() => server.close());
  const { store } = await stage();
  const stdin = Readable.from(['Hi\nAgain\n']);
  const told = await flamestack(`chat notes --store ${store} --openai ${server.url}`, { stdin });
  expect(told).toMatchObject({ exit: 0, out: 'Yes.\nYes.\n' });
  expect(told.err.match(/prompt_tokens 12\.5/g)).toHaveLength(1);
  const { out } = await flamestack(`log notes --json --store ${store}`);
  expect(out.match(/"Yes\."/g)).toHaveLength(2);
});
