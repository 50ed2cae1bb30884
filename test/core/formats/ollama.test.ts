import fc from 'fast-check';
import { Ollama, type ChatRequest, type ChatResponse, type Message as Theirs } from 'ollama';
import { expect, expectTypeOf, test } from 'vitest';
import { fromOllama, toOllama } from '../../../src/core/formats/ollama.ts';
import type { ToolSpec } from '../../../src/core/messages/tool-spec.ts';
import { aHistory, assemblyOf, callsIn, textsIn } from './wire-arbitrary.ts';

const read: ToolSpec = {
  name: 'read',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

test("the request is what the client's chat() takes, streaming or not", () => {
  const client = new Ollama();
  const model = 'm';
  const request = toOllama(assemblyOf([]), { tools: [read] });
  expectTypeOf(request).toExtend<Partial<ChatRequest>>();
  expectTypeOf(() => client.chat({ model, ...request })).returns.resolves.toExtend<ChatResponse>();
  expectTypeOf(() =>
    client.chat({ model, ...toOllama(assemblyOf([])), stream: false }),
  ).returns.resolves.toExtend<ChatResponse>();
  expectTypeOf(() =>
    client.chat({ model, ...toOllama(assemblyOf([])), stream: true }),
  ).returns.resolves.toExtend<AsyncIterable<ChatResponse>>();
  expectTypeOf<ChatResponse>().toExtend<Parameters<typeof fromOllama>[0]>();
  expectTypeOf<Theirs>().toExtend<Parameters<typeof fromOllama>[0]>();
});

test('window and reserve are always sent, and nothing is ever cut in silence', () => {
  expect(toOllama(assemblyOf([], { window: 8_000, reserve: 1_200 }))).toEqual({
    messages: [],
    options: { num_ctx: 8_000, num_predict: 1_200 },
    truncate: false,
    shift: false,
  });
  expect(toOllama(assemblyOf([], { window: 8_000, reserve: 0 })).options).toEqual({
    num_ctx: 8_000,
  });
});

test('a call and its result carry the name, and the id where the model gave one', () => {
  const { messages } = toOllama(
    assemblyOf([
      { role: 'system', content: 'Be careful' },
      { role: 'user', content: 'Read both', meta: { a: 1 } },
      {
        role: 'assistant',
        content: '',
        thinking: 'hm',
        toolCalls: [
          { name: 'read', arguments: { path: 'a' } },
          { id: 'x', name: 'read', arguments: '{"path":' },
        ],
      },
      { role: 'tool', toolCallId: 'x', content: 'B' },
      { role: 'tool', name: 'read', content: 'A', isError: true },
    ]),
  );
  expect(messages).toEqual([
    { role: 'system', content: 'Be careful' },
    { role: 'user', content: 'Read both' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { function: { name: 'read', arguments: { path: 'a' } } },
        { id: 'x', function: { name: 'read', arguments: { unparsed: '{"path":' } } },
      ],
    },
    { role: 'tool', content: 'B', tool_name: 'read', tool_call_id: 'x' },
    { role: 'tool', content: 'A', tool_name: 'read' },
  ]);
});

test('images go along as base64, other files as one line', () => {
  const { messages } = toOllama(
    assemblyOf([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' },
          { type: 'file', mediaType: 'image/png', data: 'BBBB' },
          { type: 'file', mediaType: 'image/png', data: 'https://example.org/a.png' },
          { type: 'file', mediaType: 'application/pdf', data: 'CCCC', name: 'a.pdf' },
        ],
      },
    ]),
  );
  expect(messages).toEqual([
    {
      role: 'user',
      content: 'Look\n[file https://example.org/a.png, image/png]\n[file a.pdf, application/pdf]',
      images: ['AAAA', 'BBBB'],
    },
  ]);
});

test('an answer is read with its thinking, calls and reason', () => {
  expect(
    fromOllama({
      message: {
        content: 'Reading',
        thinking: 'First the file',
        tool_calls: [
          { id: 'call_1', function: { name: 'read', arguments: { path: 'a' } } },
          { function: { name: 'read', arguments: '{"path":"b"}' } },
          { function: { name: 'read', arguments: 'b' } },
        ],
      },
      done_reason: 'stop',
    }),
  ).toEqual({
    role: 'assistant',
    content: 'Reading',
    thinking: 'First the file',
    finish: 'stop',
    toolCalls: [
      { id: 'call_1', name: 'read', arguments: { path: 'a' } },
      { name: 'read', arguments: { path: 'b' } },
      { name: 'read', arguments: 'b' },
    ],
  });
  expect(fromOllama({ content: 'Hi', thinking: '' })).toEqual({ role: 'assistant', content: 'Hi' });
});

test('what is said and called comes back as it was sent, nothing twice', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { messages } = toOllama(assemblyOf(history));
      expect(messages.map(({ content }) => content)).toEqual(textsIn(history));
      const answers = messages.filter(({ role }) => role === 'assistant').map(fromOllama);
      expect(answers.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.name))).toEqual(
        callsIn(history).map(({ name }) => name),
      );
      expect(
        answers.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.arguments)),
      ).toEqual(
        callsIn(history).map((call) =>
          typeof call.arguments === 'string' ? { unparsed: call.arguments } : call.arguments,
        ),
      );
      expect(JSON.stringify(messages)).not.toContain('secret');
    }),
  );
});

test('merged, roles alternate but for results, and every character keeps its place', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { messages } = toOllama(assemblyOf(history), { merge: true });
      const squeeze = (texts: readonly string[]): string => texts.join('').replaceAll('\n\n', '');
      expect(squeeze(messages.map(({ content }) => content))).toBe(squeeze(textsIn(history)));
      for (const [index, message] of messages.entries()) {
        const next = messages[index + 1];
        if (next?.role !== message.role || message.role === 'tool') continue;
        expect(message.tool_calls).toBeDefined();
      }
    }),
  );
});

test('tools, results with images, and calls with the id that was given', () => {
  const image = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const;
  const messages = [
    { role: 'user', content: 'One' },
    { role: 'user', content: 'Two' },
    { role: 'assistant', content: 'Yes' },
    { role: 'assistant', content: '', toolCalls: [{ id: '', name: 'read', arguments: {} }] },
    { role: 'tool', content: [image] },
  ] as const;
  expect(toOllama(assemblyOf(messages), { tools: [read] })).toStrictEqual({
    messages: [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'Yes' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'e4.1', function: { name: 'read', arguments: {} } }],
      },
      {
        role: 'tool',
        content: '',
        images: ['AAAA'],
        tool_name: 'read',
        tool_call_id: 'e4.1',
      },
    ],
    tools: [{ type: 'function', function: read }],
    options: { num_ctx: 4_000, num_predict: 600 },
    truncate: false,
    shift: false,
  });
  expect(
    toOllama(assemblyOf(messages), { merge: true })
      .messages.slice(0, 2)
      .map(({ content }) => content),
  ).toEqual(['One\n\nTwo', 'Yes']);
});

test('an answer of nothing, and of calls without an id', () => {
  for (const sent of [{}, { error: 'boom' }, { message: null }])
    expect(() => fromOllama(sent as never)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_INVALID' }),
    );
  expect(fromOllama({ message: {} })).toStrictEqual({ role: 'assistant', content: '' });
  expect(fromOllama({ tool_calls: [] })).toStrictEqual({ role: 'assistant', content: '' });
  expect(
    fromOllama({ tool_calls: [{ id: '', function: { name: 'ls', arguments: undefined } }] }),
  ).toStrictEqual({
    role: 'assistant',
    content: '',
    toolCalls: [{ name: 'ls', arguments: {} }],
  });
});
