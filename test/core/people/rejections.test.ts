import { expect, test } from 'vitest';
import { isRejected, isReversal } from '../../../src/core/people/rejections.ts';

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
  'no, this works only here',
  'no, that is fine for us but not for guests',
  'no. good names say what they hold',
  'no, go back',
  'that is completely wrong',
  "it's not right",
  "this doesn't look right",
  'makes no sense',
  "you're still missing it",
])('what follows rejects: %s', (text) => expect(isRejected('Done.', text, true)).toBe(true));

test.each([
  'No results found',
  'ok, no tests ran',
  'no problem',
  'no worries',
  'no need, it works',
  'no, that is fine',
  'No I like it, keep it',
  'no, go on',
  'no it works now!',
  'I know',
  'looks right',
  'so it is',
])('what follows does not reject: %s', (text) =>
  expect(isRejected('Done.', text, true)).toBe(false),
);

test('what comes later rejects what it names, by two words or parts of them that are not frequent', () => {
  const statement = 'The parserPool splits lines before tokens.';
  expect(isRejected(statement, 'no, the parser never splits', false)).toBe(true);
  expect(isRejected(statement, 'no, the parser is slow', false)).toBe(false);
  expect(isRejected(statement, 'no, it was before the parser', false)).toBe(false);
  expect(isRejected(statement, 'undo how the parser splits', false)).toBe(false);
  expect(isRejected(statement, 'the parser splits', false)).toBe(false);
});

test.each([
  ['nevermind', true],
  ['roll this back', true],
  ['I say no', false],
  ['Hmmm, well, no', true],
  ['“No”, they say', true],
  ['okay, wrong', true],
  ['that’s wrong', true],
  ['it was not right', true],
  ['this incorrect', true],
  ['it is so very wrong', false],
  ['doesnt look right', true],
  ['you’re missing it', true],
  ['you are still missing it', true],
  ['you are still wrong', false],
  ['youre wrong', false],
])('whether %j rejects what it follows: %s', (text, is) =>
  expect(isRejected('Done.', text, true)).toBe(is),
);

test('words of five letters name something, but for those that stand in every text', () => {
  expect(isRejected('It is so.', 'no, it is', false)).toBe(false);
  expect(isRejected('parser splits', 'no: it', false)).toBe(false);
  expect(isRejected('beforehand thereafter', 'no, beforehand, thereafter', false)).toBe(true);
  expect(isRejected('since there', 'no, since there', false)).toBe(false);
  expect(isRejected('parser parser', 'no, the parser', false)).toBe(false);
  expect(isRejected('read rows', 'no, read rows', false)).toBe(false);
});
