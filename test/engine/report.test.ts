import { expect, test } from 'vitest';
import { openStore, type Session } from '../../src/index.ts';
import { prose } from '../../src/testing/laws/torture-text.ts';

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
