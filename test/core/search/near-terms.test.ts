import { expect, test } from 'vitest';
import { editDistance, nearest } from '../../../src/core/search/near-terms.ts';

test.each([
  ['dialyser', 'dialyzer', 1],
  ['recieve', 'receive', 1],
  ['colour', 'color', 1],
  ['planing', 'plain', 2],
  ['same', 'same', 0],
  ['abcdef', 'abc', 3],
  ['kitten', 'sitting', 3],
])('%s is so far from %s: %i, and more than two is not counted on', (one, other, away) => {
  expect(editDistance(one, other, 2)).toBe(away);
  expect(editDistance(other, one, 2)).toBe(away);
});

test('a long word may be two letters away, a short one one, and the shortest none', () => {
  expect(['of', 'bug', 'retry', 'cookie'].map(nearest)).toEqual([0, 1, 1, 2]);
});
