import { expect, test } from 'vitest';
import {
  argumentsOf,
  authoredText,
  checkMessage,
  deepFreeze,
  filesOf,
  isHuman,
  machineText,
  personText,
  textOf,
  type Message,
  type Part,
  type UserMessage,
} from '../../../src/core/messages/message.ts';

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
  ['model', { role: 'assistant', content: '', model: 'm' }],
  ['model', { role: 'assistant', content: '', model: { name: 'm', provider: '' } }],
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

test('what lies too deep for JSON is refused as such', () => {
  let deep: object = {};
  for (let n = 0; n < 20_000; n += 1) deep = { a: deep };
  const check = (): unknown => checkMessage({ role: 'user', content: 'a', meta: { deep } });
  expect(check).toThrow(`${ofMeta}: more than 1000 values lie in one another`);
});

test('of what JSON has no word for, `meta` keeps what JSON makes of it', () => {
  const meta = { list: [undefined, Infinity], call: () => 1, map: new Map([[1, 2]]) };
  const message = checkMessage({ role: 'user', content: 'a', meta });
  expect(message.meta).toEqual({ list: [null, null], map: {} });
});

test('a checked message is what the log will give back', () => {
  const meta = { at: new Date(0), nothing: undefined, number: Number.NaN };
  const message = checkMessage({ role: 'user', content: 'lone \ud800', origin: undefined, meta });
  expect(message).toEqual(JSON.parse(JSON.stringify(message)));
  expect(message.meta).toEqual({ at: '1970-01-01T00:00:00.000Z', number: null });
});

const ofMeta = 'Field "meta" of a message cannot be kept as JSON';
const circle: { parts: unknown[] } = { parts: [] };
circle.parts.push(circle);

const contents =
  "a text ('' for none), or a list of { type: 'text', text } and { type: 'file', mediaType, data } (fromChat reads OpenAI's parts)";

test.each<readonly [unknown, string]>([
  [7, 'Field "message" of a message cannot be 7'],
  [undefined, 'Field "message" of a message cannot be undefined'],
  [
    { role: 'system' },
    'Field "role" of a message cannot be "system"; it takes user, assistant or tool (a system prompt is an option of the session)',
  ],
  [{ role: 'user', content: 7 }, `Field "content" of a message cannot be 7; it takes ${contents}`],
  [
    { role: 'user', content: [{ type: 'text', text: 'a' }, 'x'.repeat(99)] },
    `Field "content" of a message cannot be ${`[{"type":"text","text":"a"},"${'x'.repeat(99)}`.slice(0, 80)}; it takes ${contents}`,
  ],
  [
    { role: 'user', content: '', provider: 'openai' },
    'Field "provider" of a message cannot be "openai"; it takes { name, raw }',
  ],
  [
    { role: 'assistant', content: '', toolCalls: 'ls' },
    'Field "toolCalls" of a message cannot be "ls"; it takes a list of { id?, name, arguments }',
  ],
  [{ role: 'user', content: '', meta: 5n }, `${ofMeta}: meta is a bigint`],
  [
    { role: 'user', content: '', meta: { at: new Date(0), sizes: [1, { bytes: 5n }] } },
    `${ofMeta}: meta.sizes[1].bytes is a bigint`,
  ],
  [
    { role: 'user', content: '', meta: { me: circle } },
    `${ofMeta}: meta.me.parts[0] is a part of itself`,
  ],
  [
    {
      role: 'user',
      content: '',
      meta: {
        toJSON: () => {
          throw new Error('no luck');
        },
      },
    },
    `${ofMeta}: no luck`,
  ],
  [
    { role: 'assistant', content: '', toolCalls: [{ name: 'a', arguments: { n: 5n } }] },
    'Field "toolCalls" of a message cannot be kept as JSON: toolCalls[0].arguments.n is a bigint',
  ],
  [{ role: 'user', content: '', origin: 'robot' }, 'Field "origin" of a message cannot be "robot"'],
])('of %o is said: %s', (message, said) => {
  expect(() => checkMessage(message)).toThrow(expect.objectContaining({ message: said }));
});

test.each<readonly [object, string, readonly string[]]>([
  [
    { role: 'user', content: '', name: 'x' },
    'name',
    ['role', 'content', 'origin', 'meta', 'provider'],
  ],
  [
    { role: 'assistant', content: '', origin: 'person' },
    'origin',
    ['role', 'content', 'toolCalls', 'thinking', 'finish', 'model', 'meta', 'provider'],
  ],
  [
    { role: 'tool', content: '', thinking: '' },
    'thinking',
    ['role', 'content', 'toolCallId', 'name', 'isError', 'meta', 'provider'],
  ],
  [
    { role: 'assistant', content: '', toolCalls: [{ name: 'a', arguments: {}, type: 'x' }] },
    'type',
    ['id', 'name', 'arguments'],
  ],
])('of %j the field %s is not known', (message, field, known) => {
  expect(() => checkMessage(message)).toThrow(
    expect.objectContaining({
      message: `Field "${field}" of a message is not known; there are ${known.join(', ')}`,
      detail: { field, known },
    }),
  );
});

test.each([
  { role: 'assistant', content: null, tool_calls: [] },
  { role: 'tool', content: '', tool_call_id: 'c1' },
])('what reads a message of a server is named: %j', (message) => {
  expect(() => checkMessage(message)).toThrow(
    "(fromChat reads OpenAI's messages, fromOllama those of Ollama)",
  );
});

const meta = { any: [1] };
const provider = { name: 'p', raw: [1] };
const picture: Part = { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' };

test.each<Message>([
  { role: 'user', content: [], origin: 'person', meta, provider },
  { role: 'user', content: '', origin: 'machine' },
  { role: 'user', content: [{ type: 'text', text: '' }, picture] },
  { role: 'assistant', content: '', toolCalls: [], thinking: '', finish: 'stop', meta, provider },
  { role: 'assistant', content: '', model: { name: 'm', provider: 'openai' } },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'a', name: 'ls', arguments: {} },
      { name: '', arguments: 'x' },
    ],
  },
  { role: 'tool', content: 'a', toolCallId: 'a', name: 'ls', isError: true, meta, provider },
  { role: 'tool', content: 'a' },
])('%j comes in as it is', (message) => {
  expect(checkMessage(message)).toStrictEqual(message);
  expect(checkMessage({ ...message, other: undefined })).toStrictEqual(message);
});

test.each<readonly [unknown]>([
  [{ type: 'file', data: 'A' }],
  [{ type: 'file', mediaType: 'a/b' }],
  [{ type: 'image', data: 'A', mediaType: 'a/b' }],
  [{ type: 'text', text: 4, data: 'A', mediaType: 'a/b' }],
  [undefined],
])('%j is no part', (part) => {
  expect(() => checkMessage({ role: 'user', content: [part] })).toThrow('Field "content"');
});

test('a text is of the text parts, files are the others', () => {
  const parts: readonly Part[] = [
    { type: 'text', text: 'a' },
    picture,
    { type: 'text', text: 'b' },
  ];
  expect([textOf('a'), textOf([]), textOf(parts)]).toEqual(['a', '', 'a\nb']);
  expect([filesOf('a'), filesOf([]), filesOf(parts)]).toEqual([[], [], [picture]]);
});

test('arguments are the text that came, or JSON', () => {
  expect(argumentsOf({ name: 'a', arguments: '{ x' })).toBe('{ x');
  expect(argumentsOf({ name: 'a', arguments: { x: 1 } })).toBe('{"x":1}');
});

test('all of a value is frozen, and what is frozen stays as it is', () => {
  const value = deepFreeze({ a: [{ b: 1 }], c: null });
  expect([value, value.a, value.a[0]!].every(Object.isFrozen)).toBe(true);
  const inner = { b: 1 };
  deepFreeze(Object.freeze({ inner }));
  expect(Object.isFrozen(inner)).toBe(false);
  expect([deepFreeze('a'), deepFreeze(null), deepFreeze(undefined)]).toEqual([
    'a',
    null,
    undefined,
  ]);
});

test.each<readonly [string | readonly string[], string, string]>([
  ['Go on', 'Go on', ''],
  [' Go on ', ' Go on ', ''],
  ['Go <bash-stdout> a ', 'Go', '<bash-stdout> a'],
  ['[Request interrupted by user]', '', '[Request interrupted by user]'],
  [
    'One [Request interrupted by user] two [Request interrupted by user for x] three',
    'One\ntwo\nthree',
    '[Request interrupted by user]\n[Request interrupted by user for x]',
  ],
  [['One', '<bash-stdout>', '', 'two <bash-stderr>'], 'One\ntwo', '<bash-stdout>\n<bash-stderr>'],
  ['', '', ''],
])('of %j a person typed %j, and a runtime put in %j', (texts, person, machine) => {
  const content =
    typeof texts === 'string' ? texts : texts.map((text): Part => ({ type: 'text', text }));
  const message: UserMessage = { role: 'user', content };
  expect([personText(message), machineText(message)]).toEqual([person, machine]);
  expect(authoredText(message)).toBe(person);
});

test('what the model and a tool say is theirs, and no person’s', () => {
  for (const role of ['assistant', 'tool'] as const) {
    const message: Message = { role, content: 'Go <bash-stdout>' };
    expect([personText(message), authoredText(message)]).toEqual(['', 'Go <bash-stdout>']);
    expect([isHuman(message), isHuman({ role, content: '' })]).toEqual([false, false]);
  }
});
