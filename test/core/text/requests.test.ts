import { expect, test } from 'vitest';
import { requestIn } from '../../../src/core/text/requests.ts';

const asked = (text: string): string | null => requestIn(text)?.text ?? null;
const isSure = (text: string): boolean => requestIn(text)?.isSure === true;

test.each([
  ['Add a login page to src/web/app.ts', 'Add a login page to src/web/app.ts'],
  ['Thanks! Please rename the store to vault.', 'Please rename the store to vault.'],
  ['/task move the parser to src/core', '/task move the parser to src/core'],
  ['ok, now let’s write the tests for Pool', 'ok, now let’s write the tests for Pool'],
])('what asks for work is a request without doubt: %s', (text, request) => {
  expect(asked(text)).toBe(request);
  expect(isSure(text)).toBe(true);
});

test.each([
  'ok',
  'wow',
  '👍',
  'ls',
  'continue',
  'please go on with the rest',
  '/resume and continue with the other tasks',
  'yes, do it',
])('an answer, small talk or a word to go on asks for nothing new: %s', (text) => {
  expect(requestIn(text)).toBeNull();
});

test('impatience is no request, and what is asked beside it is', () => {
  expect(requestIn('why are you reading it in tiny pieces you idiot')).toBeNull();
  expect(asked('This is stupid. Read the whole of pool.ts first. You keep guessing.')).toBe(
    'Read the whole of pool.ts first. You keep guessing.',
  );
});

test('a question may ask for work, but not without doubt', () => {
  expect(isSure('what did that command print?')).toBe(false);
  expect(isSure('can you fix the flaky test?')).toBe(true);
});

test('what points to the text behind it is told with that', () => {
  const text = 'Please solve the following issue.\nIssue:\nDurations are rounded down\nHello all';
  expect(asked(text)).toBe('Please solve the following issue. Durations are rounded down');
});

test('of a long message the beginning says what it is about', () => {
  const text = `Build a notes app. ${'It has pages. '.repeat(40)}Remove nothing.`;
  expect(asked(text)?.startsWith('Build a notes app.')).toBe(true);
  expect(asked(text)!.length).toBeLessThanOrEqual(200);
});

test('other languages ask, too, as far as work came of it', () => {
  expect(requestIn('Baue bitte eine Anmeldung in app.ts')).toMatchObject({ isSure: false });
  expect(requestIn('実装を続けてテストを書いてください')).not.toBeNull();
});

test('64 KB of anything takes no time', () => {
  const start = performance.now();
  for (const unit of ['ok, ', 'please ', '. ', 'A. B ', '/a ', 'a/b ', ': '])
    requestIn(unit.repeat(65_536 / unit.length));
  expect(performance.now() - start).toBeLessThan(2_000);
});
