import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/core/values/canonical-json.ts';
import { fieldOf, firstNumber, isObject, jsonOf, textsIn } from '../../../src/core/values/json.ts';
import { readLately, readOnce } from '../../../src/core/values/read-once.ts';

test('JSON has a value, other text has null', () => {
  expect(['{"a":1}', '[1]', '"a"', 'null', '{', ''].map(jsonOf)).toEqual([
    { a: 1 },
    [1],
    'a',
    null,
    null,
    null,
  ]);
});

test('an object has fields; a list, a text and null have none', () => {
  expect([{}, { a: 1 }, [], null, 'a', undefined].map(isObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([{ a: 1 }, {}, null, undefined, 'a'].map((value) => fieldOf(value, 'a'))).toEqual([
    1,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  [{ a: 1, b: 2 }, 1],
  [{ a: 0, b: 2 }, 2],
  [{ a: '1', b: -2 }, null],
  [{ b: 0.5 }, 0.5],
  [null, null],
])('of the fields a and b of %j the first number above 0 is %j', (value, number) => {
  expect(firstNumber(value, ['a', 'b'])).toBe(number);
});

test('a field that lists texts has them', () => {
  expect(textsIn({ a: ['x', 1, 'y', null] }, 'a')).toEqual(['x', 'y']);
  expect(textsIn({ a: 'x' }, 'a')).toEqual([]);
  expect(textsIn(null, 'a')).toEqual([]);
});

test('canonical JSON has the fields of every object in one order', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe(
    '{"a":"x","b":[{"c":null,"d":1}]}',
  );
  expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]');
  expect(canonicalJson(undefined)).toBe(undefined);
});

test('what is read once is kept with its value, also where that is undefined', () => {
  const made: object[] = [];
  const read = readOnce((of: object) => void made.push(of));
  const [one, other] = [{}, {}];
  for (const of of [one, one, other, one]) read(of);
  expect(made).toEqual([one, other]);
});

test('of texts, those that were asked for last are kept', () => {
  const made: string[] = [];
  const read = readLately((of) => (made.push(of), of.toUpperCase()), 2);
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(read)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  // b gave way to c, as a was asked for since.
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
