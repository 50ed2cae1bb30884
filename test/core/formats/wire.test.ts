import { expect, test } from 'vitest';
import type { OutMessage } from '../../../src/core/assembly/assembly.ts';
import {
  addressOf,
  base64Of,
  fromArguments,
  isImage,
  liftImages,
  mergeNeighbors,
  toWire,
  type WireMessage,
} from '../../../src/core/formats/wire.ts';
import type { Part, ToolCall } from '../../../src/core/messages/message.ts';

const asks = (...calls: readonly ToolCall[]): OutMessage =>
  ({ role: 'assistant', content: '', toolCalls: calls, entry: 'e4' }) as OutMessage;
const answers = (more: object): OutMessage =>
  ({ role: 'tool', content: 'ok', ...more }) as OutMessage;
const call = (id: string | undefined, name = 'ls'): ToolCall => ({
  ...(id === undefined ? {} : { id }),
  name,
  arguments: {},
});

/** The ids of the calls of messages, and of the results what they answer. */
const ids = (...messages: readonly OutMessage[]): readonly string[] =>
  toWire({ messages }).flatMap((message) =>
    message.role === 'assistant'
      ? message.calls.map(({ id }) => id)
      : message.role === 'tool'
        ? [`→ ${message.call.id}`]
        : message.role === 'user'
          ? message.parts.map((part) => (part.type === 'text' ? part.text : part.type))
          : [],
  );

test.each<readonly [string, readonly OutMessage[], readonly string[]]>([
  ['its own', [asks(call('a'), call('b'))], ['a', 'b']],
  ['one by its place for none', [asks(call(undefined), call(''))], ['e4.1', 'e4.2']],
  ['one by its place for one that is used', [asks(call('a'), call('a'))], ['a', 'e4.2']],
  ['dots where that is used, too', [asks(call('e4.2'), call(undefined))], ['e4.2', 'e4.2.']],
])('a call has %s', (_, messages, found) => {
  expect(ids(...messages)).toEqual(found);
});

test('a call of a message without an entry has an id of its own', () => {
  const made = { role: 'assistant', content: '', toolCalls: [call(undefined)] } as object;
  expect(ids(made as OutMessage)).toEqual(['made.1']);
});

test('a result goes with the call of its id, else of its name, else with the first', () => {
  const two = asks(call('a', 'ls'), call('b', 'cat'));
  expect(ids(two, answers({ toolCallId: 'b' }), answers({ toolCallId: 'a' }))).toEqual([
    'a',
    'b',
    '→ b',
    '→ a',
  ]);
  expect(ids(two, answers({ name: 'cat' }), answers({}))).toEqual(['a', 'b', '→ b', '→ a']);
  expect(ids(asks(call(undefined)), answers({ toolCallId: 'e4.1' }))).toEqual(['e4.1', '→ e4.1']);
});

test('a result of no open call is told as text', () => {
  expect(ids(asks(call('a')), answers({ toolCallId: 'x', name: 'ls' }))).toEqual([
    'a',
    '[late result of ls]',
    'ok',
  ]);
  expect(ids(asks(call('a')), answers({}), answers({}))).toEqual([
    'a',
    '→ a',
    '[late result]',
    'ok',
  ]);
  expect(ids(asks(call('a')), { role: 'user', content: 'u' } as OutMessage, answers({}))).toEqual([
    'a',
    'u',
    '[late result]',
    'ok',
  ]);
});

test('an error is told as one', () => {
  const isError = (more: object) => {
    const last = toWire({ messages: [asks(call('a')), answers(more)] }).at(-1)!;
    return last.role === 'tool' && last.isError;
  };
  expect([isError({}), isError({ isError: true })]).toEqual([false, true]);
});

test.each<readonly [ToolCall['arguments'], unknown, string]>([
  [{ a: 1 }, { a: 1 }, '{"a":1}'],
  ['{ "a": 1 }', { a: 1 }, '{ "a": 1 }'],
  ['a', { unparsed: 'a' }, '{"unparsed":"a"}'],
  ['[1]', { unparsed: '[1]' }, '{"unparsed":"[1]"}'],
  ['null', { unparsed: 'null' }, '{"unparsed":"null"}'],
])('arguments that came as %j are an object, and JSON', (given, object, json) => {
  const [wire] = toWire({ messages: [asks({ id: 'a', name: 'ls', arguments: given })] });
  expect(wire).toMatchObject({ calls: [{ given: 'a', arguments: object, json }] });
});

test.each([
  ['', {}],
  [' \n', {}],
  ['{"a":1}', { a: 1 }],
  ['a', 'a'],
  ['[1]', '[1]'],
  [{ a: 1 }, { a: 1 }],
  [undefined, {}],
  [null, {}],
  [7, '7'],
])('%j as arguments is %j', (given, read) => {
  expect(fromArguments(given)).toEqual(read);
});

const text = (said: string): Part => ({ type: 'text', text: said });
const image: Part = { type: 'file', data: 'QUJD', mediaType: 'image/png' };
const user = (...parts: readonly Part[]): WireMessage => ({ role: 'user', parts });
const calls = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    given: undefined,
    name: 'see',
    arguments: {},
    json: '{}',
  }));
const said = (content: string, count = 0): WireMessage => ({
  role: 'assistant',
  text: content,
  calls: calls(count),
});
const result = (...parts: readonly Part[]): WireMessage => ({
  role: 'tool',
  call: calls(1)[0]!,
  parts,
  isError: false,
});

test('neighbors of one role are one, but for results and what follows a call', () => {
  expect(mergeNeighbors([user(text('a')), user(text('b'))])).toEqual([user(text('a\n\nb'))]);
  expect(mergeNeighbors([user(text('a')), user(text('')), user(text('b'))])).toEqual([
    user(text('a\n\nb')),
  ]);
  expect(mergeNeighbors([user(image), user(text('b'))])).toEqual([user(image, text('b'))]);
  expect(mergeNeighbors([user(text('a')), user(image, text('b'))])).toEqual([
    user(text('a'), image, text('b')),
  ]);
  expect(mergeNeighbors([user(image, text('a')), user(text('b'), image)])).toEqual([
    user(image, text('a\n\nb'), image),
  ]);
  expect(mergeNeighbors([said('a'), said('b', 1)])).toEqual([said('a\n\nb', 1)]);
  expect(mergeNeighbors([said(''), said('b')])).toEqual([said('b')]);
  for (const apart of [
    [said('a', 1), said('b')],
    [user(text('a')), said('b')],
    [said('a'), user(text('b'))],
    [result(text('a')), result(text('b'))],
  ])
    expect(mergeNeighbors(apart)).toEqual(apart);
});

test('images of results come behind all results of their unit', () => {
  const [first, second] = [result(text('a'), image), result(image)];
  const label = text('[images of see]');
  expect(liftImages([said('', 2), first, second, user(text('u'))])).toEqual([
    said('', 2),
    first,
    second,
    user(label, image, label, image),
    user(text('u')),
  ]);
  expect(liftImages([said('', 2), first, user(text('u'))])).toEqual([
    said('', 2),
    first,
    user(label, image),
    user(text('u')),
  ]);
  const none = [said('', 1), result(text('a')), user(image)];
  expect(liftImages(none)).toEqual(none);
});

test('an image is known by its media type', () => {
  expect(
    [image, text('image/'), { ...image, mediaType: 'audio/image/' } as Part].map(isImage),
  ).toEqual([true, false, false]);
});

test.each([
  ['QUJD', 'QUJD', 'data:image/png;base64,QUJD'],
  ['data:image/gif;base64,QUJD', 'QUJD', 'data:image/gif;base64,QUJD'],
  ['data:image/gif', 'data:image/gif', 'data:image/gif'],
  ['https://a.b/c.png', null, 'https://a.b/c.png'],
])('the file %j has base64 %j and the address %j', (data, base64, address) => {
  const one = { type: 'file' as const, data, mediaType: 'image/png' };
  expect(base64Of(one)).toBe(base64);
  expect(addressOf(one)).toBe(address);
});
