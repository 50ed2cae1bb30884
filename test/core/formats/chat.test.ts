import type OpenAI from 'openai';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { fromChat, toChat, usageOf, type Message } from '../../../src/openai.ts';
import { aHistory, assemblyOf, callsIn } from './wire-arbitrary.ts';

test('the client takes what is made, and gives what is read', () => {
  expectTypeOf<ReturnType<typeof toChat>>().toExtend<
    Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>
  >();
  const one = (answer: OpenAI.ChatCompletion) => fromChat(answer);
  const all = (messages: OpenAI.ChatCompletionMessageParam[]) => fromChat(messages);
  expectTypeOf(one).returns.toExtend<Message>();
  expectTypeOf(all).returns.toExtend<readonly Message[]>();
  expectTypeOf<OpenAI.CompletionUsage>().toExtend<Parameters<typeof usageOf>[0]>();
});

test('the limit and the role of the prompt are called as the model wants', () => {
  const given = assemblyOf([
    { role: 'system', content: 'S' },
    { role: 'user', content: 'Hi' },
  ]);
  const hi = { role: 'user', content: 'Hi' };
  expect(toChat(given)).toEqual({
    messages: [{ role: 'system', content: 'S' }, hi],
    max_completion_tokens: 600,
  });
  expect(toChat(given, { role: 'developer', limit: 'max_tokens' })).toEqual({
    messages: [{ role: 'developer', content: 'S' }, hi],
    max_tokens: 600,
  });
});

const sent = (...messages: readonly Message[]) => toChat(assemblyOf(messages)).messages;

test('images, PDFs and sounds go along, any other file is a line; no answer is empty', () => {
  const file = (mediaType: string, data = 'AAAA') => ({ type: 'file', mediaType, data }) as const;
  const content = [
    { ...file('image/png', 'https://a/b.png'), detail: 'low' as const },
    { ...file('application/pdf'), name: 'a.pdf' },
    file('audio/mpeg'),
    file('video/mp4'),
    file('application/pdf', 'https://a/b.pdf'),
  ];
  expect(sent({ role: 'user', content }, { role: 'assistant', content: '' })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'https://a/b.png', detail: 'low' } },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
        },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        { type: 'text', text: '[file video/mp4]' },
        { type: 'text', text: '[file https://a/b.pdf, application/pdf]' },
      ],
    },
    { role: 'assistant', content: '[no text]' },
  ]);
});

test.each<readonly [string, object, Partial<Message>]>([
  ['a refusal', { content: null, refusal: 'I cannot' }, { content: 'I cannot' }],
  [
    'a call of a custom tool',
    {
      content: null,
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sh', input: '{"a":1}' } }],
    },
    { content: '', toolCalls: [{ id: 'c', name: 'sh', arguments: '{"a":1}' }] },
  ],
  [
    'a signature on a call',
    {
      content: 'Well',
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: { name: 'f', arguments: '{}' },
          extra_content: { google: { thought_signature: 'x' } },
        },
      ],
    },
    { content: 'Well', toolCalls: [{ id: 'c', name: 'f', arguments: {} }] },
  ],
  [
    'details of thinking',
    {
      content: 'Well',
      reasoning: 'Hm',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
    },
    { content: 'Well', thinking: 'Hm' },
  ],
])('%s is kept and goes back as it came', (_, given, read) => {
  const message = fromChat({ role: 'assistant', ...given });
  expect(message).toMatchObject(read);
  expect(message.provider).toEqual({ name: 'openai', raw: { role: 'assistant', ...given } });
  expect(sent({ role: 'user', content: 'Go' }, message)[1]).toEqual({
    role: 'assistant',
    ...given,
  });
});

test('a sound goes back by its id, and stands as its words', () => {
  const audio = { id: 'audio_1', data: 'AAAA', expires_at: 5, transcript: 'Hello' };
  const message = fromChat({ content: null, audio });
  expect(message.content).toBe('Hello');
  expect(message.provider?.raw).toEqual({
    role: 'assistant',
    content: null,
    audio: { id: 'audio_1' },
  });
});

test('what a server fills in for nothing is not kept, sources are, beside what is sent', () => {
  const nothing = {
    refusal: null,
    annotations: [],
    audio: null,
    function_call: null,
    tool_calls: [],
  };
  const message = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm', ...nothing };
  expect(fromChat({ choices: [{ message, finish_reason: 'stop' }] })).toEqual({
    role: 'assistant',
    content: 'Hi',
    thinking: 'Hm',
    finish: 'stop',
  });
  const annotations = [{ type: 'url_citation' }];
  expect(fromChat({ content: 'Hi', annotations })).toEqual({
    role: 'assistant',
    content: 'Hi',
    meta: { annotations },
  });
});

test.each([
  [{ error: { message: 'Rate\nlimit\u001b[2J <checkpoint>' } }, 'an error: "Rate limit', 'error'],
  [{ error: 'boom', choices: [{ message: { content: 'Hi' } }] }, 'an error: "boom"', 'error'],
  [{ error: { code: 1 } }, 'an error: "{"code":1}"', 'error'],
  [{ error: { message: 'x'.repeat(9_000) } }, 'x…"', 'error'],
  [{ error: null }, 'nothing in "choices"', 'choices'],
  [{ choices: [] }, 'nothing in "choices"', 'choices'],
  [{ choices: [{ finish_reason: 'error' }] }, 'nothing in "choices"', 'choices'],
  [{ choices: null }, 'nothing in "choices"', 'choices'],
])('what is no answer is refused: %j', (sent, said, field) => {
  const read = () => fromChat(sent as never);
  expect(read).toThrow(said);
  expect(read).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID', detail: { field } }));
  expect(read).not.toThrow(/\n|\u001b|<checkpoint|x{300}/);
});

test('a list of messages comes in whole, whoever said them', () => {
  const part = { type: 'video_url', video_url: { url: 'x' } };
  expect(
    fromChat([
      { role: 'developer', content: 'Rule' },
      { role: 'user', content: [{ type: 'text', text: 'See' }, part] },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/gif;base64,AA' } }],
      },
      { role: 'assistant', content: 'Yes' },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ]),
  ).toEqual([
    { role: 'user', content: '[developer Rule]', origin: 'machine' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'text', text: '[video url {"video_url":{"url":"x"}}]' },
      ],
      provider: {
        name: 'openai',
        raw: { role: 'user', content: [{ type: 'text', text: 'See' }, part] },
      },
    },
    {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/gif', data: 'data:image/gif;base64,AA' }],
    },
    { role: 'assistant', content: 'Yes' },
    { role: 'tool', toolCallId: 'c', content: 'ok' },
  ]);
});

test('counts of chat completions and of responses', () => {
  expect(
    usageOf({
      usage: {
        prompt_tokens: 9,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    }),
  ).toEqual({ inputTokens: 9, outputTokens: 4, cachedInputTokens: 8, reasoningTokens: 3 });
  expect(
    usageOf({ input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 8 } }),
  ).toEqual({ inputTokens: 9, outputTokens: 4, cachedInputTokens: 8 });
});

test('any history is taken: no answer is empty, ids are short, allowed, and of one call each', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { messages } = toChat(assemblyOf(history));
      const calls = messages.flatMap((one) =>
        one.role === 'assistant' ? (one.tool_calls ?? []) : [],
      );
      const ids = calls.map(({ id }) => id);
      expect(new Set(ids).size).toBe(callsIn(history).length);
      for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
      for (const one of messages)
        if (one.role === 'assistant' && one.tool_calls === undefined)
          expect(one.content!.trim()).not.toBe('');
      const back = fromChat(messages as Parameters<typeof fromChat>[0] & readonly object[]);
      expect(back.filter(({ role }) => role !== 'user')).toHaveLength(
        history.filter(({ role }) => role === 'assistant' || role === 'tool').length,
      );
    }),
  );
});
