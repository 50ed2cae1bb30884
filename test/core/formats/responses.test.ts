import type OpenAI from 'openai';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { fromResponses, toResponses, type Message } from '../../../src/openai.ts';
import { aHistory, assemblyOf, callsIn } from './wire-arbitrary.ts';

test('the client takes what is made, and gives what is read', () => {
  expectTypeOf<ReturnType<typeof toResponses>>().toExtend<
    Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model'>
  >();
  const one = (answer: OpenAI.Responses.Response) => fromResponses(answer);
  const all = (items: OpenAI.Responses.ResponseInput) => fromResponses(items);
  expectTypeOf(one).returns.toExtend<Message>();
  expectTypeOf(all).returns.toExtend<readonly Message[]>();
});

const go: Message = { role: 'user', content: 'Go' };
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Look first.' }],
  encrypted_content: 'gAAA',
};
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'read',
  arguments: '{"a": 1}',
  status: 'completed',
};
const text = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
};

test('what is said becomes items, files and all', () => {
  const given = assemblyOf([
    { role: 'system', content: 'S' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        { type: 'file', mediaType: 'application/pdf', data: 'https://a/b.pdf' },
        { type: 'file', mediaType: 'text/csv', data: 'AAAA', name: 'a.csv' },
      ],
    },
    {
      role: 'assistant',
      content: 'Reading',
      toolCalls: [{ id: 'a.b', name: 'read', arguments: {} }],
    },
    { role: 'tool', toolCallId: 'a.b', content: 'ok' },
    { role: 'assistant', content: '' },
  ]);
  const tools = [{ name: 'read', description: 'Reads', parameters: { type: 'object' } }];
  expect(toResponses(given, { tools })).toEqual({
    instructions: 'S',
    max_output_tokens: 600,
    tools: [{ type: 'function', ...tools[0], strict: false }],
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          { type: 'input_file', file_url: 'https://a/b.pdf' },
          { type: 'input_text', text: '[file a.csv, text/csv]' },
        ],
      },
      { role: 'assistant', content: 'Reading' },
      { type: 'function_call', call_id: 'a_b', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a_b', output: 'ok' },
      { role: 'assistant', content: '[no text]' },
    ],
  });
  expect(toResponses(given, { role: 'developer' }).input[0]).toEqual({
    role: 'developer',
    content: 'S',
  });
});

test('items of thinking go back with the call they belong to, byte for byte', () => {
  const output = [reasoning, call];
  const message = fromResponses({ output, status: 'completed' });
  expect(message).toEqual({
    role: 'assistant',
    content: '',
    thinking: 'Look first.',
    finish: 'completed',
    toolCalls: [{ id: 'call_1', name: 'read', arguments: { a: 1 } }],
    provider: { name: 'openai-responses', raw: output },
  });
  const result: Message = { role: 'tool', toolCallId: 'call_1', content: 'ok' };
  const { input } = toResponses(assemblyOf([go, message, result]));
  expect(JSON.stringify(input.slice(1, 3))).toBe(JSON.stringify(output));
  expect(input[3]).toEqual({ type: 'function_call_output', call_id: 'call_1', output: 'ok' });
});

test('a plain answer is kept once', () => {
  expect(fromResponses({ output: [text, call] })).toEqual({
    role: 'assistant',
    content: 'Hi',
    toolCalls: [{ id: 'call_1', name: 'read', arguments: { a: 1 } }],
  });
  const incomplete_details = { reason: 'max_output_tokens' };
  expect(fromResponses({ output: [], status: 'incomplete', incomplete_details })).toEqual({
    role: 'assistant',
    content: '',
    finish: 'max_output_tokens',
  });
});

test('what a server ran, a refusal, a custom call: named, kept, and answered in kind', () => {
  const search = {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { query: 'x' },
  };
  const image = { type: 'image_generation_call', id: 'ig_1', result: 'AAAA' };
  const refusal = { ...text, content: [{ type: 'refusal', refusal: 'I cannot' }] };
  const custom = {
    type: 'custom_tool_call',
    id: 'ct_1',
    call_id: 'call_2',
    name: 'sh',
    input: '{"a":1}',
  };
  const output = [search, image, refusal, custom];
  const message = fromResponses({ output });
  expect(message.content).toEqual([
    { type: 'text', text: '[web search call {"status":"completed","action":{"query":"x"}}]' },
    { type: 'file', mediaType: 'image/png', data: 'AAAA' },
    { type: 'text', text: 'I cannot' },
  ]);
  expect(message.toolCalls).toEqual([{ id: 'call_2', name: 'sh', arguments: '{"a":1}' }]);
  const result: Message = { role: 'tool', toolCallId: 'call_2', content: 'ok' };
  const { input } = toResponses(assemblyOf([go, message, result]));
  expect(input.slice(1)).toEqual([
    ...output,
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'ok' },
  ]);
});

test('a list of items comes in whole, whoever said them', () => {
  expect(
    fromResponses([
      { role: 'developer', content: 'Rule' },
      { role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
      { role: 'user', content: [{ type: 'input_audio', input_audio: 'x' }] },
      reasoning,
      call,
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ type: 'input_text', text: 'ok' }],
      },
      text,
      { type: 'computer_call_output', call_id: 'c', output: {} },
    ]),
  ).toEqual([
    { role: 'user', content: '[developer Rule]', origin: 'machine' },
    { role: 'user', content: 'Go' },
    expect.objectContaining({
      content: '[input audio {"input_audio":"x"}]',
      provider: expect.objectContaining({ name: 'openai-responses' }),
    }),
    expect.objectContaining({ thinking: 'Look first.' }),
    { role: 'tool', toolCallId: 'call_1', content: 'ok' },
    { role: 'assistant', content: 'Hi' },
    expect.objectContaining({ role: 'user', origin: 'machine', provider: expect.anything() }),
  ]);
});

test('any history is taken, and every output has its call before it', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { input } = toResponses(assemblyOf(history));
      const asked = new Set<string>();
      for (const item of input) {
        if (!('type' in item)) continue;
        if (item.type === 'function_call') {
          expect(item.call_id).toMatch(/^[\w-]{1,64}$/);
          asked.add(item.call_id);
        } else expect(asked).toContain(item.call_id);
      }
      expect(asked.size).toBe(callsIn(history).length);
    }),
  );
});

test('nothing that is not there is sent, and files as they are called', () => {
  const budget = { window: 4_000, reserve: 0 };
  expect(toResponses(assemblyOf([], budget))).toStrictEqual({ input: [] });
  expect(toResponses(assemblyOf([{ role: 'system', content: '' }], budget))).toStrictEqual({
    input: [],
  });
  const file = (mediaType: string, data: string, more: object = {}) => {
    return { type: 'file', mediaType, data, ...more } as const;
  };
  const contentOf = (...parts: readonly ReturnType<typeof file>[]) =>
    toResponses(assemblyOf([{ role: 'user', content: parts }])).input.map((item) =>
      'content' in item ? item.content : null,
    )[0];
  expect(contentOf(file('text/csv', 'AAAA', { name: 'a.csv' }))).toBe('[file a.csv, text/csv]');
  expect(
    contentOf(
      file('image/png', 'https://a/b', { detail: 'low' }),
      file('application/pdf', 'AAAA'),
      file('application/pdf', 'AAAA', { name: 'a.pdf' }),
    ),
  ).toEqual([
    { type: 'input_image', image_url: 'https://a/b', detail: 'low' },
    { type: 'input_file', filename: 'file.pdf', file_data: 'data:application/pdf;base64,AAAA' },
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
  ]);
});

test('an answer of calls alone says no text, and one of blanks is seen', () => {
  const asked = (content: string) =>
    toResponses(
      assemblyOf([{ role: 'assistant', content, toolCalls: [{ name: 'ls', arguments: {} }] }]),
    ).input.map((item) => ('content' in item ? item.content : 'call'));
  expect([asked(''), asked(' \n'), asked(' a ')]).toEqual([['call'], ['call'], [' a ', 'call']]);
  const { input } = toResponses(assemblyOf([{ role: 'assistant', content: ' ' }]));
  expect(input).toEqual([{ role: 'assistant', content: '[no text]' }]);
});

test('what another provider spelled, or what is no list of items, goes out as our fields say it', () => {
  const spelled = (name: string, raw: unknown) =>
    toResponses(assemblyOf([{ role: 'user', content: 'Go', provider: { name, raw } }])).input;
  const plain = [{ role: 'user', content: 'Go' }];
  expect(spelled('openai', [1])).toEqual(plain);
  expect(spelled('openai-responses', { role: 'user' })).toEqual(plain);
  expect(spelled('openai-responses', [{ role: 'user' }])).toEqual([{ role: 'user' }]);
});

test('only results of custom calls are answered as these', () => {
  const raw = [
    { type: 'custom_tool_call', name: 'sh', input: '' },
    { type: 'custom_tool_call', call_id: 'a', name: 'sh', input: '' },
    { type: 'function_call', call_id: 'b', name: 'ls', arguments: '' },
  ];
  const message = fromResponses({ output: raw.slice(1) });
  const { input } = toResponses(
    assemblyOf([
      { ...message, provider: { name: 'openai-responses', raw } },
      { role: 'tool', toolCallId: 'b', content: 'B' },
      { role: 'tool', toolCallId: 'a', content: 'A' },
    ]),
  );
  expect(input.slice(3)).toEqual([
    { type: 'function_call_output', call_id: 'b', output: 'B' },
    { type: 'custom_tool_call_output', call_id: 'a', output: 'A' },
  ]);
});
