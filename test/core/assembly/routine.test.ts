import { expect, test } from 'vitest';
import { isRoutine } from '../../../src/core/assembly/routine.ts';

const result = (content: string) => isRoutine({ role: 'tool', content });

const packed = 'var a=b(c);d=function(e){return f(e)};'.repeat(20);
const stored = Array.from({ length: 40 }, (_, n) => `./.git/objects/${n}a/9f8a6af5`).join('\n');

test.each([
  ['code without lines', packed],
  ['code without lines, and where it fails', `shop/x.cjs:3\n${packed}\n      ^\nTypeError: no`],
  ['objects of git', stored],
  ['packages', stored.replaceAll('.git', 'node_modules')],
  ['blanks', `name${' '.repeat(200)}size\na${' '.repeat(200)}4`],
])('a result that is mostly %s is one that nobody reads', (_, text) =>
  expect(result(text)).toBe(true),
);

test.each([
  ['a short line of such code', packed.slice(0, 399)],
  ['such code in a longer text', `${'The pool is never drained.\n'.repeat(40)}${packed}`],
  [
    'JSON in one line',
    JSON.stringify(Array.from({ length: 60 }, (_, n) => ({ id: n, name: 'a' }))),
  ],
  ['prose in one line', 'The pool is never drained, so the timer outlives the test. '.repeat(20)],
  ['matches in such folders', stored.replaceAll('\n', ': the pool is never drained\n')],
  ['files of the work', stored.replaceAll('.git/objects', 'src')],
  ['indented code', '        const a = b(c);\n'.repeat(60)],
  ['nothing', ''],
])('a result of %s is one like any other', (_, text) => expect(result(text)).toBe(false));
