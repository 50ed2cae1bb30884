import { expect, test } from 'vitest';
import { toAnthropic } from '../../../src/core/formats/anthropic/anthropic.ts';
import { fromAnthropic } from '../../../src/core/formats/anthropic/from-anthropic.ts';
import { toChat } from '../../../src/core/formats/chat.ts';
import { toOllama } from '../../../src/core/formats/ollama.ts';
import { toOpenAI } from '../../../src/core/formats/openai.ts';
import { toResponses } from '../../../src/core/formats/responses.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import type { ToolSpec } from '../../../src/core/messages/tool-spec.ts';
import { assemblyOf } from './wire-arbitrary.ts';

// A name of a tool that a provider refuses would fail every request while its call is in the window.

/** A history that calls tools by these names, one a message, each with its result by name alone. */
const calling = (...names: readonly string[]) =>
  assemblyOf(
    names.flatMap((name): Message[] => [
      { role: 'assistant', content: '', toolCalls: [{ name, arguments: {} }] },
      { role: 'tool', name, content: 'There is no such tool.' },
    ]),
  );

const tool = (name: string): ToolSpec => ({ name, description: '', parameters: {} });

/** The names that go out with calls. */
const sent = {
  anthropic: (...given: Parameters<typeof toAnthropic>) =>
    toAnthropic(...given).messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? block.name : [])),
    ),
  chat: (...given: Parameters<typeof toChat>) => calledIn(toChat(...given).messages),
  openai: (...given: Parameters<typeof toOpenAI>) => calledIn(toOpenAI(...given).messages),
  responses: (...given: Parameters<typeof toResponses>) =>
    toResponses(...given).input.flatMap((item) =>
      'type' in item && item.type === 'function_call' ? item.name : [],
    ),
};

type Chat = ReturnType<typeof toChat>['messages'] | ReturnType<typeof toOpenAI>['messages'];

const calledIn = (messages: Chat): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map((one) => one.function.name) : [],
  );

const apis = ['anthropic', 'chat', 'openai', 'responses'] as const;
const long = (length: number): string => 'x'.repeat(length);

test.each(apis)('%s takes no other signs in a name, and each name stays apart', (api) => {
  const names = ['read file!', 'read', 'read_file_', 'read.file!', 'read file!', '', '読む'];
  expect(sent[api](calling(...names))).toEqual([
    'read_file_',
    'read',
    'read_file__2',
    'read_file__3',
    'read_file_',
    '_',
    '__',
  ]);
});

test.each(apis)('what %s was sent once is sent again, whatever is called later', (api) => {
  const names = ['read file!', 'read.file!', 'read_file_', 'read file'];
  const whole = sent[api](calling(...names));
  for (let n = 1; n < names.length; n += 1)
    expect(whole.slice(0, n)).toEqual(sent[api](calling(...names.slice(0, n))));
});

test.each([
  ['anthropic', 128],
  ['chat', 64],
  ['openai', 64],
  ['responses', 64],
] as const)('%s takes names of up to %i characters', (api, most) => {
  const names = [long(most), long(most + 1), long(most + 2)];
  expect(sent[api](calling(...names))).toEqual([
    long(most),
    `${long(most - 2)}_2`,
    `${long(most - 2)}_3`,
  ]);
});

test.each(apis)('what %s is told of a tool stands as it is declared', (api) => {
  const names = ['fs.read', 'fs read', 'fs_read'];
  const tools = [tool('fs.read'), tool('fs_read')];
  expect(sent[api](calling(...names), { tools })).toEqual(['fs.read', 'fs_read_2', 'fs_read']);
});

test('a message that goes out under another name is spelled anew', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: 'x' },
    { type: 'tool_use', id: 'a', name: 'read file!', input: {} },
  ];
  const message = fromAnthropic({ role: 'assistant', content });
  expect(message).toMatchObject({ provider: { name: 'anthropic' } });
  expect(sent.anthropic(assemblyOf([message]))).toEqual(['read_file_']);
});

test('Ollama takes any name', () => {
  const [first, second] = toOllama(calling('read file!')).messages;
  expect(first?.tool_calls?.[0]?.function.name).toBe('read file!');
  expect(second?.tool_name).toBe('read file!');
});
