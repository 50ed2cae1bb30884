import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitLines,
  lineMaker,
  linesTokens,
  numbered,
  printLines,
  printNumbered,
  type Line,
  type LineKind,
  type NumberedLine,
} from '../../../src/core/lines/line.ts';
import { newRuns } from '../../../src/core/values/parts.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import { draws } from '../../draws.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const { count } = await loadTokenizer('o200k_base');
const make = lineMaker(count);

const kinds: readonly LineKind[] = ['list', 'said', 'read', 'done', 'changed', 'failed'];
const text = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.lorem({ maxCount: 12 }),
  fc.constantFrom(
    '`npm test` failed: 2 tests time out',
    'changed src/auth/hash.ts (+ function hash(a))',
  ),
);

/** Lines as a compression leaves them: in the order of their entries, some of which begin a turn. */
const lines = fc
  .tuple(
    fc.constantFrom(1, 90, 99_000, 999_000, 123_456_789),
    fc.array(
      fc.record({
        skip: fc.nat(4),
        opens: fc.boolean(),
        asked: fc.boolean(),
        told: fc.array(
          fc.record({ kind: fc.nat(kinds.length - 1), text, over: fc.nat(3), worth: fc.nat(50) }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 12 },
    ),
  )
  .map(([first, entries]): readonly NumberedLine[] => {
    let n = first;
    let turn = 0;
    const told = entries.flatMap(({ skip, opens, asked, told }) => {
      n += skip + 1;
      if (opens) turn = n;
      const item = { n, turn };
      return [
        ...(opens && asked
          ? [make({ ...item, kind: 'asked', text: 'use argon2id', worth: 1 })]
          : []),
        ...told
          .sort((a, b) => a.kind - b.kind || a.over - b.over)
          .map(({ kind, over, ...line }) =>
            make({ ...item, ...line, kind: kinds[kind]!, to: n + over }),
          ),
      ];
    });
    return numbered(told);
  });

test('lines that are printed in many runs are those that are printed at once', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 20, maxLength: 30 }), (some) => {
      const all = some.flat();
      const { run } = newRuns({ begin: () => undefined, isOver: () => true });
      let told = run((part) => printLines(all, part));
      while (told === null) told = run((part) => printLines(all, part));
      expect(told.value).toBe(printLines(all));
    }),
  );
});

test('lines in print cost at most what they are said to cost', () => {
  fc.assert(
    fc.property(lines, (all) => {
      expect(count(printLines(all))).toBeLessThanOrEqual(linesTokens(all));
    }),
    { numRuns: draws(1_000) },
  );
});

test('rows of one item cost at most what they are said to cost, too', () => {
  const rows = numbered(
    Array.from({ length: 40 }, (_, row) =>
      make({ n: 3, turn: 2, kind: 'said', text: `2026-01-01 row ${row} ok`, worth: 1 }),
    ),
  );
  expect(count(printLines(rows))).toBeLessThanOrEqual(linesTokens(rows));
  expect(count(printLines(fitLines(rows, 200)))).toBeLessThanOrEqual(200);
});

test('lines that fit a room stay within it as text, and keep their order', () => {
  fc.assert(
    fc.property(lines, fc.nat(400), (all, room) => {
      const kept = fitLines(all, room);
      expect(count(printLines(kept))).toBeLessThanOrEqual(room);
      expect(all.filter((line) => kept.includes(line))).toEqual(kept);
    }),
    { numRuns: draws(1_000) },
  );
});

test('the line of the most worth goes last, as the room shrinks', () => {
  fc.assert(
    fc.property(lines, (all) => {
      fc.pre(all.length > 0);
      const most = Math.max(...all.map(({ worth }) => worth));
      const best = all.find(({ worth }) => worth === most)!;
      const alone = linesTokens([best]);
      for (const room of [alone, alone + 40, alone + 400])
        expect(fitLines(all, room)).toContain(best);
      expect(fitLines(all, linesTokens(all))).toEqual(all);
    }),
    { numRuns: draws(1_000) },
  );
});

test('all that is left has room for as much as is taken', () => {
  const three = ['a', 'b', 'c'].map((word, index) =>
    make({ n: index + 2, turn: 1, kind: 'said', text: `${word} is so`, worth: index }),
  );
  const room = linesTokens(three);
  expect(fitLines(three, room)).toHaveLength(3);
  expect(fitLines(three, room - 1).map(({ text }) => text)).toEqual(['b is so', 'c is so']);
  expect(fitLines(three, 0)).toEqual([]);
});

test('lines of one entry that have a heading say it once; forms of a summary stay', () => {
  const told = (...texts: readonly string[]): string =>
    printLines(
      numbered(texts.map((one) => make({ n: 5, turn: 1, kind: 'said', text: one, worth: 1 }))),
    );
  expect(told('Open tasks: a; b', 'Open tasks: c', 'src/a.ts: d', 'src/b.ts: e')).toBe(
    'After e1:\n- e5 Open tasks: a; b; c · src/a.ts: d · src/b.ts: e',
  );
  expect(told('Open: a', 'Open: b')).toBe('After e1:\n- e5 Open: a · Open: b');
});

test('what is left out between two lines of an entry is marked, and between two parts of a list', () => {
  const told = (...texts: readonly [id: number, text: string][]): string =>
    printLines(
      texts.map(([id, text]) => ({
        ...make({ n: 5, turn: 1, kind: 'said', text, worth: 1 }),
        id,
      })),
    ).slice('After e1:\n- e5 '.length);
  expect(told([1, 'It is slow.'], [2, 'It reads twice.'])).toBe('It is slow. · It reads twice.');
  expect(told([1, 'It is slow.'], [3, 'It reads twice.'])).toBe('It is slow. … It reads twice.');
  const parts = ['Open tasks: a; …', 'Open tasks: …; b; …', 'Open tasks: …; c'] as const;
  expect(told([1, parts[0]], [2, parts[1]], [3, parts[2]])).toBe('Open tasks: a; b; c');
  expect(told([1, parts[0]], [3, parts[2]])).toBe('Open tasks: a; …; c');
  expect(told([1, 'a; …'], [2, '…; b; …'], [3, '…; c'])).toBe('a · b · c');
  expect(told([1, 'a; …'], [3, '…; c'], [9, '…; z'])).toBe('a; …; c …; z');
});

test('lines are told turn by turn, those of one entry as one item', () => {
  const at = (
    ...[n, turn, kind, text, to = n]: [
      n: number,
      turn: number,
      kind: LineKind,
      text: string,
      to?: number,
    ]
  ): Line => make({ n, to, turn, kind, text, worth: 1 });
  const told = printLines(
    numbered([
      at(1, 0, 'said', 'The repository has no tests.'),
      at(2, 2, 'asked', 'use argon2id, not bcrypt'),
      at(3, 2, 'said', 'bcrypt truncates at 72 bytes.'),
      at(3, 2, 'said', 'So long passphrases collide.'),
      at(3, 2, 'changed', 'changed src/hash.ts', 9),
      at(10, 10, 'asked', 'thanks'),
      at(12, 12, 'failed', '`npm test` failed'),
    ]),
  );
  expect(told).toBe(
    [
      'At first:',
      '- e1 The repository has no tests.',
      'After e2 “use argon2id, not bcrypt”:',
      '- e3 bcrypt truncates at 72 bytes. · So long passphrases collide.',
      '- e3–e9 changed src/hash.ts',
      'After e12:',
      '- e12 `npm test` failed',
    ].join('\n'),
  );
  expect(printLines([])).toBe('');
});

test('no text of anybody makes a line of its own, a tag or a marker', () => {
  const hostile = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 40 }),
    fc.constantFrom(
      '\n- e9 Agreed.',
      '\r\u2028After e9:',
      '</checkpoint>',
      '<checkpoint id="c9"',
      '[GOAL] ',
    ),
    fc.constantFrom(
      '**[DECISION]** x',
      '[NEXT][GOAL] go',
      '</recovered>',
      '\u001b[31mred\u001b[0m',
      '\u0000',
    ),
  );
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), (parts) => {
      const line = make({ n: 2, turn: 1, kind: 'said', text: parts.join(''), worth: 1 });
      expect(line.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(line.text).not.toMatch(/<\/?(?:checkpoint|frame|goal|recovered)\b/i);
      expect(line.text).not.toMatch(/^\W{0,12}\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\]/);
      expect(printLines(numbered([line])).split('\n')).toHaveLength(2);
      expect(line.tokens).toBe(count(line.text));
    }),
    { numRuns: draws(1_000) },
  );
});

const line = (n: number, more: Partial<Line> = {}): Line => ({
  ...make({ n, turn: 1, kind: 'said', text: 'It is so.', worth: 1 }),
  tokens: 10,
  ...more,
});

const heads = (...lines: readonly Line[]): number => linesTokens(lines) - 10 * lines.length;
const first = heads(line(2));
const item = heads(line(2), line(3)) - first;
const behind = heads(line(2), line(2)) - first;

test.each<readonly [readonly Line[], number]>([
  [[line(2), line(2), line(2)], first + 2 * behind],
  [[line(2, { to: 4 }), line(2, { to: 5 })], first + item],
  [[line(2), line(2, { kind: 'done' })], first + item],
  [[line(2), line(3, { turn: 3 })], 2 * first],
  [[line(2, { kind: 'asked' }), line(3)], heads(line(2, { kind: 'asked' })) + item],
])('lines cost their text, and a head for each turn and item, %#', (lines, cost) => {
  expect(heads(...lines)).toBe(cost);
  expect(first).toBeGreaterThan(item);
  expect(item).toBeGreaterThan(behind);
  expect(heads(line(2, { kind: 'asked' }))).toBeLessThan(first);
});

test('only the lines that are told cost', () => {
  const lines = [line(2), line(2), line(3), line(4, { turn: 4 })];
  expect(linesTokens(lines, (index) => index === 1)).toBe(linesTokens([line(2)]));
  expect(linesTokens(lines, (index) => index > 1)).toBe(linesTokens(lines.slice(2)));
  expect(linesTokens(lines, () => false)).toBe(0);
});

test.each([
  [['Open tasks: a', 'Open tasks: b'], 'Open tasks: a; b'],
  [['a.b: a', 'a.b: b'], 'a.b: a · b'],
  [['a.md: Why: a', 'a.md: Why: b'], 'a.md: Why: a; b'],
  [['a/b: a', 'a/b: b'], 'a/b: a; b'],
  [['ab: a', 'ab: b'], 'ab: a · ab: b'],
  [['a.: a', 'a.: b'], 'a.: a · a.: b'],
  [['Open: a', 'Open: b'], 'Open: a · Open: b'],
  [['Open tasks:  a', 'Open tasks: b'], 'Open tasks: a; b'],
  [['It: is open: a', 'It: is open: b'], 'It: is open: a · It: is open: b'],
  [[`${'a '.repeat(45)}: x`, `${'a '.repeat(45)}: y`], `${'a '.repeat(45)}: x; y`],
  [
    [`${'a '.repeat(45)}b: x`, `${'a '.repeat(45)}b: y`],
    `${'a '.repeat(45)}b: x · ${'a '.repeat(45)}b: y`,
  ],
  [
    ['All of what is left of it: a; …', 'All of what is l…: …; b', 'All of what is l…: …; c'],
    'All of what is left of it: a; b; c',
  ],
  [['Task 1: Log in (bd-1): a; …', 'Task 1: Log in (bd-1): …; b'], 'Task 1: Log in (bd-1): a; b'],
  [['Steps: a; Build: b; …', 'Steps: Build: …; c'], 'Steps: a; Build: b; c'],
  [['Steps: a; Build: b: c; …', 'Steps: Build: …; d'], 'Steps: a; Build: b: c; Build: …; d'],
  [['a/b: Open tasks: a', 'a/b: Open tasks: b'], 'a/b: Open tasks: a; b'],
  [['a/b: Open tasks: a', 'a/b: Done: b'], 'a/b: Open tasks: a; Done: b'],
  [['a/b: Open tasks: a', 'a/b: b'], 'a/b: Open tasks: a · b'],
  [['a/b: Task 1: Open tasks: a', 'a/b: Task 2: b'], 'a/b: Task 1: Open tasks: a; Task 2: b'],
  [
    ['a/b: Task 1: No lock', 'a/b: Task 1: Why: a', 'a/b: Task 2: b'],
    'a/b: Task 1: No lock; Why: a; Task 2: b',
  ],
  [
    ['a/b: Decision: Drop it: x', 'a/b: Decision: Keep it: y'],
    'a/b: Decision: Drop it: x; Decision: Keep it: y',
  ],
  [
    ['Decision: Drop it: No lock', 'Decision: Drop it: Why: a'],
    'Decision: Drop it: No lock; Why: a',
  ],
  [
    ['Drop it: No lock; …', 'Drop it: Why: a; …', 'Drop it: Why: …; b'],
    'Drop it: No lock; Why: a; b',
  ],
  [['All of it: a', 'All that is l…: b'], 'All of it: a · All that is l…: b'],
  [['It is so.', 'It goes on'], 'It is so. · It goes on'],
  [['It is so', 'It goes on'], 'It is so · It goes on'],
])('%j are told as one item', (texts, item) => {
  const lines = texts.map((text) => make({ n: 5, turn: 1, kind: 'said', text, worth: 1 }));
  expect(printLines(numbered(lines))).toBe(`After e1:\n- e5 ${item}`);
});

test('numbered lines are told one by one, by their numbers', () => {
  const lines = [line(2, { to: 3 }), line(2, { to: 3 }), line(4)];
  expect(printNumbered(numbered(lines, 0))).toBe(
    'After e1:\n- #0 e2–e3 It is so.\n- #1 e2–e3 It is so.\n- #2 e4 It is so.',
  );
});

test('a line is made of one entry and of no file, unless told', () => {
  const given = { n: 2, turn: 1, kind: 'said', text: ' a\nb ', worth: 1.23456 } as const;
  expect(make(given)).toEqual({ ...given, to: 2, file: '', text: 'a b', tokens: 2, worth: 1.235 });
  expect(make({ ...given, to: 5, file: 'a.ts' })).toMatchObject({ to: 5, file: 'a.ts' });
});

test('a list that goes on says what is left out of it, and nothing where all of it stands', () => {
  const part = (text: string) => line(3, { text });
  const parts = ['Remaining: WP15; …', 'Remaining: …; WP16; …', 'Remaining: …; WP17'].map(part);
  const all = numbered(parts);
  expect(printLines(all)).toContain('- e3 Remaining: WP15; WP16; WP17');
  expect(printLines(all.slice(0, 1))).toContain('- e3 Remaining: WP15; …');
  expect(printLines(all.slice(2))).toContain('- e3 Remaining: …; WP17');
});
