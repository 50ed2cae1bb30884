import { expect, test } from 'vitest';
import { withOvertaken } from '../../../src/core/chronicle/overtaken.ts';

/** Lines that entries from e1 on said, each `--` followed by those of another turn. */
const told = (...texts: readonly string[]): readonly string[] => {
  const lines = texts.map((text, index) => ({
    turn: texts.slice(0, index).lastIndexOf('--') + 1,
    n: index + 1,
    kind: 'said' as const,
    text,
    worth: 1,
  }));
  return withOvertaken(lines).map(({ text, worth }) => `${worth} ${text}`);
};

const guess = 'The issue is that `acquireLock` is called twice.';
const cause = 'The actual cause is that `acquireLock` never gives the row back.';

test.each([
  guess,
  'I think `acquireLock` waits for itself.',
  'It is probably the timeout of `acquireLock`.',
  'The problem might be the order of `acquireLock` and `readRow`.',
])('%s is overtaken by what turns out to be the cause', (said) => {
  expect(told(said, 'The test waits.', cause)).toEqual([
    `0.5 ${said} (but see e3)`,
    '1 The test waits.',
    `1 ${cause}`,
  ]);
});

test.each([
  'Actually, `acquireLock` is fine, and the row is locked by the test.',
  'It turns out that `acquireLock` is called by two workers.',
  'I was wrong about `acquireLock`: the test locks the row.',
  '`acquireLock` gives a row, not a list. That’s the bug: the caller takes the first of it.',
  'The root cause was a missing `await` before `acquireLock`.',
])('%s overtakes what was supposed', (said) => {
  expect(told(guess, said)[0]).toContain('(but see e2)');
});

test('what names the line that overtook it is left as it is', () => {
  const said = `${guess} (but see e9)`;
  expect(told(said, cause)).toEqual([`1 ${said}`, `1 ${cause}`]);
});

test.each([
  ['another subject', [guess, 'The actual cause is a missing `await` in `readRow`.']],
  ['what is only supposed, too', [guess, 'The actual cause is probably that `acquireLock` waits.']],
  ['what is said before', [cause, guess]],
  ['what is said in a later turn of a cause that was named', [guess, '--', cause]],
  ['no guess', ['`acquireLock` is called twice.', cause]],
  ['a second finding', [guess, '`acquireLock` takes 4 seconds.']],
])('%s overtakes nothing', (_, texts) => {
  expect(told(...texts)).toEqual(texts.map((text) => `1 ${text}`));
});

const suspicion = 'It is probably the timeout of `acquireLock`.';
const claim = 'The pool reads every row of `acquireLock` before it writes the index.';

test.each([
  [suspicion, 'The actual cause is that `acquireLock` never gives the row back.'],
  [
    '`Pool.acquireLock` might wait for itself.',
    'That was the bug: `acquireLock` takes a second row.',
  ],
  [claim, 'I assumed that `acquireLock` writes the index, but it only reads.'],
  [claim, 'I conflated `acquireLock` with the index of the store.'],
  [claim, 'My earlier reading was wrong: `acquireLock` writes no index.'],
  ['The crash might be the shared cache of the workers.', 'No, the shared cache isn’t the cause.'],
  [
    'The retry header is the smoking gun.',
    'The retry header was a red herring: each reply has it.',
  ],
])('%s is taken back in a later turn by %s', (said, answer) => {
  expect(told(said, '--', answer)).toEqual([`0.5 ${said} (but see e3)`, '1 --', `1 ${answer}`]);
});

test.each([
  [
    'a worry that is gone',
    [claim, '--', 'I was wrong to worry about `acquireLock` and its index.'],
  ],
  [
    'another claim of the same name',
    [
      '`acquireLock` takes 4 seconds.',
      '--',
      'I assumed that `acquireLock` writes the index, but it only reads.',
    ],
  ],
  ['a finding that is no guess', [claim, '--', 'No, the index isn’t the cause of the rows.']],
  [
    'what confirms a named cause',
    [guess, '--', 'The real issue was `acquireLock`, which is mended.'],
  ],
  [
    'another member of a path',
    ['The cause might be src/pool.ts.', '--', 'The actual cause is in src/rows.ts.'],
  ],
  [
    'what was asked and answered',
    [`asked “Is it probably \`acquireLock\`?”; e2 “yes”`, '--', cause],
  ],
  [
    'what is right where something else was supposed',
    [
      claim,
      '--',
      'I assumed that the row is stale, but the pool reads every row of `acquireLock`.',
    ],
  ],
  [
    'what is right where something else was wrong',
    [claim, '--', 'I was wrong about the retry: the pool reads every row of `acquireLock`.'],
  ],
  [
    'what was said before',
    [claim, '--', 'As I said, what is wrong is that the pool reads every row of `acquireLock`.'],
  ],
  [
    'what was thought of',
    [claim, '--', 'I thought about a pool of `acquireLock` before the index, but it is cheap.'],
  ],
  [
    'what was read right',
    [claim, '--', 'My earlier reading was right: the pool of `acquireLock` reads every row.'],
  ],
  ['the cause', [suspicion, '--', 'The cache isn’t the cause, `acquireLock` is.']],
  [
    'the cause beside a red herring',
    [suspicion, '--', 'The retry was a red herring; it is `acquireLock`.'],
  ],
  ['no red herring', [suspicion, '--', '`acquireLock` is not a red herring.']],
  ['what is confirmed', [suspicion, '--', 'The root cause is `acquireLock`, as I suspected.']],
  ['a proposal', ['I think `acquireLock` should be renamed.', '--', cause]],
  [
    'a turn long ago',
    [suspicion, ...'abcd'.split('').flatMap((one) => ['--', `Turn ${one}.`]), '--', cause],
  ],
])('%s is not taken back', (_, texts) => {
  expect(told(...texts)).toEqual(texts.map((text) => `1 ${text}`));
});

test.each([
  ['Two tests of the pool are still failing.', 'All 214 tests pass.'],
  ['The new test fails as expected.', 'Everything passes now.'],
  ['The linter is still flagging the import.', 'Lint is clean, and the pool has a second test.'],
  ['CI is red on Windows.', 'CI is green.'],
  ['CI is red on Windows.', 'The pool is mended, and all checks pass again.'],
  ['The type-check is still failing.', 'Types are clean (0 errors).'],
  ['The build is failing.', 'With the fix in, the build succeeds.'],
])('%s is history once it is said that %s', (said, passed) => {
  expect(told(said, '--', 'More.', '--', passed)[0]).toBe(`0.5 ${said} (but see e5)`);
});

test('what is told in a list beside a check that failed keeps its worth', () => {
  const said = 'Open: the pool has no limit; two tests are failing';
  expect(told(said, 'All tests pass.')[0]).toBe(`1 ${said} (but see e2)`);
});

test.each([
  ['another kind of check', ['Two tests are failing.', 'Lint is clean.']],
  ['a part of the tests', ['Two tests are failing.', 'All unit tests pass.']],
  ['all but some', ['Two tests are failing.', 'All tests pass except two.']],
  ['what is to pass', ['Two tests are failing.', 'All tests pass once the pool is mended.']],
  ['what passed before', ['All tests pass.', 'Two tests are failing.']],
  ['no failure', ['No test is failing.', 'All tests pass.']],
  ['an option', ['The build is red.', 'The build passes `-O2`.']],
  ['a rule', ['CI now fails if coverage drops below 80 %.', 'CI is green.']],
  ['a color', ['The labels are red in the test page.', 'All tests pass.']],
  ['a question', ['Two tests are still failing?', 'All tests pass.']],
  ['a failure of its time', ['The test was failing because of the pool.', 'All tests pass.']],
])('%s makes no failure history', (_, texts) => {
  expect(told(...texts)).toEqual(texts.map((text) => `1 ${text}`));
});

test.each([
  'Everything passes through `dispatchAll`.',
  'All 14 tests pass on Linux.',
  'On Linux, all tests pass.',
  'Before the merge, all tests passed.',
  'All tests pass only because the suite skips them.',
  'Almost all tests pass.',
  'I expected that all tests pass.',
  'Do all tests pass?',
  'All tests pass?',
  'Goal: all tests pass.',
  'All specs pass a mocked clock.',
])('%s does not say that all tests pass now', (said) => {
  expect(told('Two tests are failing.', said)[0]).toBe('1 Two tests are failing.');
});
