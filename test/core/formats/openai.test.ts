import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromOpenAI } from '../../../src/core/formats/from-chat.ts';
import { toOpenAI, type OpenAIMessage } from '../../../src/core/formats/openai.ts';
import { aHistory, assemblyOf, callsIn, textsIn } from './wire-arbitrary.ts';

test('calls without an id get the one that the engine knows them by', () => {
  const { messages } = toOpenAI(
    assemblyOf([
      { role: 'user', content: 'Read both' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { name: 'read', arguments: { path: 'a' } },
          { id: 'x', name: 'read', arguments: '{ "path": "b" }' },
          { id: 'y', name: 'read', arguments: '[1]' },
        ],
      },
      { role: 'tool', toolCallId: 'x', content: 'B' },
      { role: 'tool', toolCallId: 'e2.1', content: 'A' },
      { role: 'tool', toolCallId: 'y', content: '?' },
      { role: 'assistant', content: '' },
    ]),
  );
  const call = (id: string, json: string) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: json },
  });
  expect(messages).toEqual([
    { role: 'user', content: 'Read both' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        call('e2.1', '{"path":"a"}'),
        call('x', '{ "path": "b" }'),
        call('y', '{"unparsed":"[1]"}'),
      ],
    },
    { role: 'tool', tool_call_id: 'x', content: 'B' },
    { role: 'tool', tool_call_id: 'e2.1', content: 'A' },
    { role: 'tool', tool_call_id: 'y', content: '?' },
    { role: 'assistant', content: '' },
  ]);
});

test('images of results follow behind the last result of their unit', () => {
  const image = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const;
  const seen = (count: number): readonly OpenAIMessage[] =>
    toOpenAI(
      assemblyOf(
        [
          {
            role: 'assistant' as const,
            content: 'Looking',
            toolCalls: [
              { id: 'a', name: 'shot', arguments: {} },
              { id: 'b', name: 'shot', arguments: {} },
            ],
          },
          {
            role: 'tool' as const,
            toolCallId: 'a',
            content: [{ type: 'text' as const, text: 'Done' }, image],
          },
          { role: 'tool' as const, toolCallId: 'b', content: 'Nothing' },
        ].slice(0, count),
      ),
    ).messages;
  expect(seen(3).slice(1)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: 'Done\n[file image/png]' },
    { role: 'tool', tool_call_id: 'b', content: 'Nothing' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[images of shot]' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
  ]);
  expect(seen(3).slice(0, 2)).toEqual(seen(2));
});

test('the reserve is the most that may be answered, and 0 says nothing', () => {
  expect(toOpenAI(assemblyOf([])).max_tokens).toBe(600);
  expect(toOpenAI(assemblyOf([], { window: 4_000, reserve: 0 }))).toEqual({ messages: [] });
});

test('an answer is read with its reasoning, calls and reason', () => {
  const message = {
    content: null,
    reasoning_content: 'First the file',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      { id: '', function: { name: 'read', arguments: '{"path":' } },
      { id: 'c3', function: { name: 'now', arguments: '' } },
    ],
  };
  expect(fromOpenAI({ choices: [{ message, finish_reason: 'tool_calls' }] })).toEqual({
    role: 'assistant',
    content: '',
    thinking: 'First the file',
    finish: 'tool_calls',
    toolCalls: [
      { id: 'c1', name: 'read', arguments: { path: 'a' } },
      { name: 'read', arguments: '{"path":' },
      { id: 'c3', name: 'now', arguments: {} },
    ],
  });
  expect(fromOpenAI({ content: 'Hi', tool_calls: null })).toEqual({
    role: 'assistant',
    content: 'Hi',
  });
});

/** Ids of the calls of each message, and of what is answered. */
function pairsIn(messages: readonly OpenAIMessage[]): {
  readonly made: readonly string[];
  readonly answered: readonly string[];
} {
  const made = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  );
  const answered = messages.flatMap((message) =>
    message.role === 'tool' ? [message.tool_call_id] : [],
  );
  return { made, answered };
}

test('each call has an id of its own and its result right behind it, merged or not', () => {
  fc.assert(
    fc.property(aHistory, fc.boolean(), (history, merge) => {
      const { messages } = toOpenAI(assemblyOf(history), { merge });
      const { made, answered } = pairsIn(messages);
      expect(new Set(made).size).toBe(made.length);
      expect([...answered].sort()).toEqual([...made].sort());
      const open = new Map<string, string>();
      for (const message of messages) {
        if (message.role === 'tool') {
          const name = open.get(message.tool_call_id);
          expect(message.content).toMatch(new RegExp(`of ${name}$`));
          open.delete(message.tool_call_id);
          continue;
        }
        expect(open.size).toBe(0);
        if (message.role !== 'assistant') continue;
        for (const call of message.tool_calls ?? []) open.set(call.id, call.function.name);
      }
    }),
  );
});

test('what is said and called comes back as it was sent, nothing twice', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { messages } = toOpenAI(assemblyOf(history));
      expect(messages.map(({ content }) => content ?? '')).toEqual(textsIn(history));
      const answers = messages.flatMap((message) =>
        message.role === 'assistant' ? [fromOpenAI(message)] : [],
      );
      const back = answers.flatMap(({ toolCalls = [] }) => toolCalls);
      expect(back.map((call) => [call.name, call.arguments])).toEqual(
        callsIn(history).map(({ name, arguments: given }) => [
          name,
          typeof given === 'string' ? { unparsed: given } : given,
        ]),
      );
      expect(JSON.stringify(messages)).not.toContain('secret');
    }),
  );
});

test('what was sent is sent the same again when more came', () => {
  fc.assert(
    fc.property(aHistory, fc.nat(), (history, cut) => {
      const all = toOpenAI(assemblyOf(history)).messages;
      const head = toOpenAI(assemblyOf(history.slice(0, cut % (history.length + 1)))).messages;
      expect(all.slice(0, head.length)).toEqual(head);
    }),
  );
});

test('merged, roles alternate but for results, and every character keeps its place', () => {
  fc.assert(
    fc.property(aHistory, (history) => {
      const { messages } = toOpenAI(assemblyOf(history), { merge: true });
      const squeeze = (texts: readonly string[]): string => texts.join('').replaceAll('\n\n', '');
      expect(squeeze(messages.map(({ content }) => (content ?? '') as string))).toBe(
        squeeze(textsIn(history)),
      );
      for (const [index, message] of messages.entries()) {
        if (messages[index + 1]?.role === message.role) expect(message.role).toBe('tool');
      }
    }),
  );
});

test('a call that nobody answered is not joined with what follows', () => {
  const call = { id: 'a', name: 'read', arguments: {} };
  const { messages } = toOpenAI(
    assemblyOf([
      { role: 'assistant', content: 'One' },
      { role: 'assistant', content: 'Two', toolCalls: [call] },
      { role: 'assistant', content: 'Three' },
    ]),
    { merge: true },
  );
  expect(messages.map(({ content }) => content)).toEqual(['One\n\nTwo', 'Three']);
});
