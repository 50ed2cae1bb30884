import { expect, test } from 'vitest';
import { withOvertaken } from '../../../src/core/lines/overtaken.ts';

/** Lines that entries from e1 on said, all of one turn but those after `--`. */
const told = (...texts: readonly string[]): readonly string[] => {
  const next = texts.indexOf('--') + 1;
  const lines = texts.map((text, index) => ({
    turn: next > 0 && index >= next ? next : 0,
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
  ['what is said in a later turn', [guess, '--', cause]],
  ['no guess', ['`acquireLock` is called twice.', cause]],
  ['a second finding', [guess, '`acquireLock` takes 4 seconds.']],
])('%s overtakes nothing', (_, texts) => {
  expect(told(...texts)).toEqual(texts.map((text) => `1 ${text}`));
});
