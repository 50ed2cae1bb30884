import { expect, test } from 'vitest';
import { withCallsAsText } from '../../../src/core/formats/calls-as-text.ts';
import type { WireMessage } from '../../../src/core/formats/wire.ts';
import type { Part } from '../../../src/core/messages/message.ts';

const call = (id: string) => ({
  id,
  originalId: id,
  name: `run-${id}`,
  arguments: {},
  json: `{"${id}":1}`,
});
const text = (said: string): Part => ({ type: 'text', text: said });
const user = (...parts: readonly Part[]): WireMessage => ({ role: 'user', parts });
const asks = (said: string, ...ids: readonly string[]): WireMessage => {
  return { role: 'assistant', text: said, calls: ids.map(call) };
};
const result = (id: string, isError: boolean, ...parts: readonly Part[]): WireMessage => {
  return { role: 'tool', call: call(id), parts, isError };
};
const image: Part = { type: 'file', mediaType: 'image/png', data: 'AAAA' };

const told = (messages: readonly WireMessage[], kept = '') =>
  withCallsAsText(messages, (one) => one.role === 'assistant' && one.text === kept && kept !== '');

test('calls behind the last user message are told with their results', () => {
  const before = [user(text('One')), asks('', 'a'), result('a', false, text('A'))];
  const plain = asks('Done');
  expect(
    told([
      ...before,
      user(text('Two')),
      asks('Well', 'b', 'c'),
      result('c', true, text('no'), image, text('way')),
      result('b', false),
      asks('', 'd'),
      plain,
    ]),
  ).toStrictEqual([
    ...before,
    user(text('Two')),
    user(text('[you said] Well\n[you called run-b {"b":1}]\n[you called run-c {"c":1}]')),
    user(text('[error of run-c]\nno\nway'), image),
    user(text('[result of run-b]\n')),
    user(text('[you called run-d {"d":1}]')),
    plain,
  ]);
});

test('without a user message all calls are the last turn’s; those that are kept stay with their results', () => {
  const kept = [asks('Kept', 'b'), result('b', false, text('B'))];
  expect(told([asks('', 'a'), ...kept], 'Kept')).toStrictEqual([
    user(text('[you called run-a {"a":1}]')),
    ...kept,
  ]);
});
