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
