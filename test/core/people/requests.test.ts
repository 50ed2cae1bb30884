import { expect, test } from 'vitest';
import { isOnward, isSmallTalk, requestIn } from '../../../src/core/people/requests.ts';

const asked = (text: string): string | null => requestIn(text)?.text ?? null;
const isSure = (text: string): boolean => requestIn(text)?.isSure === true;

test.each([
  ['Add a login page to src/web/app.ts', 'Add a login page to src/web/app.ts'],
  ['Thanks! Please rename the store to vault.', 'Please rename the store to vault.'],
  ['/task move the parser to src/core', '/task move the parser to src/core'],
  [`Can you add a row? 1. The rows ${'are read '.repeat(30)}`, 'Can you add a row?'],
  ['let’s do item 1', 'let’s do item 1'],
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
  const start = process.cpuUsage();
  for (const unit of ['ok, ', 'please ', '. ', 'A. B ', '/a ', 'a/b ', ': '])
    requestIn(unit.repeat(65_536 / unit.length));
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
});

test.each([
  ['whether the score of it is enough', 'The lamp is blue', null],
  ['a word for work in it', 'The lamp needs a fix', 'The lamp needs a fix'],
  ['something that is named', 'The lamp in `pool`', 'The lamp in `pool`'],
  ['a path', 'The lamp of core/pool', 'The lamp of core/pool'],
  ['a name in camel case', 'The lamp of drainPool', 'The lamp of drainPool'],
  ['a name in snake case', 'The lamp of drain_pool', 'The lamp of drain_pool'],
  ['capitals', 'The lamp of JSON', 'The lamp of JSON'],
  ['six words', 'The lamp of ours is now blue', 'The lamp of ours is now blue'],
  ['two words', 'fix it', null],
  ['three words', 'fix the lamp', 'fix the lamp'],
])('it takes so much to be a request: %s', (_, text, request) => {
  expect(asked(text)).toBe(request);
});

test.each([
  ['add the row', true],
  ['Yank the row', true],
  ['addend the row', false],
  ['address the row', true],
  ['definitely close the row', true],
  ['please, just add the row', true],
  ['could you add the row', true],
  ['I would like you to add the row', true],
  ['i’d actually like to add the row', true],
  ['we need to add the row', true],
  ['how about we add the row', true],
  ['you have to add the row', true],
  ['they add the row', false],
])('%j asks without doubt: %s', (text, sure) => {
  expect(isSure(text)).toBe(sure);
});

test('the first six sentences are looked at, the earlier before the later', () => {
  const small = 'It is so. ';
  expect(asked(`${small.repeat(5)}Fix the lamp.`)).toContain('Fix the lamp.');
  expect(asked(`${small.repeat(6)}Fix the lamp.`)).toBeNull();
  expect(asked('Fix the lamp. And what now? Fix the pool.')).toBe('Fix the lamp. And what now?');
});

test('what a sentence points to is none of the headings and scraps before it', () => {
  const solve = 'Please solve the following issue.';
  expect(asked(`${solve}\nTitle here:\nDurations are rounded`)).toBe(
    `${solve} Durations are rounded`,
  );
  expect(asked(`${solve}\nShort one.\nDurations are rounded`)).toBe(
    `${solve} Durations are rounded`,
  );
  expect(asked(`${solve}\nTwelve signs`)).toBe(`${solve} Twelve signs`);
});

test('a request goes on up to the end of a question of few words, a curse and two hundred characters', () => {
  expect(asked('Fix the lamp. It is blue. Is it yours? It is mine.')).toBe(
    'Fix the lamp. It is blue. Is it yours?',
  );
  const why = `And why is it ${'so '.repeat(20)}blue?`;
  expect(asked(`Fix the lamp. ${why}`)).toBe('Fix the lamp.');
  expect(asked('Fix the lamp. This is stupid. It is blue.')).toBe('Fix the lamp.');
  const long = `It is ${'x'.repeat(180)}.`;
  expect(asked(`Fix it all. ${long}`)).toBe(`Fix it all. ${long}`);
  expect(asked(`Fix them all. ${long}`)).toBe('Fix them all.');
});

test('a word to go on is short', () => {
  const rest = (length: number): string =>
    `continue and fix ${'x'.repeat(length)}`.slice(0, length);
  expect(requestIn(rest(72))).toBeNull();
  expect(requestIn(rest(73))).not.toBeNull();
});

test.each([
  'go on',
  'go ahead',
  'proceed',
  'keep going',
  'keep at it',
  'carry on',
  'resume',
  'next',
  'do that',
  'do so',
  'try again',
  'again',
  'retry',
  'great, go on',
  'thanks! proceed',
])('%j only asks to go on', (text) => {
  expect(requestIn(`${text} with the lamp in pool.ts`)).toBeNull();
});

test.each([
  ['yes please do', true],
  ['Do.', true],
  ['yes, do 1', false],
  ['please do the docs', false],
  ['next: add a lamp', false],
  ['go on, but remove the pool', false],
  ['continue with the pool instead', false],
  ['go on, please', true],
  ['go ahead, implement it', true],
  ['next: go on with the lamp', true],
  ['continue, I add the lamp later', true],
])('whether %j only asks to go on: %s', (text, is) => expect(isOnward(text)).toBe(is));

test.each([
  ['The lamp needs a Fix', true],
  ['The lamp is now all blue', true],
  ['The lamp is now blue', false],
  ['The lamp of a.ts', true],
  ['The lamp of a', false],
  ['Hm. Prefer the lamp.', true],
  ['Hm. Hm. Prefer the lamp.', false],
  ['The lamp in `pool`?', false],
  ['ok the lamp in `pool`?', true],
  ['実 `a`', false],
  ['実装を続けて', false],
  ['実装実装実装実装', true],
  ['実装実装 `a`', true],
  ['fucking fix the lamp', false],
  ['oh fuck, fix the lamp', false],
  ['shitty, fix the lamp', false],
  ['shit, fix the lamp', false],
  ['lobotomized, fix the lamp', false],
  ['for gods sake fix the lamp', false],
  ['for god’s sake fix the lamp', false],
  ['moron, fix the lamp', false],
  ['okay, go on in `pool`', false],
  ['thank, again in `pool`', false],
  ['thanks, again in `pool`', false],
  ['fix the lamp and go on', true],
])('%j asks for something: %s', (text, is) => expect(requestIn(text) !== null).toBe(is));

test.each([
  ['lets add the row', true],
  ['let’s add the row', true],
  ['Hm. Hm. Fix the lamp.', true],
  ['Hm. Hm. Hm. Fix the lamp.', false],
  ['/task-a:b fix the lamp', true],
  ['on /w fix the lamp', false],
  ['“/w” fix the lamp', false],
])('%j asks without doubt: %s', (text, sure) => expect(isSure(text)).toBe(sure));

test('what asks most is the request, and what stands behind it is told with it', () => {
  expect(asked('The lamp of ours is now blue. Fix the lamp in `pool`.')).toBe(
    'Fix the lamp in `pool`.',
  );
  expect(asked('Fix the lamp. It is blue. It is mine. It is so.')).toBe(
    'Fix the lamp. It is blue. It is mine. It is so.',
  );
  expect(asked('Fix this: it is blue. It is mine. It is so.')).toBe(
    'Fix this: it is blue. It is mine. It is so.',
  );
  const rest = 'Durations are rounded down\nThey should be rounded up';
  for (const words of ['Fix the following', 'Fix it, see below', 'Fix what here’s', 'Fix it all:'])
    expect(asked(`${words}\nThe title of it here:\n${rest}`)).toBe(
      `${words} Durations are rounded down`,
    );
  for (const [length, is] of [
    [200, true],
    [201, false],
  ] as const) {
    const long = `Fix it all. It is ${'x'.repeat(length - 19)}.`;
    expect(asked(long)).toBe(is ? long : 'Fix it all.');
  }
});

test.each(['wow', 'Yo', 'ok cool', 'thanks!', 'Great, thank you so much :)', 'haha nice 👍', 'ok'])(
  '%j is small talk',
  (text) => {
    expect(isSmallTalk(text)).toBe(true);
  },
);

test.each([
  'yes',
  'no',
  'ok go',
  'great, do b',
  'thanks, now ship it',
  'cool it down',
  'nice names please',
  'why',
  '2',
  '',
])('%j is none', (text) => {
  expect(isSmallTalk(text)).toBe(false);
});
