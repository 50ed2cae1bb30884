import { expect, test } from 'vitest';
import { typedIn } from '../../../src/core/text/pasted.ts';

test.each([
  'TypeError: x is not a function',
  'error[E0382]: borrow of moved value',
  'fatal: not a git repository',
  'panic: index out of range',
  'Traceback (most recent call last):',
  '    at run (/w/a.ts:4:2)',
  '$ npm test',
  '➜ npm test',
  '> npm test',
  '+ 12 added',
  '"port": 4310',
  'if (a) {',
  'Ran `npm test`',
])('nobody types "%s", nor what stands right below it', (line) => {
  expect(typedIn(`Look.\n${line}\nbelow it\n\nFix it.`)).toBe('Look.\n\nFix it.');
});

test.each(['an error: it fails', 'at once', 'a > b', '+one from me', 'say "port" to them'])(
  'a person may type "%s"',
  (line) => expect(typedIn(`Look.\n${line}`)).toBe(`Look.\n${line}`),
);

test.each(['What about this one?', 'Thoughts on this:', 'They said:', "Here's the review:"])(
  'what "%s" shows after a blank line is not theirs',
  (line) => {
    expect(typedIn(`Hi.\n${line}\n\nNever do that.`)).toBe(`Hi.\n${line}`);
    expect(typedIn(`Hi.\n${line}\nNever do that.`)).toBe(`Hi.\n${line}\nNever do that.`);
  },
);

test('a list that a person leads to is theirs', () => {
  const text = 'Here are the rules I said:\n\nNever do that.';
  expect(typedIn(text)).toBe(text);
});

test('what is set in below a colon is shown, unless it is a list', () => {
  expect(typedIn('It printed this:\n  one line\n\nFix it.')).toBe('It printed this:\n\nFix it.');
  expect(typedIn('Do this:\n  - one\n  2. two')).toBe('Do this:\n  - one\n  2. two');
});

test('three lines with the margin of a terminal are pasted, two are not', () => {
  expect(typedIn('Hi.\n one\n two\n three')).toBe('Hi.');
  expect(typedIn('Hi.\n one\n two')).toBe('Hi.\n one\n two');
});
