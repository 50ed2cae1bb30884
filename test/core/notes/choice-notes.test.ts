import { expect, test } from 'vitest';
import { choiceNote } from '../../../src/core/notes/choice-notes.ts';
import { linesOf } from '../../../src/core/chronicle/lines.ts';
import type { ToolCall, ToolMessage } from '../../../src/core/messages/message.ts';

const count = (text: string): number => Math.ceil(text.length / 4);

/** What is told of a question that a tool asked. */
const told = (name: string, given: ToolCall['arguments'], result: string | ToolMessage) =>
  choiceNote(
    { id: 'c', name, arguments: given },
    typeof result === 'string' ? { role: 'tool', content: result } : result,
  ).flatMap(({ lines }) => lines);

const store = 'Which store should hold the sessions?';
const port = 'Which port?';

test('each question stands with its answer, as hosts tell it', () => {
  const both = [
    `asked “${store}”; the person chose “Postgres, "the big one"”`,
    `asked “${port}”; the person chose “4310”`,
  ];
  const questions = [
    { id: 'a', question: store, options: [{ label: 'Postgres' }, { label: 'Level' }] },
    { id: 'b', question: port },
  ];
  const answered = `User has answered your questions: "${store}"="Postgres, "the big one"", "${port}"="4310". You can now continue.`;
  expect(told('AskUserQuestion', { questions }, answered)).toEqual(both);
  const json = {
    answers: { a: { answers: ['Postgres, "the big one"'] }, b: { answers: ['4310'] } },
  };
  expect(told('request_user_input', { questions }, JSON.stringify(json))).toEqual(both);
});

test.each([
  ['ask_followup_question', '<answer>\n4310\n</answer>'],
  ['ask_user', '4310'],
  ['mcp__host__ask_user_question', 'User answered: 4310'],
])('the only question of %s stands with all of the answer', (name, content) => {
  expect(told(name, { question: port }, content)).toEqual([
    `asked “${port}”; the person chose “4310”`,
  ]);
});

test('a question that nobody answered decides nothing', () => {
  const failed: ToolMessage = { role: 'tool', content: 'Timeout', isError: true };
  expect(told('AskUserQuestion', { question: port }, failed)).toEqual([]);
  expect(told('AskUserQuestion', { question: port }, 'User rejected the question')).toEqual([]);
  expect(told('ask_oracle', { question: port }, '4310')).toEqual([]);
  expect(told('AskUserQuestion', { questions: [port, store] }, 'unclear')).toEqual([]);
});

test('a choice is worth more than what the model states', () => {
  const lines = linesOf(
    [
      { role: 'user' as const, content: 'go on' },
      {
        role: 'assistant' as const,
        content: 'The sessions are small, so either store would do for now.',
        toolCalls: [{ id: 'c', name: 'ask_user', arguments: { question: store } }],
      },
      { role: 'tool' as const, toolCallId: 'c', content: 'Postgres' },
    ].map((message, index) => ({ n: index + 1, message })),
    { turn: 0, root: '', count },
  ).filter(({ kind }) => kind === 'said');
  const [stated, chosen] = lines;
  expect(chosen!.text).toBe(`asked “${store}”; the person chose “Postgres”`);
  expect(chosen!.worth).toBeGreaterThan(stated!.worth);
});

test('answers of any depth are read', () => {
  const deep = `{"answers":{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`;
  expect(told('ask_user', { questions: [{ id: 'a', question: port }] }, deep)).toEqual([]);
});
