import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstDifference } from '../../../src/core/values/json-difference.ts';

test.each([
  ['a value of a field', { a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'a.b[1]', 2, 3],
  ['a field that is not there', { a: 1 }, { a: 1, b: 2 }, 'b', undefined, 2],
  ['a list that is shorter', [1, 2], [1], '[1]', 2, undefined],
  ['another kind of value', { a: [] }, { a: {} }, 'a', [], {}],
  ['null beside an object', { a: null }, { a: {} }, 'a', null, {}],
  ['another order of fields', { a: 1, b: 2 }, { b: 2, a: 1 }, '', ['a', 'b'], ['b', 'a']],
  ['nothing at all', undefined, 'x', '', undefined, 'x'],
])('%s is where two values differ', (_, one, other, path, left, right) => {
  expect(firstDifference(one, other)).toEqual({ path, one: left, other: right });
});

test('values differ exactly where their JSON does; a field without a value is none', () => {
  expect(firstDifference({ a: 1, b: undefined }, { a: 1 })).toBeNull();
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(firstDifference(one, other) === null).toBe(isSame);
      expect(firstDifference(one, structuredClone(one))).toBeNull();
    }),
  );
});
