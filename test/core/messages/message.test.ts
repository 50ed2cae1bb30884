import { expect, test } from 'vitest';
import { checkMessage } from '../../../src/core/messages/message.ts';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

const call = (of: object) => ({ role: 'assistant', content: '', toolCalls: [of] });

const refused: readonly (readonly [field: string, message: unknown])[] = [
  ['message', null],
  ['message', 'Hello'],
  ['role', {}],
  ['role', { role: 'system', content: 'Obey' }],
  ['content', { role: 'user' }],
  ['content', { role: 'user', content: 5n }],
  ['content', { role: 'user', content: [{ type: 'text' }] }],
  ['content', { role: 'user', content: [{ type: 'image', data: '' }] }],
  ['content', { role: 'user', content: [null] }],
  ['origin', { role: 'user', content: '', origin: 'robot' }],
  ['toolCalls', { role: 'assistant', content: '', toolCalls: {} }],
  ['toolCalls', { role: 'assistant', content: '', toolCalls: [null] }],
  ['toolCalls', { role: 'assistant', content: '', toolCalls: ['read'] }],
  ['toolCalls', call({ arguments: {} })],
  ['toolCalls', call({ name: 'read' })],
  ['toolCalls', call({ name: 'read', arguments: null })],
  ['toolCalls', call({ name: 'read', arguments: {}, id: 7 })],
  ['toolCalls', call({ name: 'read', arguments: { size: 5n } })],
  ['toolCalls', call({ name: 'read', arguments: circular })],
  ['thinking', { role: 'assistant', content: '', thinking: 1 }],
  ['toolCallId', { role: 'tool', content: '', toolCallId: 1 }],
  ['name', { role: 'tool', content: '', name: 1 }],
  ['meta', { role: 'user', content: '', meta: circular }],
  ['meta', { role: 'user', content: '', meta: { size: 5n } }],
];

test.each(refused)('a message is refused for its field %s', (field, message) => {
  expect(() => checkMessage(message)).toThrow(
    expect.objectContaining({ code: 'MESSAGE_INVALID', detail: { field } }),
  );
});

test('a checked message is a copy: what its author changes later does not reach it', () => {
  const given = {
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi' }],
    meta: { tags: ['a'] },
  };
  const message = checkMessage(given);
  expect(message).toEqual(given);
  given.content[0]!.text = 'Bye';
  given.meta.tags.push('b');
  expect(message).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi' }],
    meta: { tags: ['a'] },
  });
});

test('a checked message is what the log will give back', () => {
  const meta = { at: new Date(0), nothing: undefined, number: Number.NaN };
  const message = checkMessage({ role: 'user', content: 'lone \ud800', origin: undefined, meta });
  expect(message).toEqual(JSON.parse(JSON.stringify(message)));
  expect(message.meta).toEqual({ at: '1970-01-01T00:00:00.000Z', number: null });
});
