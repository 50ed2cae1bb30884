import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutTo, dropLines, headAndTail } from '../../../src/core/text/truncate.ts';
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

test('dropping lines meets every target, never makes longer and takes lines as they stand', () => {
  fc.assert(
    fc.property(text, target, counts, (text, target, count) => {
      const short = dropLines(text, target, count);
      expect(count(short)).toBeLessThanOrEqual(target);
      expect(short.length).toBeLessThanOrEqual(text.length);
      if (count(text) <= target) expect(short).toBe(text);
      const lines = new Set(text.split('\n'));
      for (const one of short.split('\n'))
        if (short !== '' && !/^(?:Files|Commands|Names): /.test(one))
          expect(lines.has(one)).toBe(true);
    }),
  );
});

test('of lines the newest stay, of names the best ranked, in the order in which they stood', () => {
  const full = [
    'Findings and decisions:',
    '- old one',
    '- new one',
    'Files: *first.ts second.ts third.ts fourth.ts',
  ].join('\n');
  expect(dropLines(full, 78, byteBound)).toBe(
    'Findings and decisions:\n- old one\n- new one\nFiles: *first.ts second.ts',
  );
  expect(dropLines(full, 59, byteBound)).toBe(
    'Findings and decisions:\n- new one\nFiles: *first.ts',
  );
  expect(dropLines(full, 3, byteBound)).toBe('');
});

test('old errors go before findings', () => {
  const full = 'Findings and decisions:\n- a b c d\n- e f g h\nErrors:\n- i j k l\n- m n o p';
  expect(dropLines(full, 16, words)).toBe('Findings and decisions:\n- a b c d\n- e f g h');
});

test('a command is kept whole, whatever it holds', () => {
  const full = 'Commands: `git commit -m "fix; really"`; `npm test` (failed); `npm run check`';
  expect(dropLines(full, 62, byteBound)).toBe(
    'Commands: `git commit -m "fix; really"`; `npm test` (failed)',
  );
});

test('the sections of two checkpoints become one set, the newer names first', () => {
  const joined =
    'Findings and decisions:\n- old\nNames: oldName, both\nFindings and decisions:\n- new\nNames: newName, both';
  expect(dropLines(joined, 80, byteBound)).toBe(
    'Findings and decisions:\n- old\n- new\nNames: newName oldName both',
  );
});

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
    expect(byteBound(dropLines(long, 200, byteBound))).toBeLessThanOrEqual(200);
    expect(
      byteBound(headAndTail(long, { target: 200, count: byteBound, marker })),
    ).toBeLessThanOrEqual(200);
  },
  20_000,
);
