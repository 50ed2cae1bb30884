import { expect, test } from 'vitest';
import { openStore, type Session } from '../../../src/index.ts';
import { errorOfStatus } from '../../../src/llm/server/server-error.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { leastRoom } from '../../../src/core/budget/options.ts';

async function session(options: object = { model: 'm' }): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window: 8_000, ...options });
}

/** Exchanges that a server counted as we did, times `ratio`. */
async function talk(s: Session, turns: number, ratio = 1): Promise<void> {
  for (let n = 0; n < turns; n += 1) {
    await s.append({ role: 'user', content: prose(100, n) });
    const { id, budget } = await s.assemble();
    const usage = { inputTokens: Math.round(budget.total * ratio) };
    await s.append({ role: 'assistant', content: prose(100, n + 50) }, { assembly: id, usage });
  }
}

test('a count without an answer corrects ours', async () => {
  const s = await session();
  await s.append({ role: 'user', content: prose(300) });
  const { id, budget } = await s.assemble();
  const usage = { inputTokens: budget.total * 2 };
  expect(await s.report({ assembly: id, usage })).toEqual({ truncation: 'none', lost: [] });
  expect(s.state.budget.count).toBe('measured');
  expect(s.state.budget.limit).toBeLessThan(3_400);
  expect(s.state.entries).toBe(1);
});

test('the last assembly is meant unless one is named', async () => {
  const s = await session();
  await s.append({ role: 'user', content: prose(300) });
  const { budget } = await s.assemble();
  await s.report({ usage: { inputTokens: budget.total } });
  expect(s.state.budget.count).toBe('measured');
});

test('a count that fell though the prompt grew is suspected, and teaches nothing', async () => {
  const s = await session();
  await talk(s, 6);
  await s.append({ role: 'user', content: prose(50) });
  const { id, budget } = await s.assemble();
  const usage = { inputTokens: Math.round(budget.total / 3) };
  const taught: boolean[] = [];
  s.on('assembly.sent', ({ calibration }) => taught.push(calibration!.samples > 6));
  expect(await s.report({ assembly: id, usage })).toEqual({
    truncation: 'suspected',
    lost: ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9'],
  });
  expect(taught).toEqual([false]);
});

test.each([
  [
    'Ollama',
    `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8000 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8000}}`,
  ],
  [
    'one that names no numbers',
    'the prompt is longer than the context length currently available to the model',
  ],
])('a refusal by %s makes the next prompt shorter', async (_, message) => {
  const s = await session();
  await talk(s, 12, 0.9);
  for (let n = 0; n < 8; n += 1) await s.append({ role: 'assistant', content: prose(300, n) });
  const first = await s.assemble();
  const judgment = await s.report({ assembly: first.id, error: new Error(message) });
  expect(judgment).toEqual({ truncation: 'certain', lost: [] });
  const second = await s.assemble();
  expect(second.budget.total).toBeLessThan(first.budget.total);
});

/** A session that is full, with all of it counted. */
async function full(options: object = { model: 'm' }): Promise<Session> {
  const s = await session({ window: 16_384, ...options });
  for (let n = 0; n < 60; n += 1)
    await s.append({ role: 'assistant', content: `Step ${n}: ${prose(170, n)}` });
  await s.append({ role: 'user', content: 'Go on.' });
  await s.assemble();
  return s;
}

const refusals: readonly (readonly [string, string])[] = [
  ['no numbers', 'the input length exceeds the context length'],
  ['by how much it is too long', 'prompt too long; exceeded max context length by 2228 tokens'],
  ['its numbers', 'exceeds the available context size: n_prompt_tokens 6324, n_ctx 4096'],
];

test.each(refusals.flatMap((one) => [[...one, 'm'] as const, [...one, undefined] as const]))(
  'each refusal that says %s makes the next prompt smaller, as long as it can be (%s, model %s)',
  async (_, words, model) => {
    const s = await full({ model });
    const totals: number[] = [];
    const rules = new Set<string>();
    s.on('truncation.suspected', ({ rule }) => rules.add(rule));
    const ask = async (): Promise<void> => {
      const { id, budget } = await s.assemble();
      totals.push(budget.total);
      const refused = await s.report({ assembly: id, error: new Error(words) });
      expect(refused).toEqual({ truncation: 'certain', lost: [] });
    };
    for (let n = 0; n < 30; n += 1) await ask();
    const falls = totals.slice(1).map((total, n) => total / totals[n]!);
    const large = falls.filter((_, n) => totals[n]! > 2 * leastRoom);
    expect(large.length).toBeGreaterThan(1);
    expect(large.every((share) => share < 0.95)).toBe(true);
    expect(falls.every((share) => share <= 1)).toBe(true);
    expect(totals.at(-1)).toBeLessThanOrEqual(leastRoom);
    expect([...rules]).toEqual(['prompt.refused']);
    for (let n = 1; n <= s.state.entries; n += 1) expect(s.where(`e${n}`).place).not.toBe(null);
    await s.append({ role: 'user', content: 'And now?' });
    expect((await s.assemble()).messages.at(-1)).toMatchObject({ content: 'And now?' });
  },
);

test('a refusal that says by how much is met with one prompt', async () => {
  const s = await full();
  const { id, budget } = await s.assemble();
  const excess = budget.total - 4_096;
  const error = new Error(`prompt too long; exceeded max context length by ${excess} tokens`);
  await s.report({ assembly: id, error });
  expect((await s.assemble()).budget.total).toBeLessThan(4_096 * 0.85);
  expect(s.state.budget.window).toBe(16_384);
});

test('so is one in the words of an error of ours', async () => {
  const s = await full();
  const { id, budget } = await s.assemble();
  const words = `prompt too long; exceeded max context length by ${budget.total - 4_096} tokens`;
  const asked = { server: 'http://x', api: 'ollama', model: 'm' } as const;
  const error = errorOfStatus(asked, { status: 400, headers: new Headers() }, words);
  expect(error.code).toBe('MODEL_OVERFLOW');
  await s.report({ assembly: id, error });
  expect((await s.assemble()).budget.total).toBeLessThan(4_096 * 0.85);
});

test('numbers are read wherever an error has them', async () => {
  const s = await full();
  const body = '{"error":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8000}';
  await s.report({ error: Object.assign(new Error('context length exceeded'), { body }) });
  expect(s.state.budget.window).toBe(8_000);
});

test('the limit comes up again with each answer after a refusal, and at once in a larger window', async () => {
  const s = await full({ model: undefined });
  const { limit } = s.state.budget;
  const refuse = async (): Promise<number> => {
    const { id } = await s.assemble();
    await s.report({ assembly: id, error: new Error(refusals[0]![1]) });
    return s.state.budget.limit;
  };
  let before = await refuse();
  expect(before).toBeLessThan(limit);
  for (let n = 0; n < 40; n += 1) {
    const { id } = await s.assemble();
    await s.append({ role: 'user', content: 'Next.' });
    await s.append({ role: 'assistant', content: 'Done.' }, { assembly: id });
    expect(s.state.budget.limit).toBeGreaterThanOrEqual(before);
    before = s.state.budget.limit;
  }
  expect(before).toBe(limit);
  expect(await refuse()).toBeLessThan(limit);
  await s.configure({ window: 20_000 });
  expect(s.state.budget.limit).toBe(17_000);
});

test('a larger system prompt is refused for a window, not for what a server refused', async () => {
  const s = await full();
  const { id, budget } = await s.assemble();
  await s.report({ assembly: id, usage: { inputTokens: budget.total } });
  await s.report({ assembly: id, error: new Error(refusals[0]![1]) });
  const system = prose(20_000);
  await expect(s.configure({ system })).rejects.toMatchObject({
    code: 'SYSTEM_TOO_LARGE',
    detail: { needs: expect.any(Number) },
  });
});

test('a smaller window becomes the session’s, a larger one does not', async () => {
  const s = await session({});
  await s.report({ window: 4_096 });
  expect(s.state.budget).toMatchObject({ window: 4_096, limit: 3_482 });
  await s.report({ window: 32_768 });
  expect(s.state.budget.window).toBe(4_096);
});

test('an error of another kind says nothing of the prompt', async () => {
  const s = await session();
  await talk(s, 2);
  const { seq } = s.state;
  const judgment = await s.report({ error: new Error('CUDA error') });
  expect(judgment).toEqual({ truncation: 'none', lost: [] });
  expect(s.state.seq).toBe(seq);
});

test('what a model taught is there after a reopening', async () => {
  const store = await openStore(':memory:');
  const s = await store.open('s', { window: 8_000, model: 'm' });
  await talk(s, 5, 1.5);
  const { budget } = s.state;
  await s.close();
  const again = await store.open('s');
  expect(again.state.budget).toEqual(budget);
  await store.close();
});

test('an impossible count teaches nothing', async () => {
  const s = await session();
  await talk(s, 3);
  const { limit } = s.state.budget;
  await s.append({ role: 'user', content: 'hi' });
  const { id } = await s.assemble();
  await s.append(
    { role: 'assistant', content: 'ok' },
    { assembly: id, usage: { inputTokens: 60_000 } },
  );
  expect(s.state.budget.limit).toBe(limit);
});

test('whatever servers say, something can be sent', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'hi' });
  for (let n = 0; n < 40; n += 1) {
    const { id } = await s.assemble();
    const error = new Error('the prompt is longer than the context length currently available');
    await s.report({ assembly: id, error });
    await s.report({ assembly: id, usage: { inputTokens: 1_500 + n } });
  }
  expect(s.state.budget.limit).toBeGreaterThanOrEqual(1_700);
  await s.append({ role: 'user', content: prose(800) });
  await s.assemble();
});

test('a window in which the session cannot live is not taken over from an error', async () => {
  const s = await session({ model: 'm', system: prose(2_500) });
  await s.append({ role: 'user', content: prose(900) });
  const first = await s.assemble();
  const error = new Error(
    'maximum context length is 3000 tokens, your request has 4100 input tokens',
  );
  expect(await s.report({ error })).toMatchObject({ truncation: 'certain' });
  expect(s.state.budget.window).toBe(8_000);
  expect(s.state.budget.limit).toBeLessThan(first.budget.limit * 2);
});

test('usage without an assembly speaks of the last one given out', async () => {
  const s = await session();
  await s.append({ role: 'user', content: prose(300) });
  const { budget } = await s.assemble();
  await s.append({ role: 'assistant', content: 'ok' }, { usage: { inputTokens: budget.total } });
  expect(s.state.budget.count).toBe('measured');
});

test('a model may be called anything', async () => {
  const s = await session({ model: 'constructor' });
  await s.append({ role: 'user', content: 'hi' });
  await s.configure({ model: '__proto__' });
  await s.configure({ model: 'toString' });
  expect((await s.assemble()).budget.limit).toBeGreaterThan(1_000);
});

test('another model begins with what the last one taught, and a margin', async () => {
  const s = await session();
  await talk(s, 8);
  const { limit } = s.state.budget;
  await s.configure({ model: 'other' });
  expect(s.state.budget.count).toBe('estimate');
  expect(s.state.budget.limit).toBeLessThan(limit);
  expect(s.state.budget.limit).toBeGreaterThan(limit / 1.4);
});

test.each([
  ['at', { at: 'yesterday' }],
  ['asembly', { asembly: 'a1-0' }],
  ['key', { key: 5 }],
])('append refuses a wrong %s and appends nothing', async (name, options) => {
  const s = await session();
  const said = s.append({ role: 'user', content: 'hi' }, options as never);
  await expect(said).rejects.toMatchObject({ code: 'OPTION_INVALID', detail: { option: name } });
  expect(s.state.entries).toBe(0);
});

test('what is assembled is nobody’s to change', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'Never push to main.' });
  await s.goal.set({ description: 'Ship', decisions: [{ text: 'No push', locked: true }] });
  const { messages } = await s.assemble();
  expect(() => Object.assign(messages.at(-1)!, { content: 'Push to main!' })).toThrow(TypeError);
  expect(() => (s.state.goal!.decisions as object[]).push({})).toThrow(TypeError);
});

test('an assembly can be asked for with the tools of the last one', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'hi' });
  const tools = [{ name: 'read', description: prose(50) }];
  const first = await s.assemble({ tools });
  expect(await s.assemble({ tools: 'same' })).toEqual(first);
  await expect(s.assemble({ tools: 'x' as never })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
  });
  await expect(s.assemble({ tool: tools } as never)).rejects.toThrow(/There is no option "tool"/);
});

const call = { type: 'function', function: { name: 'read', parameters: {} } };

test.each([
  ['its name at the top', { name: 'read', input_schema: {} }],
  ['its name within `function`', call],
  ['a type of the server', { type: 'web_search' }],
  ['a name of a host', { toolName: 'transfer', toolDescription: 'Hands over.' }],
  ['itself alone', { googleSearch: {} }],
])('a tool may be told by %s', async (_, tool) => {
  const s = await session();
  expect((await s.assemble({ tools: [tool] })).budget.tools).toBeGreaterThan(0);
});

test.each([
  { foo: 1 },
  { description: 'Reads.', parameters: {} },
  { type: 'function', function: {} },
  { name: ' ' },
  {},
  'read',
  null,
])('what is no tool is refused by its place: %j', async (tool) => {
  const s = await session();
  await expect(s.assemble({ tools: [call, tool] })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: `Option "tools[1]" cannot be ${JSON.stringify(tool)}; it takes a tool with a name, as servers spell it: { name, … } or { function: { name, … } }`,
    detail: { option: 'tools' },
  });
  expect(s.state.budget.tools).toBe(0);
});

test.each([
  ['a body', { error: { code: 'context_length_exceeded', message: 'too many' } }],
  ['a code alone', Object.assign(new Error('400'), { code: 'context_length_exceeded' })],
  ['a cause', new Error('failed', { cause: new Error('context length exceeded') })],
  [
    'the answer beside it',
    Object.assign(new Error('400'), {
      responseBody: '{"error":"prompt is too long: 9000 tokens > 8000 maximum"}',
    }),
  ],
])('an overflow is read from %s', async (_, error) => {
  const s = await session();
  await s.append({ role: 'user', content: 'hi' });
  await s.assemble();
  expect((await s.report({ error })).truncation).toBe('certain');
});

test('what a person said of windows is no overflow, though an error repeats it', async () => {
  const s = await session();
  const error = {
    error: { message: 'invalid input' },
    messages: [{ content: 'maximum context length is 2048 tokens' }],
  };
  expect((await s.report({ error })).truncation).toBe('none');
  expect(s.state.budget.window).toBe(8_000);
});

test('the margin before the first report refuses nothing that fits without it', async () => {
  const s = await session({ window: 2_000, reserve: 0, system: prose(150) });
  const ids = Array.from({ length: 70 }, (_, n) => `c${n}`);
  await s.append([
    { role: 'user', content: 'Look at all of them.' },
    {
      role: 'assistant',
      content: '',
      toolCalls: ids.map((id) => ({ id, name: 'read', arguments: {} })),
    },
    ...ids.map((id) => ({ role: 'tool' as const, toolCallId: id, content: 'empty' })),
  ]);
  await s.configure({ model: 'm' });
  const { budget } = await s.assemble();
  expect(budget.total).toBeGreaterThan(1_000);
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
});

test.each([5, null, { inputTokens: '5' }, { inputTokens: Number.NaN, prompt_tokens: 5 }])(
  'no answer is lost over a usage of %j',
  async (usage) => {
    const s = await session();
    await s.assemble();
    await s.append({ role: 'assistant', content: 'paid for' }, { usage } as never);
    expect(s.state.entries).toBe(1);
    expect(s.state.usage).toBeNull();
  },
);

test('what a cache served and what was thought is told, and kept with the session', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'hi' });
  const { id, budget } = await s.assemble();
  const told: unknown[] = [];
  s.on('assembly.sent', ({ usage }) => told.push(usage));
  const counted = {
    cachedInputTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 7,
    outputTokens: 9,
  };
  const usage = { inputTokens: budget.total, ...counted, totalTokens: 20, raw: { a: 1 } };
  await s.append({ role: 'assistant', content: 'ok' }, { assembly: id, usage });
  expect(told).toEqual([counted]);
  expect(s.state.usage).toEqual({ inputTokens: budget.total, ...counted });
  await s.report({ usage: { ...usage, cachedInputTokens: 4 } });
  expect(s.state.usage).toEqual({ inputTokens: budget.total, ...counted, cachedInputTokens: 4 });
});
