import { expect, test } from 'vitest';
import {
  toComparable,
  type ComparableEntry,
} from '../../../src/core/host-history/comparable-message.ts';
import { detectFork } from '../../../src/core/host-history/detect-fork.ts';
import type { Message } from '../../../src/core/messages/message.ts';

/** `u` is what a person says, `i` what a host inserts, `a` an answer, `t` a result. */
function said(words: string, n: number): ComparableEntry {
  const [kind, content] = [words[0], words.slice(2)];
  const message: Message =
    kind === 'a'
      ? { role: 'assistant', content }
      : kind === 't'
        ? { role: 'tool', toolCallId: 'c1', content }
        : { role: 'user', content, origin: kind === 'u' ? 'person' : 'machine' };
  return { ...toComparable(message, words), n };
}

test.each([
  ['an answer made anew', 'a Yes.', 'a No.', 'retry'],
  ['an answer thrown away', 'a Yes.', '', 'retry'],
  ['an answer and its result thrown away', 'a Yes.|t ok', '', 'retry'],
  ['an answer and a prompt taken back', 'a Yes.|u Go on', '', 'rewind'],
  ['a prompt taken back', 'u Go on|a Yes.', '', 'rewind'],
  ['another prompt', 'u Go on|a Yes.', 'u Stop', 'edit'],
  ['a prompt after what a host inserted', 'i Note|u Go on', 'u Stop', 'edit'],
  ['only what a host inserted is gone', 'i Note', 'u Stop', null],
  ['a prompt for an answer', 'a Yes.', 'u Stop', null],
  ['an answer for a prompt', 'u Go on', 'a Yes.', null],
  ['an inserted text for a prompt', 'u Go on', 'i Note', null],
  ['nothing is gone', '', 'u Stop', null],
])('%s: %s, then %s', (...[, left, fresh, manner]) => {
  const of = (words: string): ComparableEntry[] => words.split('|').filter(Boolean).map(said);
  const ends = { left: of(left), fresh: of(fresh), common: 1, isFirstTurn: false };
  expect(detectFork(ends)).toBe(manner);
});

const first = 'u Read the file and list 3 errors';

test.each([
  ['u Read the file and list 3 errors now', 'edit'],
  ['u Read the file or list 3 errors', 'edit'],
  ['u READ the file and list 3 errors', 'edit'],
  // Four of seven words are less than two thirds, five are more; a number is never another one.
  ['u See a file and list 3 warnings', null],
  ['u See the file and list 3 warnings', 'edit'],
  ['u Read the file and list 4 errors', null],
  ['u Read the file and list errors', null],
  ['u Write a poem', null],
  ['i Read the file and list 3 errors now', null],
  ['a Read the file and list 3 errors now', null],
  ['', null],
])(
  'where nothing else is common, %j is another wording of the first prompt or a new talk',
  (next, manner) => {
    const fresh = next === '' ? [] : [said(next, 2)];
    expect(detectFork({ left: [said(first, 1)], fresh, common: 0, isFirstTurn: false })).toBe(
      manner,
    );
  },
);

test('six of nine words are two thirds, and no more', () => {
  const left = [said('u a b c d e f g h i', 1)];
  const of = (words: string) =>
    detectFork({ left, fresh: [said(words, 2)], common: 0, isFirstTurn: false });
  expect(of('u x b c d e f g')).toBe(null);
  expect(of('u x b c d e f g h')).toBe('edit');
});

test('the only prompt needs eight characters in common, a later answer none', () => {
  const of = (next: string, isFirstTurn: boolean) =>
    detectFork({ left: [said(first, 1)], fresh: [said(next, 2)], common: 0, isFirstTurn });
  expect(of('u Read the poem', true)).toBe('edit');
  expect(of('u Read thi poem', true)).toBe(null);
  expect(of('u Read the poem', false)).toBe(null);
  expect(
    detectFork({
      left: [said('a Yes.', 1)],
      fresh: [said(first, 2)],
      common: 0,
      isFirstTurn: true,
    }),
  ).toBe(null);
});

test('a prompt without words is no wording of another', () => {
  const left = [said('u ...', 1)];
  const fresh = [said('u …', 2)];
  expect(detectFork({ left, fresh, common: 0, isFirstTurn: false })).toBe(null);
});
