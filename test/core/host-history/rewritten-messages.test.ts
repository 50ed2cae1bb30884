import { expect, test } from 'vitest';
import {
  toComparable,
  type ComparableMessage,
} from '../../../src/core/host-history/comparable-message.ts';
import {
  rewrittenMessages,
  type UnmatchedStretch,
} from '../../../src/core/host-history/rewritten-messages.ts';
import type { Message } from '../../../src/core/messages/message.ts';

// `u` is what a person said, `i` what a host inserted, `a` an answer, `t` a result of the call of that
// name, `c` an answer that makes calls: `c2,3`. `t4~` is cleared, `t4-` shortened, `t4!` another text.
// The log counts from e11, indexes of the list from 5.

function message(word: string): ComparableMessage {
  const [, role, name, mark] = /^([uiatc])([\w,]*)([~!-]?)$/.exec(word)!;
  const whole = `${role} number ${name} says a good deal more than its marker would do`;
  const forms = { '': whole, '~': '[gone]', '-': whole.slice(0, 30), '!': 'y'.repeat(300) };
  const content = forms[mark as keyof typeof forms];
  return toComparable(messageOf(role!, name!, content), word);
}

function messageOf(role: string, name: string, content: string): Message {
  if (role === 't') return { role: 'tool', toolCallId: name, content };
  if (role === 'u') return { role: 'user', content };
  if (role === 'i') return { role: 'user', content, origin: 'machine' };
  const ids = role === 'c' ? name.split(',') : [];
  const toolCalls = ids.map((id) => ({ id, name: 'read', arguments: {} }));
  return { role: 'assistant', content, toolCalls };
}

const words = (text: string): readonly string[] => text.split(' ').filter(Boolean);

const gap = (log: string, list: string, where: string): UnmatchedStretch => ({
  log: words(log).map((word, at) => ({ ...message(word), n: at + 11 })),
  list: words(list).map((word, at) => [at + 5, message(word)] as const),
  isFirst: where === 'first' || where === 'only',
  isLast: where === 'last' || where === 'only',
});

const told = (...gaps: readonly UnmatchedStretch[]): string => {
  const { cleared, shortened, edited, known } = rewrittenMessages(gaps);
  return Object.entries({ cleared, shortened, edited, known: [...known] })
    .flatMap(([name, all]) => (all.length === 0 ? [] : [`${name} ${all.join(' ')}`]))
    .join(', ');
};

test.each([
  ['between', 't1', 't1~', 'cleared 11, known 5'],
  ['between', 't1', 't1-', 'shortened 11, known 5'],
  ['between', 't1', 't1!', 'edited 11'],
  ['last', 't1', 't1~', 'cleared 11, known 5'],
  ['only', 't1', 't1~', 'cleared 11, known 5'],
  ['first', 't1', 't1~', 'cleared 11, known 5'],
  ['last', 't1 t2', 't2~ t1~', 'cleared 12 11, known 5 6'],
  ['last', 't1 t2', 't9~ t8~', 'cleared 11 12, known 5 6'],
  ['last', 't1 t2', 't9~ a8!', 'cleared 11, known 5'],
  ['last', 't1 a2', 't9~ a2!', 'cleared 11, known 5'],
  ['last', 'a1 t2', 'a9! t2~', 'cleared 12, known 6'],
  ['last', 'a1 t2', 't9~', ''],
  ['last', 't1', 'c1 t1~', ''],
  ['between', 't1 t2', 'c1 t1~', ''],
  ['last', 't1 t2', 'c2,3 t1~ t2~', 'cleared 11, known 6'],
  ['between', 'a1', 'a1-', 'shortened 11, known 5'],
  ['between', 'a1', 'a1!', 'edited 11'],
  ['between', 'a1', 'u1!', ''],
  ['between', 'u1', 'i1!', ''],
  ['between', 'i1', 'u1!', ''],
  ['between', 'i1 a2', 'a2!', 'edited 12'],
  ['between', 'u1 a2', 'u1- a2!', 'shortened 11, edited 12, known 5'],
  ['between', 'u1 a2', 'a2! u1-', 'shortened 11, known 6'],
  ['between', 'a1 a2 a3', 'a3-', 'shortened 13, known 5'],
  ['between', 'a1 a2 a3', 'a1- a3-', 'shortened 11 13, known 5 6'],
  ['between', 'a1 a2 a3', 'a3- a1-', 'shortened 13, known 5'],
  ['between', 'a1 a2 a3', 'a2- a9!', 'shortened 12, known 5'],
  ['between', 'a1 a2', 'a1- a2- a3-', 'shortened 11 12, known 5 6'],
  ['last', 'a1 a2 a3', 'a3-', ''],
  ['only', 'a1 a2 a3', 'a1-', ''],
  ['first', 'a1 a2 a3', 'a1-', 'shortened 11, known 5'],
  ['between', 'u1 a2 a3', 'a1-', ''],
  ['between', 'c1 a2 a3', 'c1-', 'shortened 11, known 5'],
  ['between', 'c1 a2 a3', 'c2-', ''],
  ['between', 'c1 a2 a3', 'a1-', ''],
  ['between', 'u1 t2 a3 a4', 't9~', ''],
  ['first', 'a1 t2 t3', 't8~ t9~', 'cleared 12 13, known 5 6'],
  ['first', 'a1 t2 t3', 'a8! t9~', 'cleared 13, known 6'],
  ['first', 't2 t3 a1', 't8~ t9~', ''],
  ['first', 't2 t3', 't7~ t8~ t9~', 'cleared 11 12, known 6 7'],
  ['first', 'a0 a1 t2', 'a1- t9~', 'cleared 13, shortened 12, known 5 6'],
  ['only', 'a1 t2', 't9~', ''],
  ['only', 't2 a1', 't9~', ''],
  ['last', 't2 t3 a1', 't8~ a9! t7~', 'cleared 11, known 5'],
  ['between', 't2 a3 t4 u5', 't8~ u9! t7~', 'cleared 11, known 5'],
  ['between', 'u1 a2', 'u1! a2!', 'edited 11 12'],
  ['last', 'u1 a2', 'u1! a2!', ''],
  ['last', 't1', 't1~ t1~', 'cleared 11, known 5'],
  ['between', 't1 t1', 't1~', 'cleared 11, known 5'],
  ['between', 't1 a2 t3', 'a2- t3~ t1~', 'cleared 13 11, shortened 12, known 5 6 7'],
  ['last', 'a1 t', 't~', ''],
  ['last', 'c1', 't1~', ''],
  ['last', 't', 't~', 'cleared 11, known 5'],
  ['between', 't1 i2 a3', 't1~ a3!', 'cleared 11, edited 13, known 5'],
  ['between', '', 'a1!', ''],
  ['between', 'a1', '', ''],
])('%s: %s beside %s', (...[where, log, list, expected]) => {
  expect(told(gap(log, list, where))).toBe(expected);
});

test('what gaps tell is one after another', () => {
  const last = { ...gap('a1 t2', 't2~', 'last'), list: [[9, message('t2~')]] as const };
  expect(rewrittenMessages([gap('u1 a2', 'u1! a2-', 'first'), last])).toEqual({
    cleared: [12],
    shortened: [12],
    edited: [11],
    known: new Set([6, 9]),
  });
});
