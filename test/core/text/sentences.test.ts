import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from '../../../src/core/text/sentences.ts';

test('a text on one line has one space for each run of blanks, and none at its ends', () => {
  const unit = fc.constantFrom('a', '中', ' ', '\n', '\t', '\u0000', '\u0085', '\u00a0', '\u202e');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      const words = text.split(/[^a中]+/).filter(Boolean);
      expect(oneLine(text)).toBe(words.join(' '));
    }),
    { numRuns: 1_000 },
  );
});

test('escape sequences part words as a space does', () => {
  expect(oneLine('\u001b[1mred\u001b[0m\u001b[2K hat')).toBe('red hat');
});
