import { expect, test } from 'vitest';
import { qualityOf, reliabilityOf, sizeInName } from '../../../src/core/budget/reliability.ts';

const none = { found: 0, kept: 0 };

const of = (size: number, compressions: number, { facts = none, suspected = false } = {}) =>
  reliabilityOf({ model: 'm', size, facts, compressions, suspected });

test.each([
  [70, 0, 0.95, 'high'],
  [30, 0, 0.85, 'high'],
  [13, 0, 0.7, 'medium'],
  [7, 0, 0.5, 'low'],
  [3, 0, 0.3, 'critical'],
  [70, 1, 0.8075, 'medium'],
  [70, 3, 0.5225, 'low'],
  [70, 9, 0.285, 'critical'],
])('a model of %i billion after %i compressions scores %f, %s', (...[size, times, score, band]) => {
  const reliability = of(size, times);
  expect(reliability).toMatchObject({ score: expect.closeTo(score), band, kept: null });
});

test('facts that the prompt does not hold now lower the confidence, and a suspected cut halves it', () => {
  const facts = { found: 200, kept: 180 };
  expect(of(70, 0, { facts })).toMatchObject({ confidence: 0.9, kept: 0.9 });
  expect(of(70, 0, { facts, suspected: true })).toMatchObject({ confidence: 0.45, kept: 0.9 });
});

test('a low score is warned of from the first prompt on, with what it is low for', () => {
  expect(of(3, 0).warning).toMatch(
    /^Your model \(m\) is small: 3 billion parameters\.\nSmall models may lose accuracy after 2 to 3/,
  );
  expect(of(7, 0).warning).toContain('7 billion parameters');
  expect(of(8.030261248, 0).warning).toContain(': 8 billion parameters');
  expect(of(3, 3).warning).toContain('Your model (m) has compressed the conversation 3 times.');
  expect([of(13, 0).warning, of(70, 2).warning]).toEqual([null, null]);
  expect(of(13, 3).warning).toMatch(/3 times\.\nModels of its size may lose accuracy after 3 to 5/);
});

test.each([
  [3, 'small', 'basic', [2, 3]],
  [13, 'medium', 'good', [3, 5]],
  [70, 'large', 'excellent', [5, 7]],
])('of %i billion: %s models, %s summaries', (size, ...[models, summaries, compressions]) => {
  expect(qualityOf(size)).toEqual({ models, summaries, compressions });
});

test.each([
  ['llama3.2:3b', 3],
  ['llama3.1:8b-instruct-q4_K_M', 8],
  ['Qwen/Qwen2.5-0.5B-Instruct', 0.5],
  ['mixtral:8x7b', 56],
  ['smollm2:135m', 0.135],
  ['gpt-oss:20b', 20],
  ['Qwen/Qwen3-30B-A3B', 30],
  ['tinyllama-1.1B', 1.1],
  ['phi-3-mini-128k', null],
  ['4bit', null],
  ['phi4', null],
  ['gemma3n:e4b', null],
  ['gpt-4.1', null],
])('%s has %s billion parameters by its name', (name, size) => {
  expect(sizeInName(name)).toBe(size);
});
