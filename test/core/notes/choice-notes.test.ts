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

const chose = (answer: string): readonly string[] => [
  `asked “${port}”; the person chose “${answer}”`,
];

test.each([
  'AskUserQuestion',
  'ask_user',
  'host.askuserinput',
  'ask_user_choices',
  'mcp__x__ask_user',
  'ask_followup_question',
  'ask_follow_up_questions',
  'askhuman',
  'ask_human',
  'request_user_input',
  'requestUserInput',
])('%s asks a person', (name) => {
  expect(told(name, { question: port }, '4310')).toEqual(chose('4310'));
});

test.each([
  'task_user',
  'x_question',
  'questions',
  'ask',
  'ask_humans',
  'user_input',
  'ask_user.x',
  'mcp__crm__ask_username',
  'ask_users',
  'question',
  'ask_question',
  'mcp__wiki__ask_question',
])('%s asks nobody', (name) => expect(told(name, { question: port }, '4310')).toEqual([]));

test('a tool of a host asks a person a list of questions, or one with options; one of a server that is called so answers itself', () => {
  for (const name of ['question', 'ask_questions', 'AskQuestion'])
    expect(told(name, { questions: [port] }, '4310')).toEqual(chose('4310'));
  const withOptions = { question: port, options: [{ label: '4310' }, { label: '80' }] };
  for (const name of ['question', 'ask_question'])
    expect(told(name, withOptions, '4310')).toEqual(chose('4310'));
  for (const asked of [{ questions: [port] }, withOptions])
    expect(told('mcp__wiki__ask_question', asked, '4310')).toEqual([]);
});

test.each([
  'rejected',
  'User refused it',
  'The user declined',
  'Tool use denied',
  'was canceled',
  'Was cancelled',
  '[dismissed]',
  'the user skipped it',
  "The user doesn't want to",
  'User doesn’t want to',
  'user did not answer',
  'no answer',
])('%j is no answer', (said) => expect(told('ask_user', { question: port }, said)).toEqual([]));

test.each([
  ['It was rejected', 'It was rejected'],
  ['rejections', 'rejections'],
  ['a user refused', 'a user refused'],
  ['The user has answered your questions: 4310', '4310'],
  ['User’s response: 4310', '4310'],
  ["the user's reply 4310", '4310'],
  ['User chose 4310', '4310'],
  ['user selected: 4310', '4310'],
  ['User replied:\n4310', '4310'],
  ['User responded: 4310', '4310'],
  ['user answer:4310', 'user answer:4310'],
  ['user answers 4310', 'user answers 4310'],
  ['So user chose 4310', 'So user chose 4310'],
  ['<answer>4310</answer> <answer>2</answer>', '4310'],
  ['so <answer>4310</answer>', '4310'],
  ['<answer>4310', '<answer>4310'],
  ['</answer><answer>4310', '</answer><answer>4310'],
  ['4310</answer>', '4310</answer>'],
  [`"${port}"="4310". You can`, '4310'],
  [`"${port}"="4310", "b"="c"`, '4310'],
  [`so "${port}"="4310" so`, '4310'],
  [`"${port}"="43"10"`, '43"10'],
  [`{"${port}":"4310"}`, '4310'],
  ['{"answers":{"q":["4310","",["or 2"]]}}', '4310, or 2'],
  ['{"answers":{"q":{"a":{"b":{"c":"4310"}}}}}', '4310'],
  ['{"answers":{"q":{"a":{"b":{"c":{"d":"4310"}}}}}}', ''],
  ['{"answers":{"other":"4310"}}', '4310'],
  ['{"other":"4310"}', '4310'],
  ['{"answers":null}', '{"answers":null}'],
  ['{"answers":"4310"}', '{"answers":"4310"}'],
  ['{"q":7}', ''],
  ['["4310"]', '["4310"]'],
  ['say “it”', 'say "it"'],
  ['', ''],
  [' \n', ''],
  ['x'.repeat(170), 'x'.repeat(170)],
  ['x'.repeat(171), `${'x'.repeat(169)}…`],
])('of the result %j the answer is %j', (said, answer) => {
  expect(told('ask_user', { id: 'q', question: port }, said)).toEqual(
    answer === '' ? [] : chose(answer),
  );
});

test.each<readonly [ToolCall['arguments'], readonly string[]]>([
  ['Which port?', []],
  [{}, []],
  [{ question: 4 }, []],
  [{ prompt: port }, chose('4310')],
  [{ message: port }, chose('4310')],
  [{ text: port }, chose('4310')],
  [{ text: 'x', question: port }, chose('4310')],
  [{ question: 4, text: port }, chose('4310')],
  [{ questions: [port] }, chose('4310')],
  [{ questions: [{ id: 7, question: port }, null, {}] }, chose('4310')],
  [{ questions: 'x', question: port }, chose('4310')],
  [{ questions: [] }, []],
])('a call with %j asks what it asks', (given, lines) => {
  expect(told('ask_user', given, '4310')).toEqual(lines);
});

test('of several questions each needs an answer of its own, and twenty are read', () => {
  const questions = Array.from({ length: 21 }, (_, n) => ({
    id: `q${n}`,
    question: `Is it ${n}?`,
  }));
  const answers = Object.fromEntries(questions.map(({ id }, n) => [id, n === 1 ? '' : `yes ${n}`]));
  const lines = told('ask_user', { questions }, JSON.stringify({ answers }));
  expect(lines).toHaveLength(19);
  expect(lines.slice(0, 2)).toEqual([
    'asked “Is it 0?”; the person chose “yes 0”',
    'asked “Is it 2?”; the person chose “yes 2”',
  ]);
  expect(told('ask_user', { questions: [port, store] }, '{"other":"4310"}')).toEqual([]);
});

test('a call without a result asks nothing yet, and a long question is cut', () => {
  expect(choiceNote({ name: 'ask_user', arguments: { question: port } }, undefined)).toEqual([]);
  const [line] = told('ask_user', { question: 'x'.repeat(201) }, '4310');
  expect(line).toBe(`asked “${'x'.repeat(199)}…”; the person chose “4310”`);
  expect(told('ask_user', { question: 'x'.repeat(200) }, '4310')[0]).toContain('x'.repeat(200));
});

test('answers are found by the id of their question, else by its text', () => {
  const questions = [
    { id: 'a', question: store },
    { id: 'b', question: port },
  ];
  const answers = { [store]: 'by text', b: 'by id', [port]: 'by text' };
  expect(told('ask_user', { questions }, JSON.stringify({ answers }))).toEqual([
    `asked “${store}”; the person chose “by text”`,
    `asked “${port}”; the person chose “by id”`,
  ]);
});

const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

test.each([
  [`${refused} To tell you how to proceed, the user said:\nadd it to the map`, 'add it to the map'],
  [
    'The user denied this operation and provided the following feedback:\n<feedback>\nuse “rg”\n</feedback>\n\nmore',
    'use "rg"',
  ],
  [
    'The user rejected permission to use this specific tool call with the following feedback: not yet',
    'not yet',
  ],
])(
  'of what a person said who refused a call the line says whose word it is, that of the result: %j',
  (content, words) => {
    const result = { role: 'tool', content, isError: true } as const;
    expect(told('Bash', { command: 'git reset --hard' }, result)).toEqual([
      `Bash \`git reset --hard\` was refused by the user (as its result says): “${words}”`,
    ]);
  },
);

test('a refusal without words is told, and no result that merely speaks of one', () => {
  const command = { command: 'make' };
  const silent = { role: 'tool', content: refused, isError: true } as const;
  expect(told('Bash', command, silent)).toEqual([
    'Bash `make` was refused by the user (as its result says)',
  ]);
  expect(told('ExitPlanMode', { plan: '# Hash' }, silent)).toEqual(['the person refused the plan']);
  const asksBack = `${refused} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    Take their response into account.`;
  expect(told('Bash', command, { ...silent, content: asksBack })).toEqual([
    'Bash `make` was refused by the user (as its result says)',
  ]);
  expect(told('Bash', command, { role: 'tool', content: refused })).toEqual([]);
  const printed = { role: 'tool', content: `Exit code 1\n${refused}`, isError: true } as const;
  expect(told('Bash', command, printed)).toEqual([]);
});
