import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromAiSdk, toAiSdk } from '../../../src/core/formats/ai-sdk.ts';
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
      const said = history.filter(({ role }) => role === 'assistant' || role === 'tool');
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
