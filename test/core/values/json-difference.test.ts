import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstDifference } from '../../../src/core/values/json-difference.ts';

test.each([
  [
    'a value of a field',
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }],
    { path: 'a.b[1]', one: 2, other: 3 },
  ],
  [
    'a field that is not there',
    [{ a: 1 }, { a: 1, b: 2 }],
    { path: 'b', one: undefined, other: 2 },
  ],
  ['a list that is shorter', [[1, 2], [1]], { path: '[1]', one: 2, other: undefined }],
  ['another kind of value', [{ a: [] }, { a: {} }], { path: 'a', one: [], other: {} }],
  ['null beside an object', [{ a: null }, { a: {} }], { path: 'a', one: null, other: {} }],
  [
    'another order of fields',
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    { path: '', one: ['a', 'b'], other: ['b', 'a'] },
  ],
  ['nothing at all', [undefined, 'x'], { path: '', one: undefined, other: 'x' }],
] as const)('%s is where two values differ', (_, values, difference) => {
  expect(firstDifference(values[0], values[1])).toEqual(difference);
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
