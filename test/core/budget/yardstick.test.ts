import { expect, test } from 'vitest';
import { countBy, fittingYardsticks, missesAfter } from '../../../src/core/budget/yardstick.ts';
import type { TextSizes } from '../../../src/core/messages/text-sizes.ts';

const nothing: TextSizes = { characters: 0, bytes: 0, words: 0, files: 0 };
const prose: TextSizes = { characters: 4_100, bytes: 4_100, words: 770, files: 0 };
const chinese: TextSizes = { characters: 1_000, bytes: 3_000, words: 1, files: 0 };

/** The misses of growths, each of 1,000 tokens of ours: what was counted, and of what text. */
const misses = (...growths: readonly (readonly [counted: number, text: TextSizes])[]) =>
  growths.reduce(
    (before, [counted, text]) =>
      missesAfter(before, { counted, tokens: 1_000, sizes: [nothing, text], weight: 0.5 }),
    {},
  );

test('a server without a vocabulary counts a text by what it has of it', () => {
  expect(countBy('characters', prose)).toBeCloseTo(1_000);
  expect(countBy('bytes', chinese)).toBeCloseTo(731.7, 1);
  expect(countBy('words', prose)).toBeCloseTo(1_001);
});

test('before a prompt grew a server may have any yardstick, and after prose too', () => {
  const all = ['tokens', 'characters', 'bytes', 'words'];
  expect(fittingYardsticks({})).toEqual(all);
  expect(fittingYardsticks(misses([1_000, prose]))).toEqual(all);
});

test('a text of another kind tells which one it has', () => {
  const after = (counted: number) => fittingYardsticks(misses([1_000, prose], [counted, chinese]));
  expect([after(1_000), after(244), after(732), after(1)]).toEqual([
    ['tokens'],
    ['characters'],
    ['bytes'],
    ['words'],
  ]);
});

test('without the sizes, or by a file, nothing is told', () => {
  const growth = { counted: 244, tokens: 1_000, weight: 1 };
  const before = { tokens: 0.5 };
  expect(missesAfter(before, { ...growth, sizes: [undefined, chinese] })).toBe(before);
  expect(missesAfter(before, { ...growth, sizes: [nothing, undefined] })).toBe(before);
  const image = { ...chinese, files: 1 };
  expect(missesAfter(before, { ...growth, sizes: [nothing, image] })).toBe(before);
});
