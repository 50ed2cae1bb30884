import { expect, test } from 'vitest';
import {
  inverseFrequency,
  lengthNorm,
  saturatedFrequency,
  significantTerms,
} from '../../../src/core/search/bm25.ts';

test('a rare term weighs more than a frequent one, and one in every piece still a little', () => {
  const size = { pieces: 100, terms: 1_000 };
  expect(inverseFrequency(1, size)).toBeCloseTo(Math.log(1 + 99.5 / 1.5));
  expect(inverseFrequency(10, size)).toBeLessThan(inverseFrequency(9, size));
  expect(inverseFrequency(100, size)).toBeGreaterThan(0);
});

test('a piece of average length has the norm 0.36, and what has no terms none', () => {
  expect(20 * lengthNorm({ pieces: 10, terms: 200 })).toBeCloseTo(0.36);
  expect(lengthNorm({ pieces: 0, terms: 0 })).toBe(0);
  expect(lengthNorm({ pieces: 1, terms: 0 })).toBeCloseTo(0.36);
});

test('a term counts more where it is said more often, less and less so, and less in a longer piece', () => {
  const once = saturatedFrequency(1, 0.36);
  const twice = saturatedFrequency(2, 0.36);
  expect(once).toBeCloseTo(1);
  expect(twice).toBeGreaterThan(once);
  expect(saturatedFrequency(3, 0.36) - twice).toBeLessThan(twice - once);
  expect(saturatedFrequency(1_000, 0.36)).toBeLessThan(1.9);
  expect(saturatedFrequency(1, 0.72)).toBeLessThan(once);
});

test('in a large log common terms are left out, but for the three rarest', () => {
  const terms = [900, 0, 300, 129, 128, 400].map((holding) => ({ holding }));
  const kept = (pieces: number, given = terms) =>
    significantTerms(given, { pieces, terms: 1 }).map(({ holding }) => holding);
  expect(kept(1_023)).toEqual([128, 129, 300, 400, 900]);
  expect(kept(1_024)).toEqual([128, 129, 300]);
  const four = [1, 2, 3, 128, 129].map((holding) => ({ holding }));
  expect(kept(1_024, four)).toEqual([1, 2, 3, 128]);
});
