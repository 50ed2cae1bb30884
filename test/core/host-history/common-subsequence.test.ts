import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonSubsequence, placesOf } from '../../../src/core/host-history/common-subsequence.ts';

const of = (one: string, other: string): string =>
  commonSubsequence(one.split(''), other.split(''))
    .map((pair) => pair.join(':'))
    .join(' ');

test.each([
  ['abcd', 'abcd', '0:0 1:1 2:2 3:3'],
  ['abcd', 'bd', '1:0 3:1'],
  ['abc', 'xaybzc', '0:1 1:3 2:5'],
  ['abc', 'cba', '2:0'],
  ['abcde', 'cdeab', '2:0 3:1 4:2'],
  ['aab', 'ab', '1:0 2:1'],
  ['abab', 'ab', '2:0 3:1'],
  ['abc', 'xyz', ''],
  ['', 'abc', ''],
  ['abc', '', ''],
])('of %s and %s: %s', (one, other, pairs) => {
  expect(of(one, other)).toBe(pairs);
});

test('equal members have their places, ascending', () => {
  expect([...placesOf(['a', 'b', 'c', 'a'])]).toEqual([
    ['a', [0, 3]],
    ['b', [1]],
    ['c', [2]],
  ]);
});

const few = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

test('it is as long as any, in the order of both, and of equal members', () => {
  fc.assert(
    fc.property(few, few, (one, other) => {
      const pairs = commonSubsequence(one, other);
      expect(pairs.length).toBe(lengthOf(one, other));
      for (const [at, [i, j]] of pairs.entries()) {
        expect(one[i]).toBe(other[j]);
        if (at === 0) continue;
        expect(i).toBeGreaterThan(pairs[at - 1]![0]);
        expect(j).toBeGreaterThan(pairs[at - 1]![1]);
      }
    }),
  );
});

/** Length of the longest common subsequence, by its definition. */
function lengthOf([a, ...one]: readonly string[], other: readonly string[]): number {
  if (a === undefined || other.length === 0) return 0;
  const at = other.indexOf(a);
  const without = lengthOf(one, other);
  return at < 0 ? without : Math.max(without, 1 + lengthOf(one, other.slice(at + 1)));
}
