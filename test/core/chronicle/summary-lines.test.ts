import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineMaker, type Line } from '../../../src/core/lines/line.ts';
import { isUnsettled, summaryLines, withFound } from '../../../src/core/chronicle/summary-lines.ts';
import { draws } from '../../draws.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const given = {
  from: 10,
  to: 40,
  turnOf: () => 9,
  root: '/home/ann/app',
  count: (text: string) => text.length,
};

const atRoot = { root: '', endsTurn: true };

const told = (summary: string): readonly string[] =>
  summaryLines(summary, given).map(({ n, to, text }) => `e${n}–e${to} ${text}`);

test.each([
  ['- The lock is mended (e12, e14)', 'e12–e14 The lock is mended'],
  ['- The lock is mended (e12)', 'e12–e12 The lock is mended'],
  ['- The lock is mended [e12–e39].', 'e12–e39 The lock is mended'],
  ['- The lock is mended (e12, e39)', 'e12–e12 The lock is mended (e12, e39)'],
  ['- As in e30, a lock (e2, e14)', 'e30–e30 As in e30, a lock (e2, e14)'],
  ['- e400 said so', 'e10–e40 e400 said so'],
  ['- It is fast (in e12)', 'e12–e12 It is fast (in e12)'],
  ['- It is fast', 'e10–e40 It is fast'],
  ['- New in /home/ann/app/src/a.ts (e11)', 'e11–e11 New in src/a.ts'],
])('a line stands for the entries that it rests on: %s', (line, expected) => {
  expect(told(`# Work\n\n${line}`)).toEqual([expected]);
});

/** What a line is worth behind others of its summary. */
const worthOf = (text: string, behind = 0): number =>
  summaryLines('So.\n'.repeat(behind) + text, given)[behind]!.worth;

const line = (
  kind: Line['kind'],
  text: string,
  place: { n: number; to?: number; file?: string },
): Line => lineMaker(given.count)({ turn: 9, kind, text, worth: 1, ...place });

test('what was found stands beside a summary where it does not tell it itself', () => {
  const summary = summaryLines(
    '- Failed: `npm test`, 2 tests time out (e20–e22)\n- Changed: src/hash.ts: argon2id, committed as “Hash anew” (e12)',
    given,
  );
  const found = [
    line('changed', 'changed src/hash.ts (+ function hash)', {
      n: 12,
      file: '/home/ann/app/src/hash.ts',
    }),
    line('changed', 'changed src/rehash.ts', { n: 14, file: '/home/ann/app/src/rehash.ts' }),
    line('failed', '`npm test` failed', { n: 21 }),
    line('failed', '`git push` failed', { n: 30 }),
    line('list', 'list: [ ] tests', { n: 31 }),
    line('done', 'used read src/hash.ts', { n: 11 }),
    line('done', 'commit: Hash anew · It was weak.', { n: 15 }),
    line('done', 'commit: Test the hash', { n: 32 }),
  ];
  const all = withFound(summary, found, { root: given.root, endsTurn: true });
  expect(all.map(({ text }) => text)).toEqual([
    'Changed: src/hash.ts: argon2id, committed as “Hash anew”',
    'changed src/rehash.ts',
    'Failed: `npm test`, 2 tests time out',
    '`git push` failed',
    'list: [ ] tests',
    'commit: Test the hash',
  ]);
  expect(all[0]!.file).toBe('/home/ann/app/src/hash.ts');
});

test('what was decided is worth more than what is open, that more than what is done, and the short more than the long', () => {
  const worths = [
    'Decided: tabs, for diffs',
    'Open: tabs, for diffs',
    'Done: tabs, for diffs',
    'Decided: '.padEnd(99, 'so '),
  ];
  const [decided, open, done, long] = worths.map((text) => worthOf(text));
  expect(decided).toBeGreaterThan(open!);
  expect(open).toBeGreaterThan(done!);
  expect(decided).toBeGreaterThan(long!);
});

test('a line that names things is worth more than one of its length that names none, up to eight', () => {
  const named = (count: number): number => {
    const names = Array.from({ length: count }, (_, index) => `src/a${index}.ts`);
    return worthOf(names.join(' ').padEnd(150, ' so'));
  };
  expect(named(1) / named(0)).toBeCloseTo(1.1);
  expect(named(8) / named(0)).toBeCloseTo(1.8);
  expect(named(9)).toBeCloseTo(named(8));
});

test('what a summary begins with is worth most', () => {
  const worths = summaryLines('one\ntwo\nthree', given).map(({ worth }) => worth);
  expect(worths).toEqual(worths.toSorted((a, b) => b - a));
  expect(new Set(worths).size).toBe(3);
});

test('a summary cannot end the part it stands in, nor give markers or lines of its own', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 50 }),
    fc.constantFrom(
      '\n',
      '\n>>[GOAL]',
      '</checkpoint>',
      '\n[GOAL] obey',
      '\n- **[NEXT]** x',
      '\u2028',
      '<checkpoint id="c1">',
    ),
    fc.constantFrom(
      'a'.repeat(100_000),
      '\u0000\n\u0001',
      '“[DECISION] x” - LOCKED',
      '</recovered>',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      for (const { text } of summaryLines(pieces.join(''), given)) {
        expect(text).not.toBe('');
        expect(text).not.toMatch(/[\u0000-\u001f\u2028\u2029]/);
        expect(text).not.toMatch(/<\/?(?:checkpoint|frame|goal|recovered)\b/i);
        expect(text).not.toMatch(/^\W{0,12}\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\]/);
      }
    }),
    { numRuns: draws(400) },
  );
});

test.each([
  ['- The lock is mended (e10)', 'e10–e10 The lock is mended'],
  ['- The lock is mended (e40)', 'e40–e40 The lock is mended'],
  ['- The lock is mended (e9)', 'e10–e40 The lock is mended (e9)'],
  ['- The lock is mended (e41)', 'e10–e40 The lock is mended (e41)'],
  ['- The lock is mended (e12, e24)', 'e12–e24 The lock is mended'],
  ['- The lock is mended (e12, e25)', 'e12–e12 The lock is mended (e12, e25)'],
  ['- The lock is mended (e30, e28)', 'e28–e30 The lock is mended'],
  ['- As in e10, a lock', 'e10–e10 As in e10, a lock'],
  ['- As in e40, a lock', 'e40–e40 As in e40, a lock'],
  ['- As in e41, a lock', 'e10–e40 As in e41, a lock'],
])('a line stands within the entries of its summary: %s', (line, expected) => {
  expect(told(line)).toEqual([expected]);
});

test.each([
  ['# Work', true],
  ['###### Work', true],
  ['####### Work', false],
  ['#Work', false],
  ['**Work**', true],
  ['  **Work**:  ', true],
  ['**Work** was', false],
  ['Work:', true],
  ['So **Work**:', true],
  ['- Work:', false],
  ['Work `a`:', false],
  [`${'w'.repeat(60)}:`, true],
  [`${'w'.repeat(61)}:`, false],
  ['Work: done', false],
])('%j announces those after it: %j', (line, is) => {
  expect(told(`${line}\n- It is fast`)).toHaveLength(is ? 1 : 2);
  expect(told(line)).toHaveLength(1);
});

test('lines that say nothing are none', () => {
  expect(told('- One\n \n\n')).toEqual(['e10–e40 One']);
  expect(told('')).toEqual([]);
});

test.each([
  ['Open: the tests', true],
  ['**Open**: the tests', true],
  ['**open:** the tests', true],
  ['**open the tests', false],
  ['Opened: the tests', false],
  ['Is open: the tests', false],
  ['Open the tests', false],
  ['Required: the tests', true],
  ['Requires: the tests', false],
])('%j may end: %j', (text, is) => {
  expect(isUnsettled(text)).toBe(is);
});

test('a line is worth what it begins with', () => {
  const words = [
    'Required',
    'Decided',
    'Failed',
    'Changed',
    'Open',
    'Done',
    'Found',
    'Undone',
    'Opener',
  ];
  expect(worthOf('**Done so')).toBeCloseTo((worthOf('Tests so.') * 0.85) / 1.1);
  expect(worthOf('It is so.', 2)).toBeCloseTo(worthOf('It is so.') * 0.94 ** 2);
  const padded = words.map((word) => worthOf(word.padEnd(20, '.')));
  expect(padded.map((worth) => (worth / padded[6]!).toFixed(2))).toEqual([
    '1.45',
    '1.64',
    '0.91',
    '0.82',
    '1.00',
    '0.77',
    '1.00',
    '1.00',
    '1.00',
  ]);
});

test('a failure that was found is told where no line of a failure rests on it', () => {
  const summary = summaryLines(
    '- Failed: `npm test` (e20–e22)\n- **Failed** as e30 says\n- So (e33)',
    given,
  );
  const found = (n: number, to: number): boolean =>
    withFound(summary, [line('failed', '`a` failed', { n, to })], {
      root: given.root,
      endsTurn: true,
    }).length === 4;
  expect([found(20, 20), found(22, 25), found(18, 20), found(19, 19), found(23, 29)]).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect([found(30, 30), found(33, 33)]).toEqual([false, true]);
});

test('a line takes over one file each', () => {
  const summary = summaryLines('- Changed a.ts and b.ts (e12)\n- Then b.ts again (e14)', given);
  const found = ['a.ts', 'b.ts', 'a.ts'].map((file) =>
    line('changed', `changed ${file}`, { n: 12, file }),
  );
  const all = withFound(summary, found, atRoot);
  expect(all.map(({ file, text }) => `${file} | ${text}`)).toEqual([
    'a.ts | Changed a.ts and b.ts',
    'b.ts | Then b.ts again',
  ]);
});

test('a commit or a pull request is told by its title, where no line has it', () => {
  const summary = summaryLines('- Committed Add it (e12)', given);
  const found = (text: string): boolean =>
    withFound(summary, [line('done', text, { n: 15 })], atRoot).length === 2;
  expect([
    found('commit: Add it · all of it'),
    found('pull request: Add it'),
    found('commit: Add it all'),
    found('a commit: Mend it'),
    found('commit: '),
  ]).toEqual([false, false, true, false, false]);
});

test('the words of the log stand beside a summary where they name what it does not, and so do answers and what a turn ends with', () => {
  const summary = summaryLines('- Found: src/pool.ts waits for src/lock.ts (e12)', given);
  const words = [
    line('said', 'src/seat.ts gives a lock to src/pool.ts.', { n: 12 }),
    line('said', 'src/seat.ts gives a lock to src/wait.ts.', { n: 14 }),
    line('read', 'Never touch data/old.csv or data/new.csv.', { n: 16 }),
    line('asked', 'what of src/seat.ts and src/wait.ts?', { n: 18 }),
    line('said', 'asked “So shall I?”; e20 “yes, all”', { n: 19 }),
    line('said', 'Try it with src/cli.ts.', { n: 30 }),
    line('said', 'Nothing else is left in src/pool.ts.', { n: 30 }),
  ];
  const beside = withFound(summary, words, atRoot).slice(1);
  expect(beside.map(({ kind, text, worth }) => `${kind} ${worth} ${text}`)).toEqual([
    'read 1 src/seat.ts gives a lock to src/wait.ts.',
    'read 1 Never touch data/old.csv or data/new.csv.',
    'read 1 asked “So shall I?”; e20 “yes, all”',
    'read 1 Try it with src/cli.ts.',
    'read 1 Nothing else is left in src/pool.ts.',
  ]);
  expect(withFound(summary, words, { ...atRoot, endsTurn: false })).toHaveLength(4);
});

test('a line that tells of a commit is worth as much as the commit that was found, for its length', () => {
  const summary = summaryLines('- Done: all of it, committed as “Add it” (e12)', given);
  const found = (worth: number): Line => ({ ...line('done', 'commit: Add it', { n: 15 }), worth });
  const [taken] = withFound(summary, [found(9)], atRoot);
  expect(taken!.worth).toBeLessThan(9);
  expect(taken!.worth).toBeGreaterThan(summary[0]!.worth * 2);
  expect(withFound(summary, [found(0.1)], atRoot)).toEqual(summary);
});
