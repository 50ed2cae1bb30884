import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partFinder } from '../../../src/core/entities/part-finder.ts';
import { newRuns } from '../../../src/core/values/parts.ts';

test('a part is found where a text holds it, and nowhere else', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '中'), maxLength: 12 });
  fc.assert(
    fc.property(short, fc.array(short), (text, parts) => {
      const isIn = partFinder(text);
      for (const part of [...parts, text, text.slice(2), ''])
        expect(isIn(part)).toBe(text.includes(part));
    }),
  );
});

test('a long text is taken in part by part, and what stands across two of them is found', () => {
  const stretch = 1 << 15;
  const text = `${'a'.repeat(stretch - 4)}over the seam${'b'.repeat(stretch)}the end`;
  const { run } = newRuns({ begin: () => undefined, isOver: () => true });
  let runs = 1;
  let made = run((part) => partFinder(text, part));
  for (; made === null; runs += 1) made = run((part) => partFinder(text, part));
  expect(runs).toBe(4);
  expect(['over the seam', 'er the', 'bthe end', 'seam', 'no'].map(made.value)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
