import { expect, test } from 'vitest';
import { exchangesIn } from '../../../src/core/outcomes/exchanges.ts';
import type { Message } from '../../../src/core/messages/message.ts';

const asks = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'bash', arguments: { command: id } })),
});
const result = (toolCallId: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  content,
});

test('each call stands with the first result after it, also where ids are used again', () => {
  const messages = [
    asks('a', 'b'),
    result('b', '1'),
    result('a', '2'),
    asks('a'),
    result('a', '3'),
  ];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  expect(
    exchangesIn(entries).map(({ n, call, result: said, to }) => [n, call.id, said?.content, to]),
  ).toEqual([
    [1, 'a', '2', 3],
    [1, 'b', '1', 2],
    [4, 'a', '3', 5],
  ]);
});

test('a call without a result, and a result without a call', () => {
  const entries = [
    { n: 4, message: result('x', '1') },
    { n: 5, message: asks('a') },
  ];
  expect(exchangesIn(entries)).toMatchObject([{ n: 5, result: undefined, to: 5 }]);
});

test('a result without an id answers the first open call of its name, of the newest calls', () => {
  const call = (name: string): Message => ({
    role: 'assistant',
    content: '',
    toolCalls: [name, name].map((one) => ({ name: one, arguments: {} })),
  });
  const said = (name: string, content: string): Message => ({ role: 'tool', name, content });
  const messages = [
    call('bash'),
    call('read'),
    said('read', '1'),
    said('read', '2'),
    said('bash', '3'),
  ];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  expect(exchangesIn(entries).map(({ result: one }) => one?.content)).toEqual([
    undefined,
    undefined,
    '1',
    '2',
  ]);
});
