import { expect, test } from 'vitest';
import {
  contentKeyOf,
  isCleared,
  isInserted,
  isSameMessage,
  isShortened,
  toComparable,
  type ComparableMessage,
} from '../../../src/core/host-history/comparable-message.ts';
import type { Message } from '../../../src/core/messages/message.ts';

const of = (message: Message, hash = contentKeyOf(message)): ComparableMessage =>
  toComparable(message, hash);
const person = (content: string) => of({ role: 'user', content });
const inserted = (content: string) => of({ role: 'user', content, origin: 'machine' });
const answer = (content: string) => of({ role: 'assistant', content });
const result = (content: string, toolCallId = 'c1') => of({ role: 'tool', toolCallId, content });
const calling = (id: string, args: string | Record<string, unknown> = {}): Message => ({
  role: 'assistant',
  content: 'I read it.',
  toolCalls: [{ id, name: 'read', arguments: args }],
});

test('a message is compared by its hash, its role, its calls, its length and how it begins', () => {
  expect(of({ role: 'user', content: ' Go on. ' }, 'h')).toEqual({
    hash: 'h',
    key: 'h human',
    role: 'user',
    human: true,
    call: '',
    head: 'Go on.',
    size: 6,
  });
  expect(of(calling('c7'), 'h')).toMatchObject({
    key: 'h',
    human: false,
    call: 'c7',
    head: 'I read it.\nread {}',
    size: 18,
  });
  expect(of({ role: 'tool', content: 'ok' }).call).toBe('');
  expect(person('x'.repeat(300))).toMatchObject({ head: 'x'.repeat(256), size: 300 });
});

test('calls of an answer are named by their ids, those without one left out', () => {
  const toolCalls = [{ id: 'a' }, {}, { id: 'b' }].map((one) => {
    return { name: 'read', arguments: {}, ...one };
  });
  expect(of({ role: 'assistant', content: '', toolCalls }).call).toBe('a b');
});

test.each<readonly [string, Message, Message, boolean]>([
  ['space at the ends', { role: 'user', content: ' a ' }, { role: 'user', content: 'a' }, true],
  ['another role', { role: 'user', content: 'a' }, { role: 'assistant', content: 'a' }, false],
  ['arguments as JSON text', calling('c1', '{"b":1,"a":2}'), calling('c1', { a: 2, b: 1 }), true],
  ['other arguments', calling('c1', { a: 2 }), calling('c1', { a: 3 }), false],
  ['arguments that are no JSON', calling('c1', 'a.ts'), calling('c1', 'b.ts'), false],
  ['another id of the call', calling('c1'), calling('c2'), true],
  ['no text beside calls', { ...calling('c1'), content: '' }, calling('c1'), false],
])('%s: one content or not', (...[, one, other, isOne]) => {
  expect(contentKeyOf(one) === contentKeyOf(other)).toBe(isOne);
});

test.each([
  ['a long answer', answer('x'.repeat(64)), answer('x'.repeat(64)), true],
  ['a short answer', answer('x'.repeat(63)), answer('x'.repeat(63)), false],
  ['what a person says', person('x'.repeat(99)), person('x'.repeat(99)), false],
  ['what a host inserts', inserted('ok'), inserted('ok'), true],
  ['results of one call', result('ok'), result('ok'), true],
  ['results of two calls', result('ok'), result('ok', 'c2'), false],
  ['a result of a call and one of none', result('ok', ''), result('ok'), false],
  [
    'results of no call, however long',
    result('x'.repeat(99), ''),
    result('x'.repeat(99), ''),
    false,
  ],
  ['other words', inserted('ok'), inserted('no'), false],
])('%s, met again, is the same message or may be another', (...[, one, other, isSame]) => {
  expect(isSameMessage(one, other)).toBe(isSame);
});

test('machine text in the place of a person is inserted', () => {
  expect([person('a'), inserted('a'), answer('a'), result('a')].map(isInserted)).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

const whole = 'Read the file and the rest of all that is in it';

test.each([
  ['Read the file and', true],
  ['Read', true],
  ['R', true],
  ['', false],
  [whole, false],
  [`${whole}, too`, false],
  // At least eight characters, and a third, before a marker.
  ['Read the [cut]', true],
  ['Read the[cut]', true],
  ['Read th[cut]', false],
  ['Read the [so much was cut]', true],
  ['Read the [so very much was cut]', false],
  ['Read the lot', false],
])('%j is a shorter form of a text or not', (text, is) => {
  expect(isShortened(answer(text), answer(whole))).toBe(is);
});

test.each([
  ['[gone]', true],
  [' <gone>', true],
  ['(gone)', true],
  ['…', true],
  ['...', true],
  ['..', false],
  ['--', true],
  ['-', false],
  ['== gone', true],
  ['= gone', false],
  ['** gone', true],
  ['* gone', false],
  [' \ngone', true],
  ['\t\r\ngone', true],
  ['gone', false],
  ['\n"]}', true],
  ['x"]}', false],
])('behind the beginning of a text %j is a marker or other words', (rest, is) => {
  expect(isShortened(answer(`Read the file${rest}`), answer(whole.repeat(2)))).toBe(is);
});

test('cut JSON that is closed again is shorter JSON', () => {
  const json = '{"files":["src/a.ts","src/b.ts"]}';
  expect(isShortened(result('{"files":["src/a.ts"]}'), result(json))).toBe(true);
  expect(isShortened(result('{"files":["src/a.ts"]},'), result(json))).toBe(false);
});

test.each([
  ['shorter, whatever it says', 'gone', 'a result of some length', true],
  ['at most 256 characters, whatever they say', 'x'.repeat(256), 'y'.repeat(300), true],
  ['more characters', 'x'.repeat(257), 'y'.repeat(300), false],
  ['more that begin as a marker', `[${'x'.repeat(257)}`, 'y'.repeat(300), true],
  ['longer', 'gone, all of it', 'ok', false],
  ['longer in brackets', '[gone, all of it]', 'ok', false],
  ['as long', '[ok]', 'okay', false],
  ['longer and says so, but not as a marker', 'cleared, all of it', 'ok', false],
  ['longer and says so at length', `[cleared ${'x'.repeat(250)}]`, 'ok', false],
])('a result of a call that is %s', (...[, text, before, is]) => {
  expect(isCleared(result(text), result(before))).toBe(is);
});

test.each(['cleared', 'Omitted', 'truncated', 'removed', 'elided', 'pruned', 'compacted'])(
  'a marker that is longer than its result may say that it was %s',
  (word) => {
    expect(isCleared(result(`[${word}]`), result('ok'))).toBe(true);
  },
);

test('results only are cleared', () => {
  expect(isCleared(answer('[cleared]'), result('a long result'))).toBe(false);
  expect(isCleared(result('[cleared]'), answer('a long answer'))).toBe(false);
});
