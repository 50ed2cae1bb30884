import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/core/values/canonical-json.ts';
import {
  fieldOf,
  firstNumber,
  isObject,
  jsonOf,
  notJson,
  textsIn,
} from '../../../src/core/values/json.ts';
import { readLately, readOften, readOnce } from '../../../src/core/values/read-once.ts';

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

test('of words all are kept until there are too many, but for long ones', () => {
  const made: string[] = [];
  const read = readOften((of) => (made.push(of), of.toUpperCase()), { longest: 2, most: 2 });
  const words = ['a', 'b', 'a', 'long', 'long', 'b', 'c', 'a'];
  expect(words.map(read)).toEqual(words.map((word) => word.toUpperCase()));
  // With c there are too many: it is kept, and those before it are not.
  expect(made).toEqual(['a', 'b', 'long', 'long', 'c', 'a']);
});

class Pool {
  readonly size = 1;
}
const bare: object = Object.create(null) as object;
const nameless = Object.create({ constructor: undefined }) as object;
const ring: { inside: object[] } = { inside: [] };
ring.inside.push(ring);
const shared = { a: 1 };

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < depth; n += 1) value = [value];
  return value;
}

test.each([
  ['a text', 'a', null],
  ['a number', 1.5, null],
  ['true', true, null],
  ['null', null, null],
  ['a list', [1, 'a', [null]], null],
  ['an object', { a: { b: [] } }, null],
  ['a bare object', Object.assign(bare, { a: 1 }), null],
  ['a field that is undefined', { a: undefined }, null],
  ['the same object twice', [shared, { shared }], null],
  ['nothing', undefined, 'it: undefined'],
  ['no number', Number.NaN, 'it: NaN'],
  ['no end', { a: -Infinity }, 'it.a: -Infinity'],
  ['a large number', [1n], 'it[0]: a bigint'],
  ['a function', { a: [() => 1] }, 'it.a[0]: a function'],
  ['a symbol', { a: { b: Symbol('x') } }, 'it.a.b: a symbol'],
  ['a hole', [1, undefined], 'it[1]: undefined'],
  ['the first of two', { a: 1, b: [() => 1], c: Number.NaN }, 'it.b[0]: a function'],
  ['an instance', { a: new Pool() }, 'it.a: an object of the class Pool'],
  ['a date', new Date(0), 'it: an object of the class Date'],
  ['an instance of no name', [nameless], 'it[0]: an object of the class without a name'],
  ['a ring', ring, 'it.inside[0]: a part of itself'],
  ['a deep list', nested(1_000), null],
  ['a list too deep to write', { a: nested(20_000) }, 'it: more than 1000 values in one another'],
])('JSON cannot hold a part of %s', (_, value, said) => {
  const fault = notJson(value, 'it');
  expect(fault === null ? null : `${fault.path}: ${fault.is}`).toBe(said);
});

test('the value that JSON cannot hold is told', () => {
  const pool = new Pool();
  expect(notJson({ a: [pool] }, 'it')!.value).toBe(pool);
  expect(notJson({ a: [Number.NaN] }, 'it')!.value).toBeNaN();
  expect(notJson({ a: [undefined] }, 'it')).toEqual({
    path: 'it.a[0]',
    is: 'undefined',
    value: undefined,
  });
  expect(notJson(ring, 'it')!.value).toBe(ring);
});
