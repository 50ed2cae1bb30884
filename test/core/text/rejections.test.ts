import { expect, test } from 'vitest';
import { isRejected, isReversal } from '../../../src/core/text/rejections.ts';

test.each([
  'Please revert the parser.',
  'undo',
  'roll it back',
  'scrap that',
  'forget this',
  'never mind',
])('taken back: %s', (text) => {
  expect(isReversal(text)).toBe(true);
  expect(isRejected('The parser is new.', text, true)).toBe(true);
});

test.each([
  'the undone list',
  'roll the dice',
  'forget the parser, add a test',
  'reverted by then',
])('not taken back: %s', (text) => expect(isReversal(text)).toBe(false));

test.each([
  'no',
  'Oh well, nope',
  'wait, stop',
  'that is completely wrong',
  "it's not right",
  "this doesn't look right",
  'makes no sense',
  "you're still missing it",
])('what follows rejects: %s', (text) => expect(isRejected('Done.', text, true)).toBe(true));

test.each(['no problem', 'no worries', 'no need, it works', 'I know', 'looks right', 'so it is'])(
  'what follows does not reject: %s',
  (text) => expect(isRejected('Done.', text, true)).toBe(false),
);

test('what comes later rejects what it names, by two words or parts of them that are not frequent', () => {
  const statement = 'The parserPool splits lines before tokens.';
  expect(isRejected(statement, 'no, the parser never splits', false)).toBe(true);
  expect(isRejected(statement, 'no, the parser is slow', false)).toBe(false);
  expect(isRejected(statement, 'no, it was before the parser', false)).toBe(false);
  expect(isRejected(statement, 'undo how the parser splits', false)).toBe(false);
  expect(isRejected(statement, 'the parser splits', false)).toBe(false);
});
