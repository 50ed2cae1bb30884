import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, padEnd, padStart, widthOf, wrap } from '../../../src/cli/paper/width.ts';

const text = fc
  .array(fc.constantFrom('a', 'bc', ' ', '漢', '字', '👩‍👩‍👧', 'é', 'ü'))
  .map((parts) => parts.join(''));

test('wide characters take two cells, marks none', () => {
  expect([widthOf('ab'), widthOf('漢字'), widthOf('👩‍👩‍👧'), widthOf('e\u0301')]).toEqual([2, 4, 2, 1]);
});

test('a line that fits stays as it is, a longer one ends in dots', () => {
  expect(cut('flame', 5)).toBe('flame');
  expect(cut('flames', 5)).toBe('flam…');
  expect(cut('漢字漢字', 5)).toBe('漢字…');
  expect(cut('漢字漢', 6)).toBe('漢字漢');
  expect(cut('flames', 5, '...')).toBe('fl...');
  expect(cut('flames', 0)).toBe('');
});

test('no cut line is wider than asked', () => {
  fc.assert(
    fc.property(text, fc.nat(20), (line, width) => {
      expect(widthOf(cut(line, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test('padding counts cells, not characters', () => {
  expect(padEnd('漢', 4)).toBe('漢  ');
  expect(padStart('漢', 4)).toBe('  漢');
});

test('wrapped lines hold every word, in the width', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (line, width) => {
      const lines = wrap(line, width);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
    }),
  );
});
