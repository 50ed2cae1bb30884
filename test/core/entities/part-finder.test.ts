import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partFinder } from '../../../src/core/entities/part-finder.ts';

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
