import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt } from '../../../src/core/search/excerpt.ts';

const wanted = new Map([['econnreset', 1]]);

/** Tokens of about `units` UTF-16 units. */
const counter = (units: number) => (text: string) => Math.ceil(text.length / units);

test.each([16, 20, 26, 40])(
  'a slice of %i tokens shows the word that it was found by',
  (target) => {
    const line = `2026-01-01T00:00:00Z worker-30 INFO handled the request in time ECONNRESET\n`;
    const text = line.replace('ECONNRESET', 'ok').repeat(20) + line;
    for (const units of [2.5, 4]) {
      const shown = excerpt(
        { text, calls: text.length },
        { piece: 0, weights: wanted, target, count: counter(units) },
      );
      expect(shown.text).toContain('ECONNRESET');
    }
  },
);

test('a slice is verbatim, within its target, and holds the word wherever that stands', () => {
  const filler = fc.constantFrom(
    'a ',
    'handled the request\n',
    '日本語',
    'x'.repeat(90),
    '😀 ',
    '/',
    '"',
  );
  fc.assert(
    fc.property(
      fc.tuple(fc.array(filler, { maxLength: 200 }), fc.array(filler, { maxLength: 200 })),
      fc.integer({ min: 16, max: 300 }),
      fc.constantFrom(1, 2.5, 3.5, 5),
      ([before, after], target, units) => {
        const text = `${before.join('')} ECONNRESET ${after.join('')}`;
        fc.pre(text.length <= 1_400);
        const count = counter(units);
        const shown = excerpt(
          { text, calls: text.length },
          { piece: 0, weights: wanted, target, count },
        );
        expect(text.slice(shown.from, shown.from + shown.text.length)).toBe(shown.text);
        expect(shown.tokens).toBe(count(shown.text));
        expect(shown.tokens).toBeLessThanOrEqual(target);
        expect(shown.text).toContain('ECONNRESET');
      },
    ),
  );
});

test('many words of a query tell more than one of them many times', () => {
  const weights = new Map([
    ['lock', 1],
    ['timeout', 1],
    ['writer', 1],
  ]);
  const filler = 'so it is and so it was here as there '.repeat(6);
  const text = `${'lock '.repeat(12)}${filler}the writer waits for the lock until its timeout. ${filler}`;
  const count = counter(4);
  const shown = excerpt({ text, calls: text.length }, { piece: 0, weights, target: 40, count });
  expect(shown.text).toContain('the writer waits for the lock until its timeout');
});

test('the words of a query are looked for in the pieces beside the best one, too', () => {
  const weights = new Map([
    ['lock', 1],
    ['timeout', 1],
    ['writer', 1],
  ]);
  const filler = 'so it is and so it was here as there\n'.repeat(41);
  const text = `lock ${filler}the writer waits for the lock until its timeout. ${filler}`;
  const count = counter(4);
  const shown = excerpt({ text, calls: text.length }, { piece: 0, weights, target: 40, count });
  expect(shown.text).toContain('the writer waits');
});

const fill = (units: number, unit = 'word '): string => unit.repeat(units).slice(0, units);
const around = (found: string, before: number, after = 300): string =>
  `${fill(before)}${found} ${fill(after)}`;
const both = { pool: 1, lamp: 1 };

test.each<readonly [string, string, Readonly<Record<string, number>>, number, string]>([
  ['what fits', fill(70), {}, 3.5, '0 70 20 true'],
  ['one unit more', fill(71), {}, 3.5, '0 70 20 false'],
  ['what is cheap', fill(120), {}, 6, '0 120 20 true'],
  ['what is too long to be counted', fill(121), {}, 6.05, '0 70 12 false'],
  ['a term within', around('pool', 300), {}, 3.5, '0 70 20 false'],
  ['a term that is looked for', around('pool', 300), both, 3.5, '290 70 20 false'],
  ['one at the end', `${fill(600)}pool`, both, 3.5, '600 4 2 false'],
  ['one at the beginning', around('pool', 0), both, 3.5, '0 70 20 false'],
  [
    'one behind a line break',
    `${fill(295)}\n12 ${around('pool', 0)}`,
    both,
    3.5,
    '285 70 20 false',
  ],
  [
    'one in a text without spaces',
    `${fill(300, 'x')} pool ${fill(300, 'x')}`,
    both,
    3.5,
    '291 70 20 false',
  ],
  ['one among pairs', `${fill(300, '😀')} pool ${fill(300, '😀')}`, both, 3.5, '290 70 20 false'],
  [
    'one among pairs of units',
    `x${fill(300, '😀')} pool ${fill(300, '😀')}`,
    both,
    3.5,
    '291 70 20 false',
  ],
  [
    'two terms rather than one twice',
    `${around('pool pool', 200, 200)}${around('pool lamp', 0, 200)}`,
    both,
    3.5,
    '400 70 20 false',
  ],
  [
    'the heavier',
    `${around('pool', 200, 200)}${around('lamp', 0, 200)}`,
    { pool: 1, lamp: 2 },
    3.5,
    '395 70 20 false',
  ],
  [
    'the first',
    `${around('pool', 200, 200)}${around('lamp', 0, 200)}`,
    both,
    3.5,
    '190 70 20 false',
  ],
  [
    'two that are near, as good as two later',
    `${around('pool', 200, 30)}${around('lamp', 0, 200)}${around('pool lamp', 0)}`,
    both,
    3.5,
    '190 70 20 false',
  ],
  [
    'two that are nearer',
    `${around('pool', 200, 50)}${around('lamp', 0, 200)}${around('pool lamp', 0)}`,
    both,
    3.5,
    '450 70 20 false',
  ],
  ['what is dear', around('pool', 300), both, 1, '290 19 19 false'],
  ['what is very dear', around('pool', 300), both, 0.5, '300 9 18 false'],
])('where an excerpt is cut: %s', (...[, text, weights, units, cut]) => {
  const { from, ...shown } = excerpt(
    { text, calls: text.length },
    { piece: 0, weights: new Map(Object.entries(weights)), target: 20, count: counter(units) },
  );
  expect(`${from} ${shown.text.length} ${shown.tokens} ${shown.whole}`).toBe(cut);
});

test('a piece and those beside it are looked through, calls with their escapes read', () => {
  const given = { weights: new Map(Object.entries(both)), target: 20, count: counter(3.5) };
  const text = Array.from({ length: 12 }, (_, part) =>
    around(part === 7 ? 'pool lamp' : 'pool', 900, 90),
  ).join('');
  const froms = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(
    (piece) => excerpt({ text, calls: text.length }, { piece, ...given }).from,
  );
  expect(froms).toEqual([890, 890, 1885, 3875, 7855, 7855, 7855, 9850, 10_845]);
  const calls = `said pool\n{"a":"x\\npool y"} ${fill(200)}lamp\\npool ${fill(200)}`;
  expect(excerpt({ text: calls, calls: 10 }, { piece: 0, ...given }).from).toBe(218);
  expect(excerpt({ text: calls, calls: calls.length }, { piece: 0, ...given }).from).toBe(0);
  expect(excerpt({ text, calls: 0 }, { piece: 0, ...given, target: 0 })).toEqual({
    text: '',
    from: 900,
    tokens: 0,
    whole: false,
  });
});
