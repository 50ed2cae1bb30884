import { expect, test } from 'vitest';
import { repeatedLines } from '../../../src/core/chronicle/repeated.ts';
import type { LineKind } from '../../../src/core/lines/line.ts';

const line = (
  n: number,
  text: string,
  { kind = 'said', worth = 1 }: { readonly kind?: LineKind; readonly worth?: number } = {},
) => ({ n, text, kind, worth });

const plan = 'Steps: read the rows of `orders`; write them to the new table; drop the old one';

test.each([
  ['as it was said', plan],
  ['by a document', `plan.md: ${plan}`],
  ['with a point more', `${plan}; tell support of it`],
  ['with emphasis', `${plan}!`],
  ['in another order, with other marks', plan.replace('; drop', '. Drop').replaceAll('`', '')],
])('what a later entry says again is told there: %s', (_, again) => {
  const lines = [line(3, plan), line(9, again)];
  expect(repeatedLines(lines)).toEqual([lines[0]]);
});

test.each([
  [
    'with another number',
    line(3, 'All 12 tests of the table pass now'),
    line(9, 'All 14 tests of the table pass now'),
  ],
  ['without a point', line(3, plan), line(9, plan.replace('; drop the old one', ''))],
  ['of another thing', line(3, `Rows: ${plan}`), line(9, `Users: ${plan}`)],
  ['in the same entry', line(3, plan), line(3, plan)],
  ['by a line that is worth little', line(3, plan), line(9, plan, { worth: 0.4 })],
  ['in a failure', line(3, plan, { kind: 'failed' }), line(9, plan, { kind: 'failed' })],
  [
    'with another sign',
    line(3, 'The row is locked where `size > limit` holds'),
    line(9, 'The row is locked where `size < limit` holds'),
  ],
  [
    'with another comparison',
    line(3, 'The row is locked where `a == b` holds'),
    line(9, 'The row is locked where `a != b` holds'),
  ],
  ['with another mark', line(3, '✅ The build of the pool'), line(9, '❌ The build of the pool')],
  [
    'under another head',
    line(3, 'Before: the cache is on; after: the cache is off'),
    line(9, 'Before: the cache is off; after: the cache is on'),
  ],
  [
    'where it is denied',
    line(3, 'The pool reads every row twice.'),
    line(9, 'It is not so: the pool reads every row twice.'),
  ],
  [
    'where it is asked',
    line(3, 'The pool reads every row twice.'),
    line(9, 'Is it so? The pool reads every row twice?'),
  ],
  ['in a few words', line(3, 'It is done'), line(9, 'It is done')],
])('what is said another way stays: %s', (_, ...lines) => {
  expect(repeatedLines(lines)).toEqual([]);
});

test('points that several later entries say together are no repetition', () => {
  const [first, second, third] = plan.split('; ');
  const lines = [line(3, plan), line(9, first!), line(12, `${second!}; ${third!}`)];
  expect(repeatedLines(lines)).toEqual([]);
});

test('how long it takes grows with the lines, though all of them say one point', () => {
  const took = (count: number): number => {
    const lines = Array.from({ length: count }, (_, at) =>
      line(at, `All is well so far; the item is number ${at}; it goes on`),
    );
    const begun = performance.now();
    expect(repeatedLines(lines)).toEqual([]);
    return performance.now() - begun;
  };
  took(500);
  expect(took(4_000)).toBeLessThan(1_500);
});
