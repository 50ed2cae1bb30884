import { expect, test } from 'vitest';
import {
  contentOf,
  dense,
  isSame,
  machineMessage,
  named,
  visible,
  wireOf,
  withRaw,
} from '../../../src/core/formats/provider-parts.ts';
import type { Message, Part } from '../../../src/core/messages/message.ts';

test.each<readonly [string, unknown, string]>([
  ['web_search_call', undefined, '[web search call]'],
  ['kind', '', '[kind]'],
  ['kind', 'held', '[kind held]'],
  ['a_kind', { b_c: 1 }, '[a kind {"b_c":1}]'],
  ['', ' held ', '[held]'],
  ['kind', 'x'.repeat(2_000), `[kind ${'x'.repeat(2_000)}]`],
  ['kind', 'x'.repeat(2_001), `[kind ${'x'.repeat(2_000)}…]`],
])('%s that holds %j is named %s', (kind, held, name) => {
  expect(named(kind, held)).toBe(name);
});

test.each([
  ['', '[no text]'],
  [' \n', '[no text]'],
  [' a ', ' a '],
])('%j is seen as %j', (text, seen) => expect(visible(text)).toBe(seen));

const said = (text: string): Part => ({ type: 'text', text });
const image: Part = { type: 'file', mediaType: 'image/png', data: 'AAAA' };

test('a content is a text where there is one text alone', () => {
  expect([[], [said('a')], [image], [said('a'), said('b')]].map(contentOf)).toEqual([
    '',
    'a',
    [image],
    [said('a'), said('b')],
  ]);
});

test.each<readonly [unknown, unknown]>([
  [
    { a: null, b: undefined, c: [], d: 0, e: '', f: false },
    { d: 0, e: '', f: false },
  ],
  [
    [{ a: null }, null, []],
    [{}, null, []],
  ],
  [
    { a: { b: [] }, c: [{ d: null, e: [1] }] },
    { a: {}, c: [{ e: [1] }] },
  ],
  ['a', 'a'],
  [null, null],
])('of %j what holds something is %j', (value, held) => {
  expect(dense(value)).toStrictEqual(held);
});

test('values are the same whatever the order of their fields, and what these do not hold', () => {
  expect(isSame({ a: 1, b: [2] }, { b: [2], c: null, a: 1 })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame({ a: 1 }, { a: 2 })).toBe(false);
});

test('what a provider spelled is kept where we would spell it otherwise', () => {
  const message: Message = { role: 'user', content: 'Go' };
  expect(withRaw(message, { name: 'p', raw: { a: 1 }, again: { a: 1, b: null } })).toBe(message);
  expect(withRaw(message, { name: 'p', raw: { a: 1 }, again: { a: 2 } })).toEqual({
    ...message,
    provider: { name: 'p', raw: { a: 1 } },
  });
});

test.each<readonly [Message, unknown]>([
  [
    { role: 'user', content: 'Go' },
    { role: 'user', parts: [said('Go')] },
  ],
  [
    { role: 'assistant', content: 'Yes', toolCalls: [{ name: 'ls', arguments: {} }] },
    {
      role: 'assistant',
      text: 'Yes',
      calls: [{ id: 'made_1', originalId: undefined, name: 'ls', arguments: {}, json: '{}' }],
    },
  ],
  [
    { role: 'tool', toolCallId: 'a.b', name: 'ls', content: 'ok', isError: true },
    {
      role: 'tool',
      call: { id: 'a_b', originalId: 'a.b', name: 'ls', own: 'a.b', arguments: {}, json: '{}' },
      parts: [said('ok')],
      isError: true,
    },
  ],
  [
    { role: 'tool', content: 'ok' },
    {
      role: 'tool',
      call: {
        id: 'made_1',
        originalId: undefined,
        name: '',
        own: 'made.1',
        arguments: {},
        json: '{}',
      },
      parts: [said('ok')],
      isError: false,
    },
  ],
])('%j is spelled alone', (message, wire) => {
  expect(wireOf(message, { longest: 9 })).toMatchObject(wire as object);
});

test('an id stays as it is without a rule', () => {
  expect(wireOf({ role: 'tool', toolCallId: 'a.b', content: '' })).toMatchObject({
    call: { id: 'a.b' },
  });
});

test('what nobody said is text of a machine', () => {
  expect(machineMessage('new_rule', [said('a'), image])).toEqual({
    role: 'user',
    content: '[new rule a\n[file image/png]]',
    origin: 'machine',
  });
  expect(machineMessage('rule', '')).toEqual({
    role: 'user',
    content: '[rule]',
    origin: 'machine',
  });
});
