import { expect, test } from 'vitest';
import { statementLines, worthOf } from '../../../src/core/lines/worth.ts';

test.each([
  [1, 0, 4 / Math.sqrt(8)],
  [1, 32, 1],
  [2, 32, 2],
  [1, 224, 0.5],
])('of value %d in %d characters the worth is %d', (value, length, worth) => {
  expect(worthOf(value, 'x'.repeat(length))).toBeCloseTo(worth);
});

test('each statement is worth less the more are of a higher value, in the order of the text', () => {
  const text = 'x'.repeat(32);
  const statements = [1, 3, 2].map((value) => ({ text, value }));
  const worths = (weight: Parameters<typeof statementLines>[2]): readonly number[] =>
    statementLines(statements, 'read', weight).map(({ worth }) => Number(worth.toFixed(4)));
  expect(worths(1)).toEqual([0.8836, 3, 1.88]);
  expect(worths(0.5)).toEqual([0.4418, 1.5, 0.94]);
  expect(worths({ share: 1, next: 0.75 })).toEqual([0.5625, 3, 1.5]);
  expect(statementLines(statements, 'read', 1)[0]).toMatchObject({ kind: 'read', text });
});

test('of a long text no statement is worth less than half of what it would be alone', () => {
  const statements = Array.from({ length: 40 }, (_, n) => ({
    text: 'x'.repeat(32),
    value: 40 - n,
  }));
  const told = statementLines(statements, 'said', 1);
  expect(told[1]!.worth).toBeCloseTo(39 * 0.94);
  for (const [n, { worth }] of told.entries()) if (n >= 12) expect(worth).toBeCloseTo((40 - n) / 2);
});

test.each([
  ['The pool has 40 rows. (but see e3)', 'The pool has 40 rows. (but see e…)'],
  ['asked “May I drop it?”; e1 “yes”', 'asked “May I drop it?”; e… “yes”'],
  ['See e3 and e4 for the pool.', 'See e3 and e4 for the pool.'],
])('a text does not say of an entry what only we say: %s', (text, told) => {
  expect(statementLines([{ text, value: 1 }], 'read', 1)[0]!.text).toBe(told);
});
