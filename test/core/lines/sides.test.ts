import { expect, test } from 'vitest';
import { withSides } from '../../../src/core/lines/sides.ts';
import { statementsOf } from '../../../src/core/lines/statements.ts';

const textsOf = (text: string): readonly string[] => statementsOf(text).map((one) => one.text);

test.each([
  [
    'headings',
    '## Option A\n**Pros:**\n- one file for all of it\n- no lock\n\n**Cons:**\n- a rewrite at each start\n\nWe take `index.ts` for all 40 files.',
    [
      'Option A: Pros: one file for all of it; no lock; Cons: a rewrite at each start',
      'Option A: We take `index.ts` for all 40 files.',
    ],
  ],
  [
    'labels below a list',
    '- The lock of `a.ts` is a file\n\nPros:\n- fast\n\nCons:\n- it stays after a crash',
    ['The lock of `a.ts` is a file', 'Pros: fast; Cons: it stays after a crash'],
  ],
  [
    'items with items',
    '- Keep the lock in `a.ts`\n  - Pros:\n    - simple\n  - Cons:\n    - slow with 40 readers',
    ['Keep the lock in `a.ts`: Pros: simple; Cons: slow with 40 readers'],
  ],
  [
    'items, each with its label',
    'By the process:\n- Pro: it says what is alive\n- Con: ids come again after a boot\n- Con: the parent may be a shell',
    [
      'By the process: Pro: it says what is alive; Con: ids come again after a boot; Con: the parent may be a shell',
    ],
  ],
  [
    'sentences',
    '**Before:** `load` read each row twice. That took 4 seconds.\n\n**After:** `load` reads them at once.',
    ['Before: `load` read each row twice. That took 4 seconds.; After: `load` reads them at once.'],
  ],
])('two sides as %s are told together', (_, text, told) => {
  expect(textsOf(text)).toEqual(told);
});

test('two sides are told together where a list takes several statements', () => {
  const long = (word: string): string => `${word} ${'it reads `a.ts` '.repeat(9)}`.trim();
  const text = `- ${long('One')}\n- Two\n  - Pros: ${long('fast,')}\n  - Cons: ${long('large,')}`;
  const told = textsOf(text).filter((one) => /Pros|Cons/.test(one));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/Pros: fast, .*; Cons: large, /);
});

test('sides that are too long together end at the same length, and a short one stays whole', () => {
  const line = (rest: string) => ({ mark: 'item', rest, indent: 0 }) as const;
  const [both] = withSides([line(`Pros: ${'a'.repeat(400)}`), line(`Cons: ${'b'.repeat(400)}`)]);
  expect(both!.rest).toMatch(/^Pros: a{163}…; Cons: b{163}…$/);
  const [uneven] = withSides([line(`Pros: ${'a'.repeat(400)}`), line('Cons: slow')]);
  expect(uneven!.rest).toMatch(/^Pros: a+…; Cons: slow$/);
  expect(uneven!.rest.length).toBeLessThanOrEqual(342);
});

test.each([
  ['one side alone', '- Pros: fast\n- It takes 4 seconds'],
  ['the same side twice', '- Pros: fast\n- Pros: small'],
  ['sides of two lists', '- Pros: fast\n\n## Other\n- Cons: slow'],
  ['what only looks like a label', '- Before we go: wait\n- After that: stop'],
])('%s is left as it is', (_, text) => {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      mark: line.startsWith('#') ? ('heading' as const) : ('item' as const),
      rest: line.replace(/^\W+/, ''),
      indent: 0,
    }));
  expect(withSides(lines)).toEqual(lines);
});
