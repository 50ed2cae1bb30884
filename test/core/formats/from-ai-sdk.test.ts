import { expect, test } from 'vitest';
import { fromAiSdk, usageOf } from '../../../src/ai-sdk.ts';

/** The messages of one that has some parts. */
const of = (role: string, content: string | readonly object[]) => fromAiSdk([{ role, content }]);

const provider = (...raw: readonly object[]) => ({ provider: { name: 'ai-sdk', raw } });
const text = { type: 'text', text: 'Hi' };
const file = { type: 'file', data: 'AAAA', mediaType: 'image/png', filename: 'a.png' };
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: { x: 1 } };
const signed = { providerOptions: { p: {} } };
const ran = { ...call, toolCallId: 's', providerExecuted: true };
const found = { type: 'tool-result', toolCallId: 's', toolName: 'ls' };

test.each<readonly [string, readonly object[], readonly object[]]>([
  ['nothing', [], [{ role: 'assistant', content: '' }]],
  ['texts', [text, text], [{ role: 'assistant', content: 'HiHi' }]],
  ['a text without one', [{ type: 'text' }], [{ role: 'assistant', content: '' }]],
  [
    'thinking in parts',
    [
      { type: 'reasoning', text: 'One ' },
      { type: 'reasoning' },
      { type: 'reasoning', text: 'two' },
    ],
    [{ role: 'assistant', content: '', thinking: 'One two' }],
  ],
  ['a thought of nothing', [{ type: 'reasoning', text: '' }], [{ role: 'assistant', content: '' }]],
  [
    'a call',
    [text, call],
    [
      {
        role: 'assistant',
        content: 'Hi',
        toolCalls: [{ id: 'a', name: 'ls', arguments: { x: 1 } }],
      },
    ],
  ],
  [
    'a call without anything',
    [{ type: 'tool-call' }],
    [{ role: 'assistant', content: '', toolCalls: [{ name: '', arguments: {} }] }],
  ],
  [
    'a call that a provider signed',
    [{ ...call, providerMetadata: {} }],
    [
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'a', name: 'ls', arguments: { x: 1 } }],
        ...provider({ ...call, providerMetadata: {} }),
      },
    ],
  ],
  [
    'a file alone',
    [file],
    [
      {
        role: 'assistant',
        content: [{ type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' }],
        ...provider(file),
      },
    ],
  ],
  [
    'a part without a type',
    [text, { held: 1 }],
    [
      {
        role: 'assistant',
        content: [text, { type: 'text', text: '[part {"held":1}]' }],
        ...provider(text, { held: 1 }),
      },
    ],
  ],
  [
    'a call that the server ran',
    [ran],
    [
      {
        role: 'assistant',
        content:
          '[tool call {"toolCallId":"s","toolName":"ls","input":{"x":1},"providerExecuted":true}]',
        ...provider(ran),
      },
    ],
  ],
  [
    'the result of such a call beside one of ours',
    [ran, call, found, { ...found, toolCallId: 'a', output: { type: 'text', value: 'ok' } }],
    [
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: '[tool call {"toolCallId":"s","toolName":"ls","input":{"x":1},"providerExecuted":true}]',
          },
          { type: 'text', text: '[tool result {"toolCallId":"s","toolName":"ls"}]' },
        ],
        toolCalls: [{ id: 'a', name: 'ls', arguments: { x: 1 } }],
        ...provider(ran, call, found),
      },
      { role: 'tool', toolCallId: 'a', name: 'ls', content: 'ok' },
    ],
  ],
])('of an answer with %s', (_, content, messages) => {
  expect(of('assistant', content)).toEqual(messages);
});

test.each<readonly [string, object, object]>([
  ['text', { output: { type: 'text', value: 'ok' } }, { content: 'ok' }],
  ['JSON', { output: { type: 'json', value: [1] } }, { content: '[1]' }],
  ['text of JSON', { output: { type: 'json', value: 'ok' } }, { content: 'ok' }],
  ['nothing', {}, { content: '' }],
  ['an output without a value', { output: { type: 'json' } }, { content: '' }],
  ['an error', { output: { type: 'error-text', value: 'no' } }, { content: 'no', isError: true }],
  [
    'an error in JSON',
    { output: { type: 'error-json', value: { a: 1 } } },
    { content: '{"a":1}', isError: true },
  ],
  ['no error', { output: { type: 'an-error', value: 'no' } }, { content: 'no' }],
  [
    'a refusal',
    { output: { type: 'execution-denied', reason: 'not now' } },
    { content: '[denied] not now', isError: true },
  ],
  [
    'a refusal without a reason',
    { output: { type: 'execution-denied' } },
    { content: '[denied]', isError: true },
  ],
  ['a content that is no list', { output: { type: 'content', value: 'ok' } }, { content: 'ok' }],
  [
    'a list that is no content',
    { output: { type: 'json', value: [text] } },
    { content: JSON.stringify([text]) },
  ],
  [
    'parts',
    {
      output: {
        type: 'content',
        value: [text, file, { type: 'x', data: 'A' }, { type: 'x', data: 1, mediaType: 'a/b' }],
      },
    },
    {
      content: [
        text,
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        { type: 'text', text: '{"type":"x","data":"A"}' },
        { type: 'text', text: '{"type":"x","data":1,"mediaType":"a/b"}' },
      ],
    },
  ],
])('of a result with %s', (_, given, told) => {
  const part = { type: 'tool-result', toolCallId: 'a', toolName: 'ls', ...given };
  const head = { role: 'tool', toolCallId: 'a', name: 'ls' };
  expect(of('tool', [part])).toEqual([{ ...head, ...told }]);
  const own = { ...part, ...signed };
  expect(of('tool', [own])).toEqual([{ ...head, ...told, provider: { name: 'ai-sdk', raw: own } }]);
});

test('a result without a name or an id, and a part that is none', () => {
  expect(of('tool', [{ type: 'tool-result' }, { type: 'tool-approval' }, { held: 1 }])).toEqual([
    { role: 'tool', content: '' },
    { role: 'user', content: '[tool-approval {"type":"tool-approval"}]', origin: 'machine' },
    { role: 'user', content: '[part {"held":1}]', origin: 'machine' },
  ]);
});

const bytes = [1, 2, 3, 4];

test.each<readonly [string, object, string, string]>([
  ['base64', { type: 'file', data: 'AAAA', mediaType: 'a/b' }, 'AAAA', 'a/b'],
  ['bytes', { type: 'file', data: new Uint8Array(bytes), mediaType: 'a/b' }, 'AQIDBA==', 'a/b'],
  [
    'a buffer',
    { type: 'file', data: new Uint8Array(bytes).buffer, mediaType: 'a/b' },
    'AQIDBA==',
    'a/b',
  ],
  ['an image', { type: 'image', image: 'AAAA' }, 'AAAA', 'image/*'],
  ['an image of a type', { type: 'image', image: 'AAAA', mediaType: 'a/b' }, 'AAAA', 'a/b'],
  ['an address', { type: 'image', image: new URL('https://a/b') }, 'https://a/b', 'image/*'],
  ['no type', { type: 'file', data: 'AAAA' }, 'AAAA', 'application/octet-stream'],
  [
    'an url',
    { type: 'file', data: { url: 'https://a/b' } },
    'https://a/b',
    'application/octet-stream',
  ],
  [
    'data in data',
    { type: 'file', data: { type: 'data', data: new Uint8Array(bytes) } },
    'AQIDBA==',
    'application/octet-stream',
  ],
  ['an url before data', { type: 'image', image: { url: 'u', data: 'd' } }, 'u', 'image/*'],
  ['something else', { type: 'image', image: { id: 'x' } }, '{"id":"x"}', 'image/*'],
])('a person’s file as %s', (...[, part, data, mediaType]) => {
  expect(of('user', [part])).toEqual([
    { role: 'user', content: [{ type: 'file', mediaType, data }] },
  ]);
});

test('what a person said otherwise is named, and kept', () => {
  const odd = { type: 'tool-poll-part', data: 4 };
  expect(of('user', [text, odd])).toEqual([
    {
      role: 'user',
      content: [text, { type: 'text', text: '[tool poll part {"data":4}]' }],
      ...provider(text, odd),
    },
  ]);
  const thought = { type: 'reasoning', text: 'Hm' };
  expect(of('user', [thought])).toEqual([{ role: 'user', content: 'Hm', ...provider(thought) }]);
  expect(of('user', [{ ...text, ...signed }])[0]!.provider).toEqual({
    name: 'ai-sdk',
    raw: [{ ...text, ...signed }],
  });
  expect(of('user', [{ ...text, providerExecuted: true }])[0]).toHaveProperty('provider');
  expect(of('data', 'x')).toEqual([{ role: 'user', content: '[data x]', origin: 'machine' }]);
});

test('why the model stopped is told of its last message', () => {
  const messages = [
    { role: 'assistant', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'Go' },
  ];
  const read = fromAiSdk({ messages, finishReason: 'stop' });
  expect(read).toEqual([
    { role: 'assistant', content: 'One' },
    { role: 'assistant', content: 'Two', finish: 'stop' },
    { role: 'user', content: 'Go' },
  ]);
  expect(fromAiSdk({ messages: messages.slice(2), finishReason: 'stop' })).toEqual([read[2]]);
  expect(fromAiSdk({ messages: [messages[0]!], finishReason: 'stop' })).toEqual([
    { role: 'assistant', content: 'One', finish: 'stop' },
  ]);
  expect(fromAiSdk({ response: {}, messages })).toEqual(fromAiSdk(messages));
  expect(fromAiSdk({ response: { messages: [] }, messages })).toEqual([]);
});

test.each<readonly [object, object]>([
  [{ usage: null }, {}],
  [{ usage: undefined }, {}],
  [{}, {}],
  [
    { inputTokens: 4, inputTokenDetails: {}, cachedInputTokens: 2 },
    { inputTokens: 4, cachedInputTokens: 2 },
  ],
  [
    { inputTokenDetails: { cacheReadTokens: 3, cacheWriteTokens: 1 }, cachedInputTokens: 2 },
    { cachedInputTokens: 3, cacheWriteTokens: 1 },
  ],
  [{ outputTokenDetails: { reasoningTokens: 5 }, reasoningTokens: 2 }, { reasoningTokens: 5 }],
  [
    { outputTokens: 7, outputTokenDetails: {}, reasoningTokens: 2 },
    { outputTokens: 7, reasoningTokens: 2 },
  ],
  [{ inputTokens: -1, outputTokens: 1.5, reasoningTokens: 0 }, { reasoningTokens: 0 }],
])('of %j is counted %j', (usage, counted) => expect(usageOf(usage)).toEqual(counted));
