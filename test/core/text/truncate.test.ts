import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutTo, headAndTail } from '../../../src/core/text/truncate.ts';
import { byteBound, type Count } from '../../../src/core/messages/token-count.ts';

/** A crude vocabulary: words and marks. */
const words: Count = (text) => text.match(/[A-Za-z0-9]+|[^\sA-Za-z0-9]/g)?.length ?? 0;
/** Dear line breaks: what is joined costs more than its parts. */
const seams: Count = (text) => words(text) + 4 * (text.split('\n').length - 1);
const counts = fc.constantFrom<Count>(byteBound, words, seams);
const line = fc.oneof(
  fc.constantFrom(
    'Findings and decisions:',
    'Files: *a.ts, b.ts, c/d.ts',
    '## Next steps',
    '- one',
    '- two three',
    '',
    'Errors:',
    'plain text 😀',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));
const target = fc.integer({ min: 1, max: 120 });
const marker = (left: number): string => `[… ${left} tokens left out …]`;

const half = (value: string): boolean =>
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);

test('head, marker and tail together meet every target and part no character', () => {
  fc.assert(
    fc.property(text, target, counts, (text, target, count) => {
      fc.pre(!half(text));
      const short = headAndTail(text, { target, count, marker });
      expect(count(short)).toBeLessThanOrEqual(target);
      expect(half(short)).toBe(false);
      if (count(text) <= target) expect(short).toBe(text);
    }),
  );
});

test('what is left out is told in tokens, and lines stay whole', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
  const short = headAndTail(lines.join('\n'), { target: 40, count: words, marker });
  expect(short.split('\n')).toEqual([
    ...lines.slice(0, 9),
    '[… 170 tokens left out …]',
    ...lines.slice(94),
  ]);
});

test('where the marker does not fit it is cut, and nothing else is shown', () => {
  expect(
    headAndTail('x'.repeat(100), { target: 5, count: byteBound, marker: () => '[left out]' }),
  ).toBe('[left');
});

test('a cut is the longest head that fits', () => {
  fc.assert(
    fc.property(text, target, counts, (text, target, count) => {
      fc.pre(!half(text));
      const head = cutTo(text, target, count);
      const next = /^[^]/u.exec(text.slice(head.length))?.[0];
      expect(text.startsWith(head)).toBe(true);
      expect(half(head)).toBe(false);
      expect(count(head)).toBeLessThanOrEqual(target);
      if (next !== undefined) expect(count(head + next)).toBeGreaterThan(target);
    }),
  );
});

test('a long text is counted a few times, near the answer only', () => {
  let counted = 0;
  const count: Count = (text) => {
    counted += text.length;
    return Math.ceil(text.length / 4);
  };
  const long = 'some words in a line\n'.repeat(50_000);
  expect(cutTo(long, 1_000, count)).toHaveLength(4_000);
  expect(counted).toBeLessThan(100_000);
  counted = 0;
  headAndTail(long, { target: 1_000, count, marker });
  expect(counted).toBeLessThan(long.length + 200_000);
});

test.each(['a', '\n', 'a\n', 'Files: a, ', 'Files: a\n', '- ', '# a\n', '**', ', ', ':'])(
  'a million characters of %j are shortened',
  (unit) => {
    const long = unit.repeat(1_000_000 / unit.length);
    expect(
      byteBound(headAndTail(long, { target: 200, count: byteBound, marker })),
    ).toBeLessThanOrEqual(200);
  },
  20_000,
);
