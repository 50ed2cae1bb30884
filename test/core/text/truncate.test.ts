import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutTo, headAndTail } from '../../../src/core/text/truncate.ts';
import { byteBound, type Count } from '../../../src/core/messages/token-count.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

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
  fc.string({ unit: codePoint, maxLength: 20 }),
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

const four: Count = (text) => Math.ceil(text.length / 4);
const two: Count = (text) => Math.ceil(text.length / 2);
const ten: Count = (text) => Math.ceil(text.length / 10);
const each: Count = (text) => text.length;

test.each<[string, Count, number, number, readonly number[]]>([
  ['of the length that is supposed', four, 100_000, 1_000, [4000, 8001, 6000, 4004, 4002, 4001]],
  ['that is shorter than what would do', four, 5_000, 1_000, [4000, 5000, 4500, 4004, 4002, 4001]],
  ['that is dearer', two, 100_000, 1_000, [4000, 2002, 1001, 2001, 1501, 2000]],
  ['that is cheaper', ten, 100_000, 1_000, [4000, 8001, 16_003, 10_001, 9001, 10_000]],
  ['that fits whole', ten, 5_000, 1_000, [4000, 5000]],
  ['of which nothing fits', four, 5, 0, [1]],
  ['of nothing', four, 0, 3, []],
])('few parts of a text %s are counted', (...[, per, length, target, sizes]) => {
  const asked: number[] = [];
  cutTo('x'.repeat(length), target, (part) => (asked.push(part.length), per(part)));
  expect(asked).toEqual(sizes);
});

test.each([
  ['\ud800\udc00', ''],
  ['\udbff\udfff', ''],
  ['a\udc00', 'a'],
  ['\ud800a', '\ud800'],
  ['\udbff\ue000', '\udbff'],
  ['\ud7ff\udc00', '\ud7ff'],
  ['\ue000\udc00', '\ue000'],
])('a cut parts no pair, and only a pair is one: %j', (text, head) =>
  expect(cutTo(text, 1, each)).toBe(head),
);

test.each([
  [12, 'xxxxxx\n…\n😀'],
  [13, 'xxxxxx\n…\n😀😀'],
  [14, 'xxxxxxx\n…\n😀😀'],
  [15, 'xxxxxxxx\n…\n😀😀'],
])('nor does the tail part one: %d', (target, short) => {
  const pairs = `${'x'.repeat(20)}${'😀'.repeat(10)}`;
  expect(headAndTail(pairs, { target, count: each, marker: () => '…' })).toBe(short);
});

test.each([
  ['aaaaa\nbbbb\nc', 3, '…'],
  ['aaaaa\nbbbb\nc', 4, 'a\n…'],
  ['aaaaa\nbbbb\nc', 6, 'aa\n…\nc'],
  ['aaaaa\nbbbb\nc', 10, 'aaaaa\n…\n\nc'],
  ['aaaaa\nbbbb\nc', 11, 'aaaaa\n…\nb\nc'],
  ['aaaaa\nbbbb\nc', 12, 'aaaaa\nbbbb\nc'],
  ['aaaaaa\nbbb\ncccccccccccccccccccc', 15, 'aaaaaa\n…\ncccccc'],
  ['abc\ndefghij\nklmnopqrs\ntuvw\nxyz0123', 9, 'abc\n…\n123'],
  ['abc\ndefghij\nklmnopqrs\ntuvw\nxyz0123', 14, 'abc\ndef\n…\n0123'],
  ['aaaaaaaaaaaaaaaaaaaa\nbb', 13, 'aaaaaa\n…\na\nbb'],
])('%j in %d tokens of a letter is %j', (text, target, short) =>
  expect(headAndTail(text, { target, count: each, marker: () => '…' })).toBe(short),
);

test.each<[Count, number, number, number, number]>([
  [words, 100, 24, 5, 3],
  [seams, 100, 60, 5, 4],
  [seams, 60, 40, 3, 2],
  [four, 2_000, 400, 117, 63],
  [four, 2_000, 97, 29, 14],
])('lines stay whole at the cut, %#', (...[count, lines, target, first, last]) => {
  const text = Array.from({ length: lines }, (_, n) => `line ${n}`);
  const short = headAndTail(text.join('\n'), { target, count, marker: () => '[… 9999 …]' });
  const expected = [...text.slice(0, first), '[… 9999 …]', ...text.slice(lines - last)];
  expect(short.split('\n')).toEqual(expected);
});

test('of a run of one character that makes few tokens no more is counted than is worth showing', () => {
  let counted = 0;
  const count = (part: string): number => {
    counted += part.length;
    return Math.ceil(part.length / 128);
  };
  const head = cutTo(' '.repeat(1_000_000), 1_000, count);
  expect(head).toHaveLength(32_000);
  expect(counted).toBeLessThan(200_000);
});
