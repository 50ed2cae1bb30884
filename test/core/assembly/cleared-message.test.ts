import { expect, test } from 'vitest';
import { clearedMessage } from '../../../src/core/assembly/cleared-message.ts';
import { textOf } from '../../../src/core/messages/message.ts';

/** What the marker of a result says behind its entry; one that begins with `!` failed. */
const told = (output: string): string => {
  const [content, isError] = [output.replace(/^!/, ''), output.startsWith('!')];
  const message = { role: 'tool', toolCallId: 'a', content, isError } as const;
  const cleared = clearedMessage({ n: 4, tokens: 90 }, message);
  expect(cleared).toMatchObject({ role: 'tool', toolCallId: 'a', isError });
  const [, said = ''] = /^\[cleared: 90 tokens, e4(?:; ([^\]]*))?\]$/.exec(
    textOf(cleared.content),
  )!;
  return said;
};

test.each([
  [
    '!Exit code 1\n# shop/cart\nsrc/cart.go:57:13: undefined: total',
    'failed: src/cart.go:57:13: undefined: total',
  ],
  ['Exit code: 2\nOutput:\n[lint] ERROR task failed', 'failed: (lint) ERROR task failed'],
  ['[main 1ef554d] Sort [all]\n 2 files changed, 4 insertions(+)', 'commit 1ef554d'],
  ['ok\n[fix/a b 1ef554d] Sort\n 1 file changed\nTo shop:a.git', 'commit 1ef554d'],
])('of %j the marker says %j', (output, said) => expect(told(output)).toBe(said));

test.each([
  ['what worked', 'src/cart.go:57:13: undefined: total'],
  ['what the host says ended well', 'Exit code: 0\nOutput:\nerror: no total'],
  ['what does not say why', '!1 a\n2 b'],
  [
    'what a person refused',
    "!The user doesn't want to proceed with this tool use. It was rejected",
  ],
  [
    'what was never run',
    '!<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>',
  ],
  ['an edit that missed its place', '!String to replace not found in file.'],
  ['a commit that is only shown', '[main 1ef554d] is the newest one\n 2 tags'],
])('of %s it says nothing more', (_, output) => expect(told(output)).toBe(''));

test('a long reason is cut, and the marker stays one', () => {
  const said = told(`!fatal: cannot [${'no disk] '.repeat(40)}`);
  expect(said).toHaveLength('failed: '.length + 120);
  expect(said).toMatch(/^failed: fatal: cannot \(no disk\) .*…$/);
});
