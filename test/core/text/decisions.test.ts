import { expect, test } from 'vitest';
import {
  decisionsIn,
  isChoice,
  isDecision,
  isRuling,
  plainSentence,
} from '../../../src/core/text/decisions.ts';

test.each([
  'We decided on SQLite for the store.',
  'I have chosen a table over a queue.',
  "We've opted for one process.",
  'Decision: settled on node:http.',
  "We're going with Stripe.",
  'I will keep the old names.',
  'Let’s use Postgres.',
  'The decision is final: one file.',
  'From now on ids are strings.',
  'The page now uses a cache instead of a query.',
])('the model chose: %s', (sentence) => expect(isChoice(sentence)).toBe(true));

test.each([
  'Have we decided on SQLite?',
  'It is yet to decide whether we use SQLite.',
  'We could use SQLite instead of a file.',
  "I haven't decided on a store.",
  'If we decided on SQLite, a file would do.',
  'Let me see what we decided on.',
  'We are still undecided; going with SQLite is possible.',
  'The store is SQLite.',
])('nothing is chosen: %s', (sentence) => expect(isChoice(sentence)).toBe(false));

test.each([
  "Don't touch the parser",
  'make sure it compiles',
  'Tests go to test/, only.',
  'I only want one file',
  'Rather than a class, a function',
  'it should only read',
])('a person lays down: %s', (sentence) => expect(isRuling(sentence)).toBe(true));

test.each([
  'Do you never test it?',
  "why don't you use the cache",
  "I don't know, never mind",
  'you always keep guessing',
  'The only file is a.ts',
])('a question or a complaint lays nothing down: %s', (sentence) =>
  expect(isRuling(sentence)).toBe(false),
);

test('decisions are sentences of 20 to 200 characters, each once', () => {
  const long = `We decided to ${'keep the store and '.repeat(10)}`;
  const exact = (length: number) => 'We decided on '.padEnd(length, 'x');
  expect(decisionsIn(`${long} end.\n- We decided.\n${exact(20)}\n${exact(19)}`)).toEqual([
    exact(20),
  ]);
  expect(decisionsIn(`${exact(200)}\n${exact(201)}\n${exact(200)}`)).toEqual([exact(200)]);
  expect(decisionsIn('The root cause is the clock.')).toEqual(['The root cause is the clock.']);
});

test.each([
  ['- We agreed', 'We agreed'],
  ['12) We agreed', 'We agreed'],
  ['## 1. We agreed', 'We agreed'],
  ['**[DECISION]**: We agreed', 'We agreed'],
  ['[NEXT] - We agreed', 'We agreed'],
  ['-We agreed - so it is', '-We agreed - so it is'],
])('a sentence is plain without what leads to it: %s', (sentence, plain) =>
  expect(plainSentence(sentence)).toBe(plain),
);

test.each([
  'We decide on ids.',
  'So I decided it.',
  'By deciding it.',
  'A decision of ours.',
  'He opted for it.',
  'Opting to leave.',
  'It settled on it.',
  'All agreed to it.',
  'We go with it.',
  'By going with it.',
  'They went with it.',
  'We’ll use a file.',
  'I will use a file.',
  "Let's use a file.",
  'Lets use a file.',
  'We stick to it.',
  'By sticking with it.',
  'It must be so.',
  'It must not be so.',
  'It mustn’t be so.',
  'The bug was there.',
])('a decision: %s', (sentence) => expect(isDecision(sentence)).toBe(true));

test.each([
  'The decider is it.',
  'It goes with us.',
  'A stick in it.',
  'A mustard.',
  'The bug there.',
])('no decision: %s', (sentence) => expect(isDecision(sentence)).toBe(false));

test.each([
  ['Verdict: opted for a file', true],
  ['Verdict:opted for a file', true],
  ['Decision:chose a file', true],
  ['Let’s decided', true],
  ['lets both decided', true],
  ['We’ve also chosen a file', true],
  ['Sticking with a file', true],
  ['We kept a file instead of a row', true],
  ['It uses a row; kept: instead of', false],
  ['We decided (why not?) on a file', true],
  ['Up to you to decide if we chose it', false],
  ['We chose it, yet to decide', false],
  ['We hadn’t agreed, we decided', false],
  ['Try using a row instead of a file', false],
  ['Trying to keep a row instead of a file', false],
])('chosen in %j: %s', (sentence, is) => expect(isChoice(sentence)).toBe(is));

test.each([
  ['It must go', true],
  ['It mustn’t go', true],
  ['It mustnt go', true],
  ['a mustard', false],
  ['dont go', true],
  ['Write files only', true],
  ['Write files only, please', true],
  ['The only file', false],
  ['Use what is there', true],
  ['How it must go', false],
  ['  how it must go', false],
  ['you don’t keep it', false],
  ['you dont keep it', false],
  ['I dont care, use it', false],
  ['I don’t mind, use it', false],
])('laid down in %j: %s', (sentence, is) => expect(isRuling(sentence)).toBe(is));
