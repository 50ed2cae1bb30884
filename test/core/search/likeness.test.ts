import { expect, test } from 'vitest';
import { runsOf, shareWithin } from '../../../src/core/search/likeness.ts';

test('a text is within another by the runs of words that both have', () => {
  const long = runsOf('the pattern can never match the type, done in 12 s');
  expect(shareWithin(runsOf('The pattern can never match.'), long)).toBe(1);
  expect(shareWithin(long, runsOf('The pattern can never match.'))).toBeLessThan(0.5);
  expect(shareWithin(runsOf('the budget is 300'), runsOf('the budget is 500'))).toBe(0.5);
  expect(shareWithin(runsOf('one'), runsOf('one two'))).toBe(0);
});
