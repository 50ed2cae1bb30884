import { expect, test } from 'vitest';
import { laidDownIn } from '../../../src/core/text/rulings.ts';

const laid = (text: string, isGoingAhead = false) => laidDownIn(text, isGoingAhead).sentences;

test.each([
  'Never write tokens to the log.',
  'All amounts are kept in cents, from now on.',
  'The parser should live in its own file.',
  'Tests belong in the test folder.',
  'We prefer plain functions over classes.',
  "I don't want a new dependency for that.",
  'Make sure the build stays green.',
  'We will just keep the old names here',
  "let's use one port for both servers",
  'The old format is fine for now.',
  'Names have to be unique per account.',
  'please keep the public API stable',
  'The app must work offline, right?',
])('laid down: %s', (text) => expect(laid(text)).toEqual([text]));

test.each([
  'Why is the parser slow?',
  'I think it never worked, right?',
  "I don't know what that means.",
  'Maybe we should use a queue.',
  'Fix the parser.',
  'The parser is slow.',
  'You keep guessing, idiot.',
  'What if we never close it?',
  'could you keep an eye on it',
  'I got an error when it should start',
  'Add a test.',
  'It seems like we should wait',
])('nothing is laid down: %s', (text) => expect(laid(text)).toEqual([]));

test('where a person only lets the model go on, wishes do not count and rules do', () => {
  expect(laid('Make sure the build stays green.', true)).toEqual([]);
  expect(laid('Never skip the tests.', true)).toEqual(['Never skip the tests.']);
});

test('a sentence that leans on the one before it is told with it', () => {
  expect(laid('The cache holds a hundred entries. It must never grow.')).toEqual([
    'The cache holds a hundred entries. It must never grow.',
  ]);
  expect(laid('It must never grow.')).toEqual([]);
  const far = `The cache holds ${'very '.repeat(50)}many entries. It must never grow.`;
  expect(laid(far)).toEqual([]);
});

test('of a document only its rules count', () => {
  const text =
    '# Rules\n\n## Style\n\nWe use tabs in tables.\nAlways run the linter and the tests before a commit.\n';
  expect(laid(text)).toEqual(['Always run the linter and the tests before a commit.']);
  expect(laidDownIn(text, false).isAll).toBe(false);
});

test('lines that say what belongs where are told, but not a single one', () => {
  expect(laidDownIn('src/a.ts -> lib/a.ts\nsrc/b.ts => lib/b.ts', false).places).toEqual([
    'src/a.ts -> lib/a.ts',
    'src/b.ts => lib/b.ts',
  ]);
  expect(laidDownIn('src/a.ts -> lib/a.ts', false).places).toEqual([]);
  expect(laidDownIn('if a -> b\nif c -> d', false).places).toEqual([]);
});

test('whether all of it was laid down: no question, no anger, nothing pasted', () => {
  const isAll = (text: string) => laidDownIn(text, false).isAll;
  expect(isAll('Never write tokens to the log.')).toBe(true);
  expect(isAll('Never do that, ok?')).toBe(false);
  expect(isAll('Never do that, idiot.')).toBe(false);
  expect(isAll('Never do that.\nTypeError: x')).toBe(false);
});
