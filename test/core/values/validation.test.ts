import { expect, test } from 'vitest';
import {
  anything,
  callable,
  checkArgument,
  faultIn,
  flag,
  idOf,
  integer,
  limit,
  listOf,
  nonEmptyText,
  objectOf,
  oneOf,
  readableValue,
  signal,
  text,
  texts,
  time,
  wait,
  wordsOf,
  type Schema,
} from '../../../src/core/values/validation.ts';

const step = objectOf<{ name: string; tries?: number }>({ name: text, tries: integer(1, 9) }, [
  'name',
]);
const plan = objectOf<{ steps: unknown; state: string; first?: unknown }>(
  { steps: listOf(step, 'a list of steps'), state: oneOf('open', 'done'), first: step },
  ['state'],
);
const good = {
  state: 'open',
  steps: [{ name: '' }, { name: 'b', tries: 9 }],
  first: { name: 'a' },
};

test('what a schema takes has no fault, and what is undefined is left out', () => {
  expect(faultIn({ ...good, first: undefined, other: undefined }, plan)).toBeNull();
});

test.each([
  [{}, 'state', undefined, 'one of open, done'],
  [{ ...good, state: null }, 'state', 'null', 'one of open, done'],
  [{ ...good, steps: {} }, 'steps', '{}', 'a list of steps'],
  [{ ...good, steps: [{ name: 'a' }, 5] }, 'steps[1]', '5', '{ name, tries? }'],
  [{ ...good, steps: [{ name: 5 }] }, 'steps[0].name', '5', 'a text'],
  [{ ...good, first: { name: 'a', tries: 0 } }, 'first.tries', '0', 'a whole number from 1 to 9'],
])('the fault of %j is at its place', (...[given, place, said, takes]) => {
  const wrong = said === undefined ? 'is missing' : `cannot be ${said}`;
  const refused = `Option "${place}" ${wrong}; it takes ${takes}`;
  const detail = { option: place.replace(/\[.*/, '') };
  expect(() => checkArgument('plan', given, plan)).toThrow(
    expect.objectContaining({
      code: 'OPTION_INVALID',
      message: refused,
      detail: expect.objectContaining(detail),
    }),
  );
});

test.each([
  [null, 'cannot be null'],
  [[], 'cannot be []'],
  [undefined, 'is missing'],
])('of an argument that is %j is said that it is the argument', (given, said) => {
  expect(() => checkArgument('plan', given, plan)).toThrow(
    expect.objectContaining({
      message: `Argument "plan" ${said}; it takes { steps?, state, first? }`,
      detail: expect.objectContaining({ option: 'plan' }),
    }),
  );
});

test('an unknown field is named, with those that there are; also one that every object has', () => {
  for (const name of ['stat', 'toString', '__proto__']) {
    const given = Object.fromEntries([...Object.entries(good), [name, 1]]);
    expect(() => checkArgument('plan', given, plan)).toThrow(
      `There is no option "${name}"; there are steps, state, first`,
    );
  }
});

test.each([
  [() => 1, 'a function'],
  [Symbol('x'), 'Symbol(x)'],
  [undefined, 'undefined'],
  [5n, '5'],
  [Number.NaN, 'NaN'],
  ['a', '"a"'],
  [{ a: [1] }, '{"a":[1]}'],
  [[1n], 'this list'],
  [{ a: 1n }, 'this object'],
  [{ toJSON: () => undefined }, 'object'],
])('a value as people read it, %#', (value, said) => expect(readableValue(value)).toBe(said));

test.each([
  [{ type: 'number' }, 'a number from 0'],
  [{ type: 'number', minimum: 0.5, maximum: 2 }, 'a number from 0.5 to 2'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: 'array' }, 'a list'],
  [{}, 'an object'],
  [texts, 'a list of texts'],
  [idOf('entry'), 'the id of an entry'],
  [idOf('frame'), 'the id of a frame'],
  [limit, 'a whole number from 0'],
  [nonEmptyText(), 'a text that is not empty'],
  [objectOf({}), 'none'],
  [time, 'milliseconds since 1970'],
  [signal, 'an AbortSignal'],
  [callable, 'a function'],
] as const)('%j takes %s', (schema, words) => expect(wordsOf(schema)).toBe(words));

const abort = { aborted: false, throwIfAborted: () => {}, addEventListener: () => {} };

test.each<readonly [string, Schema, readonly unknown[], readonly unknown[]]>([
  [
    'a number',
    { type: 'number', minimum: 1, maximum: 2 },
    [1, 1.5, 2],
    [0.9, 2.1, Number.NaN, '1'],
  ],
  ['any number', { type: 'number' }, [-1, 0], [null]],
  ['a whole number', { type: 'integer' }, [0, 1], [-1, 0.5, 2 ** 53]],
  ['a wait', wait(1), [1, 2 ** 31 - 1], [0, 2 ** 31]],
  ['a limit', limit, [0, 5, Infinity], [-1, 0.5, '5', -Infinity]],
  ['a time', time, [0, 8.64e15], [-1, 8.64e15 + 2]],
  ['a text', nonEmptyText(), ['a', ' a '], ['', ' \n', 5]],
  ['a callable', callable, [() => 1], [{}, null]],
  ['a flag', flag, [true, false], [0, null]],
  ['texts', texts, [[], ['']], [[5], 'a', {}]],
  ['anything', anything, [null, 5, {}], []],
  [
    'a signal',
    signal,
    [abort, new AbortController().signal],
    [
      null,
      undefined,
      5,
      { ...abort, aborted: 1 },
      { ...abort, throwIfAborted: true },
      { ...abort, addEventListener: true },
    ],
  ],
  [
    'an open object',
    { type: 'object', properties: { a: text } },
    [{ a: '', b: 1 }, {}],
    [{ a: 1 }],
  ],
])('%s takes what it says', (...[, schema, good, bad]) => {
  expect(good.filter((value) => faultIn(value, schema) !== null)).toEqual([]);
  expect(bad.filter((value) => faultIn(value, schema) === null)).toEqual([]);
});

test('the fault in a list within a list is at both places', () => {
  const nested = listOf(listOf(text, 'a list'), 'a list of lists');
  expect(faultIn([['a'], ['b', 5]], nested)).toMatchObject({ at: '[1][1]' });
  expect(faultIn({ a: [['b', 5]] }, { type: 'object', properties: { a: nested } })).toMatchObject({
    at: 'a[0][1]',
  });
});

test('a long value is told in 80 characters', () => {
  expect(() => checkArgument('a', 'x'.repeat(99), flag)).toThrow(
    `Argument "a" cannot be "${'x'.repeat(79)}; it takes true or false`,
  );
});
