import { expect, test } from 'vitest';
import {
  checkArgument,
  faultIn,
  listOf,
  objectOf,
  oneOf,
  text,
  integer,
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
  [null, 'plan', 'null; it takes { steps?, state, first? }'],
  [[], 'plan', '[]; it takes { steps?, state, first? }'],
  [{}, 'state', 'undefined; it takes one of open, done'],
  [{ ...good, state: null }, 'state', 'null; it takes one of open, done'],
  [{ ...good, steps: {} }, 'steps', '{}; it takes a list of steps'],
  [{ ...good, steps: [{ name: 'a' }, 5] }, 'steps[1]', '5; it takes { name, tries? }'],
  [{ ...good, steps: [{ name: 5 }] }, 'steps[0].name', '5; it takes a text'],
  [
    { ...good, first: { name: 'a', tries: 0 } },
    'first.tries',
    '0; it takes a whole number from 1 to 9',
  ],
])('the fault of %j is at its place', (given, place, said) => {
  const refused = `Option "${place}" cannot be ${said}`;
  const detail = { option: place.replace(/\[.*/, '') };
  expect(() => checkArgument('plan', given, plan)).toThrow(
    expect.objectContaining({
      code: 'OPTION_INVALID',
      message: refused,
      detail: expect.objectContaining(detail),
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
