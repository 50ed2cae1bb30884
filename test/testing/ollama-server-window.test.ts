import fc from 'fast-check';
import llama3 from 'llama3-tokenizer-js';
import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { fit, type Fitting } from '../../src/testing/ollama/fit.ts';
import { toServed, type OllamaModel } from '../../src/testing/ollama/model.ts';
import { toRelease } from '../../src/testing/ollama/release.ts';
import { startOllamaServer, type OllamaServerOptions } from '../../src/testing/ollama-server.ts';
import { errorOf } from './error-of.ts';

// What becomes of prompts that are too long. The numbers of the cuts are those
// that were reported of real servers.

const count = (text: string): number => llama3.encode(text, { bos: false, eos: false }).length;
const words = (text: string): number => text.match(/<\|\w+\|>|\w+|[^\s\w]/g)?.length ?? 0;
const user = (content: string) => ({ role: 'user', content });

async function serve(model: OllamaModel, options: OllamaServerOptions = {}) {
  const server = await startOllamaServer({ models: { m: model }, count: words, ...options });
  return { server, client: new Ollama({ host: server.url }) };
}

const cuts: readonly (readonly [number, boolean, number])[] = [
  [4_096, false, 2_050],
  [4_096, true, 2_051],
  [32_768, false, 16_386],
  [32_768, true, 16_387],
  [65_536, false, 32_770],
  [65_536, true, 32_771],
];

for (const [window, bos, left] of cuts)
  test(`a window of ${window} ${bos ? 'with' : 'without'} a first token is cut to ${left}`, async () => {
    const { server, client } = await serve({ mode: 'rendered', bos });
    await using _ = server;
    const request = { model: 'm', messages: [user('word '.repeat(window + 100))] };
    const reply = await client.chat({ ...request, options: { num_ctx: window } });
    expect(reply.prompt_eval_count).toBe(left);
    const [call] = server.log;
    expect(call).toMatchObject({ numCtx: window, tokens: left, status: 200, dropped: [] });
    expect(call?.middle).toBe((call?.asked ?? 0) - left);
  });

test('a cut leaves the first and the last of the prompt', async () => {
  let prompt = '';
  const { server, client } = await serve(
    { mode: 'rendered' },
    { reply: (asked) => ((prompt = asked.prompt), 'ok') },
  );
  await using _ = server;
  const text = Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ');
  const options = { num_ctx: 100, num_keep: 10 };
  const reply = await client.generate({ model: 'm', prompt: text, raw: true, options });
  expect(reply.prompt_eval_count).toBe(100 - Math.floor((100 - 11) / 2));
  expect(prompt.startsWith('w0 w1 w2 ')).toBe(true);
  expect(prompt.endsWith(' w498 w499')).toBe(true);
  expect(prompt).not.toContain('w200 ');
  expect(words(prompt)).toBeLessThanOrEqual(56);
});

test('an old runner cuts to the whole window', async () => {
  for (const version of ['0.5.13', '0.12.4', '0.29.1', '0.30.10']) {
    const { server, client } = await serve({ mode: 'rendered' }, { version });
    await using _ = server;
    const options = { num_ctx: 4_096 };
    const reply = await client.chat({
      model: 'm',
      messages: [user('word '.repeat(9_000))],
      options,
    });
    expect(reply.prompt_eval_count).toBe(4_096);
  }
});

test('messages are dropped from the front, and system messages and the last one stay', async () => {
  const { server, client } = await serve({});
  await using _ = server;
  const messages = [
    { role: 'system', content: 'Be brief.' },
    user('first '.repeat(80)),
    { role: 'assistant', content: 'second '.repeat(80) },
    { role: 'system', content: 'Be kind.' },
    user('third '.repeat(20)),
    user('last'),
  ];
  const reply = await client.chat({ model: 'm', messages, options: { num_ctx: 70 } });
  const [call] = server.log;
  expect(call?.dropped).toEqual([messages[1], messages[2]]);
  expect(call).toMatchObject({ numCtx: 70, tokens: reply.prompt_eval_count, middle: 0 });
  expect(call?.asked).toBeGreaterThan(200);
});

test('dropping orphans a tool result, and may leave no user message', async () => {
  const seen: string[][] = [];
  const { server, client } = await serve(
    {},
    { reply: ({ messages }) => (seen.push(messages.map(({ role }) => role)), 'ok') },
  );
  await using _ = server;
  const call = { function: { name: 'read', arguments: { path: 'a.ts' } } };
  const messages = [
    { role: 'system', content: 'Be brief.' },
    user('read '.repeat(50)),
    { role: 'assistant', content: 'why '.repeat(50), tool_calls: [call] },
    { role: 'tool', content: 'text', tool_name: 'read' },
  ];
  await client.chat({ model: 'm', messages, options: { num_ctx: 60 } });
  expect(seen).toEqual([['system', 'tool']]);
});

test('a template that needs a user message refuses what dropping left', async () => {
  const { server, client } = await serve({ needsUser: true });
  await using _ = server;
  const messages = [user('read '.repeat(50)), { role: 'assistant', content: 'yes' }];
  const call = client.chat({ model: 'm', messages, options: { num_ctx: 40 } });
  expect(await errorOf(call)).toEqual({ status: 500, error: 'no user query found in messages' });
});

test('a native model refuses what is still too long, with the words of llama-server in a string', async () => {
  const { server, client } = await serve({});
  await using _ = server;
  const call = client.chat({
    model: 'm',
    messages: [user('word '.repeat(898))],
    options: { num_ctx: 256 },
  });
  const { status, error } = (await errorOf(call)) as { status: number; error: string };
  const tokens = server.log[0]?.asked;
  expect(status).toBe(400);
  expect(JSON.parse(error)).toEqual({
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (256 tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: tokens,
      n_ctx: 256,
    },
  });
  expect(server.log[0]).toMatchObject({ status: 400, tokens: null });
});

test('without truncation nothing is dropped or cut, and the server refuses', async () => {
  const messages = [user('one '.repeat(100)), user('two '.repeat(100))];
  const refusal = /^\{"error":\{"code":400,"message":"request \(\d+ tokens\) exceeds/;
  for (const mode of ['native', 'rendered'] as const) {
    const { server, client } = await serve({ mode });
    await using _ = server;
    const request = { model: 'm', messages, options: { num_ctx: 128 }, truncate: false };
    const { error } = (await errorOf(client.chat(request))) as { error: string };
    expect(error).toMatch(refusal);
    expect(server.log[0]?.dropped).toEqual([]);
  }
});

test('without shift a rendered prompt is refused, after dropping', async () => {
  const { server, client } = await serve({ mode: 'rendered' });
  await using _ = server;
  const messages = [user('one '.repeat(100)), user('two '.repeat(200))];
  const request = { model: 'm', messages, options: { num_ctx: 128 }, shift: false };
  expect(await errorOf(client.chat(request))).toEqual({
    status: 400,
    error: expect.stringMatching(/^the prompt is longer than the context length currently/),
  });
  const fitting = { ...request, messages: [messages[0], user('two')] as never };
  expect((await client.chat(fitting)).message.content).toBe('ok');
});

test('a prompt with images is not cut, and each image counts', async () => {
  const { server, client } = await serve({ mode: 'rendered' });
  await using _ = server;
  const images = ['aGVsbG8=', 'aGVsbG8='];
  const request = { model: 'm', prompt: 'what is this', images };
  expect((await client.generate(request)).prompt_eval_count).toBeGreaterThan(2 * 768);
  const small = client.generate({ ...request, options: { num_ctx: 1_024 } });
  const { error } = (await errorOf(small)) as { error: string };
  expect(error).toContain('exceed_context_size_error');
});

test('a prompt of exactly the window is too long, but for old runners', async () => {
  const one = async (model: OllamaModel, version: string, more: number): Promise<unknown> => {
    const { server, client } = await serve(model, { version });
    await using _ = server;
    const request = { model: 'm', messages: [user('hello')] };
    const size = (await client.chat({ ...request })).prompt_eval_count;
    const options = { num_ctx: size + more };
    return await client.chat({ ...request, options }).then(
      (reply) => reply.prompt_eval_count - size,
      (error: Error) => error.name,
    );
  };
  expect(await one({}, '0.33.2', 0)).toBe('ResponseError');
  expect(await one({}, '0.33.2', 1)).toBe(0);
  expect(await one({ mode: 'rendered' }, '0.33.2', 0)).toBe(-2);
  expect(await one({ mode: 'rendered' }, '0.33.2', 1)).toBe(0);
  expect(await one({}, '0.20.0', 0)).toBe(0);
});

test('a completion is cut even where a chat is refused', async () => {
  const { server, client } = await serve({ mode: 'native' });
  await using _ = server;
  const request = { model: 'm', prompt: 'word '.repeat(200), options: { num_ctx: 64 } };
  expect((await client.generate(request)).prompt_eval_count).toBe(64 - Math.floor(59 / 2));
});

test('a prompt that was wholly in the cache has no count where such tokens are left out', async () => {
  const { server, client } = await serve({}, { version: '0.30.0' });
  await using _ = server;
  const request = { model: 'm', messages: [user('hello')] };
  expect(await client.chat(request)).toHaveProperty('prompt_eval_count');
  expect(await client.chat(request)).not.toHaveProperty('prompt_eval_count');
});

test('thinking is rendered after the last user message only, and a result with its tool', async () => {
  const { server, client } = await serve({}, { reply: ({ prompt }) => prompt });
  await using _ = server;
  const messages = [
    user('a'),
    { role: 'assistant', content: 'b', thinking: 'before' },
    user('c'),
    { role: 'assistant', content: 'd', thinking: 'after' },
    { role: 'tool', content: 'e', tool_name: 'read' },
  ];
  const { content } = (await client.chat({ model: 'm', messages })).message;
  expect(content).not.toContain('before');
  expect(content).toContain('<think>after</think>\nd<|eot_id|>');
  expect(content).toContain('<|start_header_id|>ipython<|end_header_id|>\n\nread: e<|eot_id|>');
});

test('a model that cannot shift is refused as if it had been asked not to', async () => {
  const { server, client } = await serve({ mode: 'rendered', shifts: false });
  await using _ = server;
  const request = { model: 'm', messages: [user('a '.repeat(200))], options: { num_ctx: 64 } };
  expect(await errorOf(client.chat(request))).toMatchObject({ status: 400 });
});

test('releases from 0.12.4 to 0.29 refuse in words of their own, and older ones cut in silence', async () => {
  const request = { model: 'm', messages: [user('a '.repeat(200))], options: { num_ctx: 64 } };
  const silent = await serve({}, { version: '0.12.3' });
  const strict = await serve({}, { version: '0.12.4' });
  await using _a = silent.server;
  await using _b = strict.server;
  const asked = { ...request, truncate: false, shift: false };
  expect((await silent.client.chat(asked)).prompt_eval_count).toBe(64);
  expect(await errorOf(strict.client.chat(asked))).toEqual({
    status: 400,
    error: 'the input length exceeds the context length',
  });
});

test('the window asked for is clamped to the trained one, and memory may allow less', async () => {
  const { server, client } = await serve({ contextLength: 8_192, fits: 2_048 });
  await using _ = server;
  expect((await client.ps()).models).toEqual([]);
  server.add('big', { contextLength: 8_192 });
  const messages = [user('hello')];
  for (const model of ['m', 'big'])
    await client.chat({ model, messages, options: { num_ctx: 1_000_000 } });
  const { models } = await client.ps();
  expect(models).toMatchObject([
    { name: 'm:latest', context_length: 2_048 },
    { name: 'big:latest', context_length: 8_192 },
  ]);
});

test('the window comes from the request, else from the Modelfile, else from the server', async () => {
  const { server, client } = await serve({ numCtx: 6_000 }, { defaultNumCtx: 5_000 });
  await using _ = server;
  server.add('plain', {});
  await client.chat({ model: 'm', messages: [user('a')] });
  await client.chat({ model: 'm', messages: [user('a')], options: { num_ctx: 7_000 } });
  await client.chat({ model: 'm', messages: [user('a')], options: { num_ctx: 7_000 } });
  const tiny = client.chat({ model: 'plain', messages: [user('a')], options: { num_ctx: 1 } });
  expect(await errorOf(tiny)).toMatchObject({ status: 400 });
  await client.chat({ model: 'plain', messages: [user('a')] });
  expect(server.log.map(({ numCtx, loaded }) => [numCtx, loaded])).toEqual([
    [6_000, true],
    [7_000, true],
    [7_000, false],
    [4, true],
    [5_000, true],
  ]);
});

test('the prompt that would be sent can be seen without an answer', async () => {
  const { server, client } = await serve({});
  await using _ = server;
  const messages = [user('first '.repeat(80)), user('last')];
  const request = { model: 'm', messages, options: { num_ctx: 64 }, _debug_render_only: true };
  const reply = (await client.chat(request)) as unknown as { _debug_info: object };
  expect(reply._debug_info).toEqual({
    rendered_template:
      '<|start_header_id|>user<|end_header_id|>\n\nlast<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  });
});

test('counts include the template, the tools and the calls, by the tokenizer that was given', async () => {
  const { server, client } = await serve({ capabilities: ['completion', 'tools'] }, { count });
  await using _ = server;
  const asked = async (rest: object): Promise<number> =>
    (await client.chat({ model: 'm', messages: [user('hello')], ...rest })).prompt_eval_count;
  const bare = await asked({});
  expect(bare).toBe(1 + 6 + 4);
  const tool = { type: 'function', function: { name: 'read', description: 'Reads a file' } };
  expect(await asked({ tools: [tool] })).toBeGreaterThan(bare + count(JSON.stringify(tool)));
  const call = { function: { name: 'read', arguments: { path: 'src/index.ts' } } };
  const messages = [user('hello'), { role: 'assistant', content: '', tool_calls: [call] }];
  expect(await asked({ messages })).toBeGreaterThan(bare + count(JSON.stringify(call.function)));
});

test('a tokenizer may count more or less by any factor', async () => {
  const base = await serve({ bos: false });
  const twice = await serve({ bos: false }, { count: (text) => words(text) * 2.5 });
  await using _a = base.server;
  await using _b = twice.server;
  const request = { model: 'm', messages: [user('one two three four')] };
  const [a, b] = [await base.client.chat(request), await twice.client.chat(request)];
  expect(b.prompt_eval_count).toBe(Math.round(a.prompt_eval_count * 2.5));
});

test('the prompt count may be left out, or be without what was cached', async () => {
  const counts = async (options: OllamaServerOptions): Promise<readonly unknown[]> => {
    const { server, client } = await serve({}, options);
    await using _ = server;
    const messages = [user('one two three')];
    const told: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const reply = await client.chat({ model: 'm', messages });
      told.push(reply.prompt_eval_count);
      messages.push(reply.message, user('four'));
    }
    return told;
  };
  const [first, second, third] = (await counts({})) as [number, number, number];
  expect(first < second && second < third).toBe(true);
  expect(await counts({ counts: 'sometimes' })).toEqual([first, undefined, third]);
  expect(await counts({ counts: 'never' })).toEqual([undefined, undefined, undefined]);
  expect(await counts({ version: '0.30.0' })).toEqual([first, second - first, third - second]);
});

// ── laws ──

const message = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  content: fc.nat({ max: 60 }).map((size) => 'w '.repeat(size)),
});

const fittings: fc.Arbitrary<Fitting> = fc
  .record({
    messages: fc.array(message, { minLength: 1, maxLength: 12 }),
    numCtx: fc.integer({ min: 4, max: 300 }),
    keep: fc.option(fc.integer({ min: -1, max: 400 }), { nil: undefined }),
    mode: fc.constantFrom('native' as const, 'rendered' as const),
    bos: fc.boolean(),
    version: fc.constantFrom('0.11.0', '0.20.0', '0.30.5', '0.33.2'),
    truncate: fc.boolean(),
    shift: fc.boolean(),
  })
  .map(({ messages, numCtx, keep, mode, bos, version, truncate, shift }) => ({
    model: toServed('m', { mode, bos }, words),
    release: toRelease(version),
    body: { messages, truncate, shift, options: keep === undefined ? {} : { num_keep: keep } },
    chat: true,
    numCtx,
  }));

/** First message kept by the rule as it is written down: one step at a time. */
function slowly({ model, body, numCtx }: Fitting): readonly unknown[] {
  const all = body.messages ?? [];
  for (let start = 0; ; start += 1) {
    const kept = all.filter(({ role }, index) => index >= start || role === 'system');
    const tokens = words(model.template({ messages: kept, tools: [] })) + (model.bos ? 1 : 0);
    if (tokens <= numCtx || start >= all.length - 1) return kept;
  }
}

test('what is kept fits the window or is the least there is; system and last always stay', () => {
  fc.assert(
    fc.property(fittings, (fitting) => {
      const all = fitting.body.messages ?? [];
      const fitted = fit(fitting);
      const truncates = !fitting.release.heeds || fitting.body.truncate === true;
      expect(fitted.messages).toEqual(truncates ? slowly(fitting) : all);
      expect(fitted.messages.at(-1)).toBe(all.at(-1));
      for (const one of all)
        if (one.role === 'system') expect(fitted.messages.includes(one)).toBe(true);
      expect(fitted.messages.length + fitted.dropped.length).toBe(all.length);
      if (fitted.refusal === null) expect(fitted.tokens).toBeLessThanOrEqual(fitting.numCtx);
    }),
  );
});

test('a cut in the middle leaves the number of the formula, and never a longer text', () => {
  fc.assert(
    fc.property(fittings, fc.nat({ max: 300 }), (any, more) => {
      const long = user('w '.repeat(any.numCtx + more));
      const model = { ...any.model, mode: 'rendered' as const };
      const body = { ...any.body, messages: [long], truncate: true, shift: true };
      const fitting = { ...any, model, body };
      const fitted = fit(fitting);
      const { release, numCtx } = fitting;
      const told = fitting.body.options?.num_keep ?? 4;
      const first = (told < 0 ? Number.POSITIVE_INFINITY : told) + (model.bos ? 1 : 0);
      const keep = Math.min(first, numCtx - 1);
      const half = numCtx - Math.max(Math.floor((numCtx - keep) / 2), 1);
      expect(fitted.tokens).toBe(release.cut === 'half' ? half : numCtx);
      expect(words(fitted.prompt)).toBeLessThanOrEqual(fitted.tokens);
      expect(fitted.middle).toBeGreaterThan(0);
    }),
  );
});
