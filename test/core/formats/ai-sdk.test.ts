import fc from 'fast-check';
import type { ModelMessage } from 'ai';
import { expect, expectTypeOf, test } from 'vitest';
import {
  fromAiSdk,
  toAiSdk,
  toModelMessages,
  usageOf,
  type AiSdkRequest,
  type Message,
} from '../../../src/ai-sdk.ts';
import { bytesAsBase64 } from '../../../src/core/formats/wire.ts';
import { aHistory, assemblyOf, callsIn, textsIn } from './wire-arbitrary.ts';

test('the prompt stands apart, and all results of a unit are one message', () => {
  expect(
    toAiSdk(
      assemblyOf([
        { role: 'system', content: 'Be careful' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read both' },
            { type: 'file', mediaType: 'application/pdf', data: 'AAAA', name: 'a.pdf' },
          ],
        },
        {
          role: 'assistant',
          content: 'Reading',
          toolCalls: [
            { id: 'a', name: 'read', arguments: { path: 'a' } },
            { id: 'b', name: 'read', arguments: 'b' },
          ],
        },
        { role: 'tool', toolCallId: 'b', content: 'No such file', isError: true },
        { role: 'tool', toolCallId: 'a', content: 'A' },
      ]),
    ),
  ).toEqual({
    system: 'Be careful',
    maxOutputTokens: 600,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read both' },
          { type: 'file', mediaType: 'application/pdf', data: 'AAAA', filename: 'a.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Reading' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a' } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { unparsed: 'b' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'read',
            output: { type: 'error-text', value: 'No such file' },
          },
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'read',
            output: { type: 'text', value: 'A' },
          },
        ],
      },
    ],
  });
});

const spoken = [
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'First the file' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'read',
        output: { type: 'json', value: { size: 3 } },
      },
      {
        type: 'tool-result',
        toolCallId: 'b',
        toolName: 'run',
        output: { type: 'execution-denied', reason: 'not now' },
      },
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'shot',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'Done' },
            { type: 'media', data: 'AAAA', mediaType: 'image/png' },
            { type: 'file-id', fileId: 'f' },
          ],
        },
      },
    ],
  },
  { role: 'assistant', content: 'Three bytes' },
];

const heard = [
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'a', name: 'read', arguments: { path: 'a' } }],
    thinking: 'First the file',
  },
  { role: 'tool', toolCallId: 'a', name: 'read', content: '{"size":3}' },
  { role: 'tool', toolCallId: 'b', name: 'run', content: '[denied] not now', isError: true },
  {
    role: 'tool',
    toolCallId: 'c',
    name: 'shot',
    content: [
      { type: 'text', text: 'Done' },
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'text', text: '{"type":"file-id","fileId":"f"}' },
    ],
  },
  { role: 'assistant', content: 'Three bytes' },
];

test('what was answered is read from messages, from a response or a result of any version', () => {
  expect(fromAiSdk(spoken)).toEqual(heard);
  expect(fromAiSdk({ messages: spoken })).toEqual(heard);
  expect(fromAiSdk({ response: { messages: spoken }, finishReason: 'stop' })).toEqual([
    ...heard.slice(0, -1),
    { role: 'assistant', content: 'Three bytes', finish: 'stop' },
  ]);
  expect(fromAiSdk({ responseMessages: spoken, response: { messages: [] } })).toEqual(heard);
  expect(fromAiSdk({})).toEqual([]);
});

test('texts, calls and the pairing of results come back as they were sent', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { messages, system } = toAiSdk(assemblyOf(history));
      const back = fromAiSdk(messages);
      const said = history.filter(({ role }) => role !== 'system');
      expect(textsIn(back)).toEqual(textsIn(said));
      expect(system ?? '').toBe(textsIn(history.filter(({ role }) => role === 'system')).join(''));
      const made = callsIn(back);
      expect(made.map((call) => [call.name, call.arguments])).toEqual(
        callsIn(history).map(({ name, arguments: given }) => [
          name,
          typeof given === 'string' ? { unparsed: given } : given,
        ]),
      );
      const ids = made.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const answered = back.flatMap((one) => (one.role === 'tool' ? [one.toolCallId] : []));
      expect(new Set(answered)).toEqual(new Set(ids));
      expect(JSON.stringify(messages)).not.toContain('secret');
    }),
  );
});

const signed = { anthropic: { signature: 'EuYB' } };

test('what a provider added goes back as it came', () => {
  const content = [
    { type: 'reasoning', text: 'First', providerOptions: signed },
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {}, providerOptions: signed },
  ];
  const [message] = fromAiSdk([{ role: 'assistant', content }]);
  expect(message).toMatchObject({ thinking: 'First', toolCalls: [{ id: 'a' }] });
  expect(message!.provider).toEqual({ name: 'ai-sdk', raw: content });
  const { messages } = toAiSdk(assemblyOf([{ role: 'user', content: 'Go' }, message!]));
  expect(messages[1]).toEqual({ role: 'assistant', content });
});

test('what a server ran itself is no call of ours: it is named, and goes back with its result', () => {
  const content = [
    {
      type: 'tool-call',
      toolCallId: 's',
      toolName: 'search',
      input: { q: 'x' },
      providerExecuted: true,
    },
    {
      type: 'tool-result',
      toolCallId: 's',
      toolName: 'search',
      output: { type: 'json', value: [1] },
    },
    { type: 'text', text: 'Found' },
    { type: 'file', data: new Uint8Array([1, 2, 3, 4]), mediaType: 'image/png' },
  ];
  const [message, ...more] = fromAiSdk([{ role: 'assistant', content }]);
  expect(more).toEqual([]);
  expect(message).not.toHaveProperty('toolCalls');
  expect(textsIn([message!])[0]).toContain('Found\n[tool call {"toolCallId":"s"');
  expect(callsIn([message!])).toEqual([]);
  const { messages } = toAiSdk(assemblyOf([{ role: 'user', content: 'Go' }, message!]));
  expect(messages[1]!.content).toEqual([
    ...content.slice(0, 3),
    { type: 'file', data: 'AQIDBA==', mediaType: 'image/png' },
  ]);
});

test('nobody is left out: people, prompts, approvals', () => {
  const image = new URL('https://a/b.png');
  expect(
    fromAiSdk([
      { role: 'system', content: 'Rule' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', image },
        ],
      },
      { role: 'user', content: 'Go' },
      { role: 'tool', content: [{ type: 'tool-approval-response', approved: true }] },
    ]),
  ).toEqual([
    { role: 'user', content: '[system Rule]', origin: 'machine' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'file', mediaType: 'image/*', data: 'https://a/b.png' },
      ],
    },
    { role: 'user', content: 'Go' },
    expect.objectContaining({ role: 'user', origin: 'machine' }),
  ]);
});

test('bytes are written as base64', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(bytesAsBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    }),
  );
});

test('a list of messages has the prompt first, and breakpoints where it stays the same', () => {
  const { messages } = assemblyOf([
    { role: 'system', content: 'S' },
    { role: 'user', content: 'Said earlier' },
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Yes' },
  ]);
  const given = {
    messages: messages.map((one, n) => (n < 2 ? { ...one, section: 'human' as const } : one)),
  };
  const plain = toModelMessages(given);
  expect(plain.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant']);
  const marked = toModelMessages(given, { cacheControl: true });
  expect(marked.map((one) => one.providerOptions !== undefined)).toEqual([true, true, false, true]);
  expectTypeOf<ReturnType<typeof toModelMessages>>().toExtend<ModelMessage[]>();
  expectTypeOf<AiSdkRequest['messages']>().toExtend<ModelMessage[]>();
});

test.each([
  [{ inputTokens: 9, outputTokens: 4, cachedInputTokens: 8, reasoningTokens: 3 }],
  [
    {
      inputTokens: 9,
      outputTokens: 4,
      inputTokenDetails: { cacheReadTokens: 8 },
      outputTokenDetails: { reasoningTokens: 3 },
    },
  ],
])('a usage of any version is read', (usage) => {
  const read = { inputTokens: 9, outputTokens: 4, cachedInputTokens: 8, reasoningTokens: 3 };
  expect([usageOf(usage), usageOf({ usage })]).toEqual([read, read]);
});

test('with thinking, calls of the last turn that came without are told in words; no answer is empty', () => {
  const messages: Message[] = [
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'a.b', name: 'read', arguments: {} }] },
    { role: 'tool', toolCallId: 'a.b', content: 'A', isError: true },
  ];
  const sent = (thinking: boolean) => toAiSdk(assemblyOf(messages), { thinking }).messages;
  expect(sent(true)).toEqual([
    { role: 'assistant', content: '[no text]' },
    { role: 'user', content: 'Go' },
    { role: 'user', content: '[you called read {}]' },
    { role: 'user', content: '[error of read]\nA' },
  ]);
  expect(sent(false)[2]).toMatchObject({ content: [{ toolCallId: 'a_b' }] });
});
