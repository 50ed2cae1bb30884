import { expect, test } from 'vitest';
import { errorIn, isAllPasted, isMostlyPasted, typedIn } from '../../../src/core/people/pasted.ts';

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
  '2026-01-02T03:04:05+01:00 [job] begun',
  '[03:04:05] begun',
  'me@host shop % tail -f job.log',
  'me@host:~/shop$ ls',
])('nobody types "%s", nor what stands right below it', (line) => {
  expect(typedIn(`Look.\n${line}\nbelow it\n\nFix it.`)).toBe('Look.\n\nFix it.');
});

test.each([
  '12:30 is when we ship',
  'me@host.org wrote 5 % less',
  'an error: it fails',
  'at once',
  'a > b',
  '+one from me',
  'say "port" to them',
])('a person may type "%s"', (line) => expect(typedIn(`Look.\n${line}`)).toBe(`Look.\n${line}`));

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

test.each([
  'comment:',
  'the comments:',
  'one error:',
  'some errors:',
  'my log:',
  'all logs:   ',
  'the feedback:',
  'How about that?  ',
  'The next one:',
])('what stands below "%s" and a blank line is not theirs', (line) => {
  expect(typedIn(`${line}\n \t\nNever do that.`)).toBe(line);
});

test.each([
  'They said: yes',
  'What about it? Hm',
  'Saids:',
  'the terror:',
  `${'x'.repeat(85)} said:`,
])('what stands below "%s" is theirs', (line) =>
  expect(typedIn(`${line}\n\nNever do that.`)).toBe(`${line}\n\nNever do that.`),
);

test.each([
  'rule',
  'rules',
  'requirement',
  'requirements',
  'constraint',
  'constraints',
  'decision',
  'decisions',
  'step',
  'steps',
])('a list of the %s is theirs', (word) => {
  const text = `Here is the ${word}:\n\nNever do that.`;
  expect(typedIn(text)).toBe(text);
});

test('what is shown at the end is nothing', () => expect(typedIn('They said:')).toBe('They said:'));

test('what is pasted ends with a line of blanks', () => {
  expect(typedIn('TypeError: x\nbelow\n \t\nFix it.')).toBe(' \t\nFix it.');
});

test.each([
  ['error: it', true],
  ['error[E1]: it', true],
  ['error[]: it', false],
  ['my.pool.SizeException: it', true],
  ['an error: it', false],
  ['- 12345 left', true],
  ['+1 from me', true],
  ['+ 123456 added', false],
  ['"port": x', false],
  ['at me for 4:3', true],
  ['at me 4', false],
])('whether "%s" is pasted: %s', (line, is) => expect(typedIn(line)).toBe(is ? '' : line));

test.each([
  ['It printed:  \n  one', true],
  ['It printed:\n\tone', true],
  ['It printed:\n one', false],
  ['It printed:\none  two', false],
  ['It printed: two\n  one', false],
  ['It printed:x\n  one', false],
  ['It printed:\n  1 one', false],
  ['The plan:\n  one', false],
])('in %j what is set in is shown: %s', (text, is) =>
  expect(typedIn(text)).toBe(is ? text.split('\n')[0] : text),
);

const screen = [
  '❯ Make the page better.',
  '',
  '⏺ Read 2 files (ctrl+o to expand)',
  '  ⎿  Added 286 lines, removed 50 lines',
  '      4      <meta charset="UTF-8" />',
  '      7 -    <title>shop</title>',
].join('\n');

test.each([
  ['what a terminal showed', `It does not work:\n${screen}`, true],
  ['code between fences', `Cut this:\n\`\`\`\n${'run the pool\n'.repeat(9)}\`\`\``, true],
  ['rules with names in braces', 'Use `{}` never.\n● Keep ${HOME}.\n● Keep {id}.', false],
  ['a list of what is wanted', 'Please:\n- keep the pool\n- 2 rows a page\n  - at most', false],
  [
    'a long text behind a short paste',
    `$ npm test\n\n${'It fails on my machine. '.repeat(9)}`,
    false,
  ],
])('whether most is pasted of %s: %s', (_, text, is) => expect(isMostlyPasted(text)).toBe(is));

test('what is set in below a screen belongs to it, until a line begins at the margin', () => {
  const screen = '⏺ Look at the rows\n\n    Read the file and add a row.\n  - one';
  expect(typedIn(`It hangs.\n${screen}`).trim()).toBe('It hangs.');
  expect(typedIn(`${screen}\n\nPlease mend it\n    and add a row`)).toContain('and add a row');
  expect(typedIn('Add\n    a row')).toContain('a row');
});

test.each([
  ['=== RUN   TestPool\n    pool.go:9: Rows: 3', true],
  ['--- FAIL: TestPool (0.1s)', true],
  ['--- the pool is full', false],
  ['remote: Permission denied', true],
  ['remote work is fine', false],
  ['$ npm test\n12 rows\n\nHELP', true],
  ['$ npm test\n12 rows\n\nplease mend it', false],
  ['please mend it\n$ npm test', false],
  ['TypeError: no row', true],
  ['{"id": 1}', true],
  ['add a `{ id }` field', false],
  ['```\nrow 1\n```', true],
  ['mend\n```\nrow 1\n```', false],
  ['hint: the fault is in the lexer', false],
  ['remote: the two of us, so times are in UTC', false],
  ['hint: Updates were rejected\nhint: by the server', true],
  ['hint: the rows are gone\nfatal: no rows', true],
  ['Error: nothing happens on save. Fix it', false],
  ['TypeError: x is gone - please fix', false],
  ['error: no fix for it is known', true],
  ['Error: rows are gone. Fix it\n    at run (/w/a.ts:4:2)', true],
  ['TypeError: x is gone\n\n修复登录页面', false],
  ['TypeError: x is gone\n\nwhy', true],
  ['', false],
])('whether all of %j is pasted: %s', (text, is) => expect(isAllPasted(text)).toBe(is));

test.each([
  ['$ npm test\nTypeError: no row\nfatal: gone', 'TypeError: no row'],
  ['--- FAIL: TestPool (0.1s)', '--- FAIL: TestPool (0.1s)'],
  ['no error here', ''],
])('the line of %j that says what failed is %j', (text, line) => expect(errorIn(text)).toBe(line));
