import { expect, test } from 'vitest';
import { fromAnthropic, usageOf } from '../../../../src/anthropic.ts';

const text = { type: 'text', text: 'Hi' };
const use = { type: 'tool_use', id: 'a', name: 'ls', input: { x: 1 } };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const provider = (...raw: readonly object[]) => ({ provider: { name: 'anthropic', raw } });
const said = (words: string) => ({ type: 'text', text: words });

test.each<readonly [string, readonly object[], object]>([
  ['an empty text', [said('')], { content: '', ...provider(said('')) }],
  ['two texts', [text, text], { content: [text, text], ...provider(text, text) }],
  ['a call', [use], { content: '', toolCalls: [{ id: 'a', name: 'ls', arguments: { x: 1 } }] }],
  [
    'a call without anything',
    [{ type: 'tool_use' }],
    { content: '', toolCalls: [{ name: '', arguments: {} }], ...provider({ type: 'tool_use' }) },
  ],
  [
    'thoughts',
    [
      { type: 'thinking', thinking: 'One' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'thinking', thinking: 'two' },
    ],
    {
      content: '',
      thinking: 'One\ntwo',
      ...provider(
        { type: 'thinking', thinking: 'One' },
        { type: 'redacted_thinking', data: 'x' },
        { type: 'thinking', thinking: 'two' },
      ),
    },
  ],
  [
    'an empty thought',
    [{ type: 'thinking', thinking: '' }],
    { content: '', ...provider({ type: 'thinking', thinking: '' }) },
  ],
  ['a bare block', [{}], { content: '[block]', ...provider({}) }],
  [
    'a kind without fields',
    [{ type: 'new_kind', id: 'x' }],
    { content: '[new kind]', ...provider({ type: 'new_kind', id: 'x' }) },
  ],
  [
    'a text that is none',
    [{ type: 'text', text: 4 }],
    { content: '[text {"text":4}]', ...provider({ type: 'text', text: 4 }) },
  ],
  [
    'what has a text',
    [{ type: 'note', text: 'x' }],
    { content: '[note {"text":"x"}]', ...provider({ type: 'note', text: 'x' }) },
  ],
  ['a breakpoint', [{ ...text, cache_control: { type: 'ephemeral' } }], { content: 'Hi' }],
  ['no citations', [{ ...text, citations: [] }], { content: 'Hi' }],
  [
    'a citation',
    [{ ...text, citations: [1] }],
    { content: 'Hi', ...provider({ ...text, citations: [1] }) },
  ],
  [
    'other kinds, with citations and without',
    [
      { type: 'x', citations: null },
      { type: 'x', citations: [] },
      { type: 'x', citations: {} },
    ],
    {
      content: [
        said('[x {"citations":null}]'),
        said('[x {"citations":[]}]'),
        said('[x {"citations":{}}]'),
      ],
      provider: {
        name: 'anthropic',
        raw: [{ type: 'x' }, { type: 'x' }, { type: 'x', citations: {} }],
      },
    },
  ],
])('an answer of %s', (_, content, message) => {
  expect(fromAnthropic({ role: 'assistant', content })).toStrictEqual({
    role: 'assistant',
    ...message,
  });
  expect(fromAnthropic([{ role: 'assistant', content }])).toStrictEqual([
    { role: 'assistant', ...message },
  ]);
});

test.each([
  ['end_turn', { finish: 'end_turn' }],
  [null, {}],
  [undefined, {}],
])('where the model stopped for %s', (stop_reason, more) => {
  const given = {
    role: 'assistant',
    content: '',
    ...(stop_reason !== undefined && { stop_reason }),
  };
  expect(fromAnthropic(given as never)).toStrictEqual({ role: 'assistant', content: '', ...more });
});

const png = { type: 'file', mediaType: 'image/png', data: 'AAAA' };

test.each<readonly [string, object, object | string]>([
  ['an image', image, png],
  [
    'an image of no type',
    { type: 'image', source: { type: 'base64', data: 'AAAA' } },
    { ...png, mediaType: 'image/*' },
  ],
  [
    'a document',
    { type: 'document', title: 'T', source: { type: 'base64', data: 'AAAA' } },
    { type: 'file', mediaType: 'application/pdf', data: 'AAAA', name: 'T' },
  ],
  [
    'a document at an address',
    { type: 'document', title: null, source: { type: 'url', url: 'https://a/b' } },
    { type: 'file', mediaType: 'application/pdf', data: 'https://a/b' },
  ],
  [
    'an address without one',
    { type: 'image', source: { type: 'url', data: 'AAAA' } },
    '[image {"source":{"type":"url","data":"AAAA"}}]',
  ],
  [
    'base64 without any',
    { type: 'image', source: { type: 'base64', url: 'u' } },
    '[image {"source":{"type":"base64","url":"u"}}]',
  ],
  [
    'a file of another place',
    { type: 'image', source: { type: 'file', data: 'a', url: 'u' } },
    '[image {"source":{"type":"file","data":"a","url":"u"}}]',
  ],
  ['no source', { type: 'document', source: 'x' }, '[document {"source":"x"}]'],
  [
    'another kind',
    { type: 'sound', source: { type: 'url', url: 'u' } },
    '[sound {"source":{"type":"url","url":"u"}}]',
  ],
])('%s is read', (_, block, part) => {
  const [message] = fromAnthropic([{ role: 'user', content: [block] }]);
  expect(message!.content).toEqual(typeof part === 'string' ? part : [part]);
});

const result = (more: object) => ({ type: 'tool_result', tool_use_id: 'a', ...more });

test.each<readonly [string, object, object]>([
  ['nothing', {}, { content: '' }],
  ['an empty text', { content: '' }, { content: '' }],
  ['a text', { content: 'ok' }, { content: 'ok' }],
  ['no parts', { content: [] }, { content: '' }],
  ['an image', { content: [image] }, { content: [png] }],
  [
    'no error',
    { content: 'ok', is_error: false },
    { content: 'ok', ...provider(result({ content: [said('ok')], is_error: false })) },
  ],
  ['an error', { content: 'ok', is_error: true }, { content: 'ok', isError: true }],
  ['an error of nothing', { is_error: true }, { content: '', isError: true }],
  ['null as an error', { content: 'ok', is_error: null }, { content: 'ok' }],
  [
    'another kind',
    { content: [{ type: 'search', n: 1 }] },
    { content: '[search {"n":1}]', ...provider(result({ content: [{ type: 'search', n: 1 }] })) },
  ],
])('a result of %s', (_, given, told) => {
  expect(fromAnthropic([{ role: 'user', content: [result(given)] }])).toStrictEqual([
    { role: 'tool', toolCallId: 'a', ...told },
  ]);
});

test('a result without an id, between what a person said: results come first', () => {
  expect(
    fromAnthropic([{ role: 'user', content: [text, { type: 'tool_result' }, image] }]),
  ).toStrictEqual([
    { role: 'tool', content: '' },
    { role: 'user', content: [text, png] },
  ]);
});

test.each<readonly [string, string | readonly object[], readonly object[]]>([
  ['user', '', []],
  ['user', 'Go', [{ role: 'user', content: 'Go' }]],
  ['user', [{ type: 'x' }], [{ role: 'user', content: '[x]', ...provider({ type: 'x' }) }]],
  ['system', [text, text], [{ role: 'user', content: '[system Hi\nHi]', origin: 'machine' }]],
  ['assistant', '', [{ role: 'assistant', content: '' }]],
])('what %s says in %j', (role, content, messages) => {
  expect(fromAnthropic([{ role: role as 'user', content }])).toStrictEqual(messages);
});

test.each<readonly [object, object]>([
  [{ input_tokens: 4 }, { inputTokens: 4 }],
  [{ output_tokens: 4 }, { outputTokens: 4 }],
  [{ cache_read_input_tokens: 4 }, { cachedInputTokens: 4 }],
  [
    { input_tokens: 1, cache_read_input_tokens: 4 },
    { inputTokens: 5, cachedInputTokens: 4 },
  ],
  [
    { input_tokens: 1, cache_creation_input_tokens: 7 },
    { inputTokens: 8, cacheWriteTokens: 7 },
  ],
  [
    { input_tokens: 1, cache_creation_input_tokens: null, cache_read_input_tokens: null },
    { inputTokens: 1 },
  ],
  [{ usage: undefined }, {}],
])('of %j is counted %j', (usage, counted) => expect(usageOf(usage)).toStrictEqual(counted));
