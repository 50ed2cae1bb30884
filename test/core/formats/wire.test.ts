import { expect, test } from 'vitest';
import type { OutMessage } from '../../../src/core/assembly/assembly.ts';
import {
  addressOf,
  base64Of,
  fromArguments,
  isImage,
  liftImages,
  mergeNeighbors,
  rawOf,
  toWire,
  typeIn,
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
  expect(wire).toMatchObject({ calls: [{ originalId: 'a', arguments: object, json }] });
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
    originalId: undefined,
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

test.each<readonly [readonly ToolCall[], readonly string[]]>([
  [[call('a.b c')], ['a_b_c']],
  [[call('abc-_09')], ['abc-_09']],
  [[call('0123456789')], ['01234567']],
  [
    [call('a.b'), call('a_b')],
    ['a_b', 'e4_2'],
  ],
  [
    [call('e4_2'), call('')],
    ['e4_2', '1_e4_2'],
  ],
  [
    [call('e4_3'), call('1_e4_3'), call(undefined)],
    ['e4_3', '1_e4_3', '2_e4_3'],
  ],
])('under a rule %j have the ids %j', (given, made) => {
  const [wire] = toWire({ messages: [asks(...given)] }, { longest: 8 });
  expect(wire?.role === 'assistant' && wire.calls.map(({ id }) => id)).toEqual(made);
});

test('ids are no call’s of another answer, and a result goes to its own answer alone', () => {
  expect(ids(asks(call('a')), asks(call('a')), answers({ toolCallId: 'a' }))).toEqual([
    'a',
    'e4.1',
    '→ e4.1',
  ]);
});

test('each message goes out with its parts, and with what its provider spelled', () => {
  const provider = { name: 'p', raw: [1] };
  const image = { type: 'file', data: 'QUJD', mediaType: 'image/png' } as const;
  const said = [
    { role: 'system', content: 'Rule' },
    { role: 'user', content: [{ type: 'text', text: 'See' }, image], provider },
    { ...asks(call('a')), content: [{ type: 'text', text: 'Yes' }, image], provider },
    answers({ toolCallId: 'a', provider }),
    { role: 'assistant', content: 'Done' },
  ] as readonly OutMessage[];
  const wired = { id: 'a', originalId: 'a', own: 'a', name: 'ls', arguments: {}, json: '{}' };
  expect(toWire({ messages: said })).toStrictEqual([
    { role: 'system', text: 'Rule' },
    { role: 'user', parts: [{ type: 'text', text: 'See' }, image], provider },
    { role: 'assistant', text: 'Yes\n[file image/png]', calls: [wired], provider },
    { role: 'tool', call: wired, parts: [{ type: 'text', text: 'ok' }], isError: false, provider },
    { role: 'assistant', text: 'Done', calls: [] },
  ]);
});

test('what a provider spelled goes back to it, where its calls have the ids that it gave', () => {
  const provider = { name: 'p', raw: [1] };
  const [own, other] = [
    { ...calls(1)[0]!, originalId: 'c0' },
    { ...calls(1)[0]!, originalId: 'c.0' },
  ];
  const asked = (...all: readonly (typeof own)[]): WireMessage => {
    return { role: 'assistant', text: '', calls: all, provider };
  };
  const answered = (one: typeof own): WireMessage => {
    return { role: 'tool', call: one, parts: [], isError: false, provider };
  };
  const user: WireMessage = { role: 'user', parts: [], provider };
  const raw = (one: WireMessage) => rawOf(one, 'p');
  expect([user, asked(), asked(own), answered(own)].map(raw)).toEqual([[1], [1], [1], [1]]);
  expect(
    [asked(own, other), answered(other), { role: 'system', text: '' } as const].map(raw),
  ).toEqual([undefined, undefined, undefined]);
  expect([rawOf(user, 'q'), rawOf({ role: 'user', parts: [] }, 'p')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('nothing is joined to what a provider spelled', () => {
  const own = { ...user(text('a')), provider: { name: 'p', raw: 1 } } as WireMessage;
  const [one, two] = [user(text('b')), user(text('c'))];
  expect(mergeNeighbors([own, one, two, own])).toEqual([own, user(text('b\n\nc')), own]);
  const system: WireMessage = { role: 'system', text: 's' };
  expect(mergeNeighbors([system, system, one])).toEqual([system, system, one]);
});

test('images behind results that nobody asked for wait for the next message', () => {
  const stray = result(image);
  expect(liftImages([stray, said('b')])).toEqual([
    stray,
    user(text('[images of see]'), image),
    said('b'),
  ]);
  expect(liftImages([said('', 1), stray])).toEqual([
    said('', 1),
    stray,
    user(text('[images of see]'), image),
  ]);
});

test.each([
  ['data:image/png;base64,AA', 'image/png'],
  ['data:text/csv,a', 'text/csv'],
  ['data:;base64,AA', 'a/b'],
  ['an data:image/png,', 'a/b'],
  ['AAAA', 'a/b'],
])('%s says the type %s', (address, type) => expect(typeIn(address, 'a/b')).toBe(type));
