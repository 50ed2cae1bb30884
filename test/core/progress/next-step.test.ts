import { expect, test } from 'vitest';
import { newGoal, type Goal } from '../../../src/core/frames/goal.ts';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import { nextStep, openQuestion } from '../../../src/core/progress/next-step.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import { taskOf } from '../../../src/core/progress/task.ts';
import { play } from '../../notation/state.ts';
import { workIn } from './work.ts';

const nextIn = (work: SessionWork, tree = ''): string =>
  nextStep(play(tree).state, work, taskOf(work));

const refused = "The user doesn't want to proceed with this tool use.";
const build = 'u Build the importer for CSV files';
const next = 'what the user asks next';

test.each([
  ['nothing was said', [], ''],
  ['a request waits', [build], '“Build the importer for CSV files” (e1)'],
  [
    'a question of a person waits',
    [build, 'a Done.', 'u and why?'],
    'the answer to “and why?” (e3)',
  ],
  ['small talk waits', [build, 'a Done.', 'u ok'], 'to begin with it'],
  [
    'a pasted text waits',
    [build, 'a Done.', 'u $ npm test\n12 rows'],
    'the answer to what they pasted (e3)',
  ],
  [
    'a pasted text is worked on',
    [build, 'a Done.', 'u fatal: no such row', 'c | read: a.csv', 'r a'],
    'to go on with what they pasted: “fatal: no such row” (e3)',
  ],
  [
    'a command was run by a person',
    [build, 'a It is built.', 'u Ran `ls` (exit 0)\na.csv'],
    `${next}; the last answer (e2) asks nothing`,
  ],
  [
    'a question is led to',
    [build, 'a Done.', 'u We add rows by hand. Which way is better, now or later?'],
    '“We add rows by hand. Which way is better, now or later?” (e3)',
  ],
  [
    'what was said to be done was committed',
    [
      build,
      'a Done.',
      'u commit',
      'c Let me prepare the commit by hand | bash: git commit -m "Add it"',
      'r [main 12ab34c] Add it\n 1 file changed',
      'c | bash: ls',
      'r a',
    ],
    next,
  ],
  [
    'a commit is part of what was asked',
    [
      build,
      'c Let me prepare the commit by hand | bash: git commit -m "Add it"',
      'r [main 12ab34c] Add it\n 1 file changed',
      'c | bash: ls',
      'r a',
    ],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  [
    'machine text asks nothing',
    [build, 'a It is built.', 'm Ran `ls` (exit 0)'],
    `${next}; the last answer (e2) asks nothing`,
  ],
  [
    'a call is made',
    [build, 'c | read: a.csv'],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  [
    'a result came',
    [build, 'c | read: a.csv', 'r a,b'],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  [
    'a request came after the work',
    [build, 'c | read: a.csv', 'r a', 'u ok'],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  [
    'a call failed',
    [build, 'c | bash: npm test', 'r! Error: no such file a.csv'],
    'to go on with it: `npm test` failed: Error: no such file a.csv (e3)',
  ],
  [
    'the model said what it would do',
    [build, 'c Now let me read the head of the file: | read: a.csv', 'r a'],
    '“Now let me read the head of the file” (e2)',
  ],
  [
    'it said so in few words',
    [build, 'c Let me look there. | read: a.csv', 'r a'],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  [
    'it said something else since',
    [
      build,
      'c I will read the head of it. | read: a.csv',
      'r a',
      'c It has two columns. | read: b.csv',
      'r a',
    ],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  ['the work was handed in', [build, 'c | submit: all'], next],
  [
    'what handed it in failed',
    [build, 'c | submit: all', 'r! Error: refused'],
    'to go on with it: `all` failed: Error: refused (e3)',
  ],
  [
    'a person refused a call without a word',
    [build, 'c | exitPlanMode: Build it', `r! ${refused}`, 'm [Request interrupted by user]'],
    'what the user says: they refused the plan (e3)',
  ],
  [
    'a person refused a call and said what to do',
    [build, 'c | exitPlanMode: Build it', `r! ${refused} the user said: smaller steps`],
    'to go on with “Build the importer for CSV files” (e1)',
  ],
  [
    'an answer asks',
    [build, 'a It is built. Shall I write the tests too?'],
    'the answer to “It is built. Shall I write the tests too?” (e2)',
  ],
  [
    'an answer names what is ahead',
    [build, 'a The importer works now. Still open: the tests for it fail because of the header.'],
    'Still open: the tests for it fail because of the header (e2)',
  ],
  [
    'an answer offers',
    [build, 'a It is built. Let me know if you want tests for the parser.'],
    'what the user says to “Let me know if you want tests for the parser” (e2)',
  ],
  [
    'an answer offers nothing in particular',
    [build, 'a It is built. Let me know if you like.'],
    `${next}; the last answer (e2) asks nothing`,
  ],
  [
    'an offer is not the last that is said',
    [build, 'a I am ready to write the tests now. But first a break. The sky is blue. Good.'],
    `${next}; the last answer (e2) asks nothing`,
  ],
])('where %s, what comes next is told', (_, lines, step) => {
  expect(nextIn(workIn(lines))).toBe(step);
});

const listed = (...marks: (' ' | '~' | 'x')[]): SessionWork['list'] =>
  marks.map((mark, n) => ({ text: `Item ${n}`, mark, n: 2 }));

test.each([
  [['x', '~', ' '], '“Item 1” (e2)'],
  [['x', ' ', '~'], '“Item 2” (e2)'],
  [['x', ' ', ' '], '“Item 1” (e2)'],
  [['x', 'x'], `${next}; the last answer (e2) asks nothing`],
] as const)('of a list with %j the item in progress comes next, else the first', (marks, step) => {
  expect(nextIn(workIn([build, 'a Done.'], { list: listed(...marks) }))).toBe(step);
});

test('a list that is older than the request is history', () => {
  const work = workIn(['u Hello', 'a Done.', build], { list: listed(' ') });
  expect(nextIn(work)).toBe('“Build the importer for CSV files” (e3)');
  expect(nextIn({ ...work, list: [{ text: 'Item', mark: ' ', n: 3 }] })).toBe('“Item” (e3)');
});

const goal = (changes: Partial<Goal>): Goal => ({ ...newGoal('Ship it'), ...changes });
const pending = { text: 'Pending one', status: 'pending' } as const;
const begun = { text: 'Begun one', status: 'in_progress' } as const;

test.each<readonly [string, Goal, string, string]>([
  [
    'the first step of the goal',
    goal({ next: ['Step one.', 'Two'], milestones: [begun] }),
    'plan:p',
    'Step one',
  ],
  ['the milestone in progress', goal({ milestones: [pending, begun] }), 'plan:p', 'Begun one'],
  ['what is planned', goal({ milestones: [pending] }), 'plan:p plan:q', 'p'],
  ['a milestone ahead', goal({ milestones: [pending] }), 'push:a pop', 'Pending one'],
  [
    'nothing of a completed goal',
    goal({ status: 'completed', next: ['Step'] }),
    '',
    '“Build the importer for CSV files” (e1)',
  ],
])('%s comes before what was asked first', (...[, aim, tree, step]) => {
  const state = { ...play(tree).state, goal: aim };
  const work = workIn([build]);
  expect(nextStep(state, work, taskOf(work))).toBe(step);
});

test('what a person asked since comes before what is kept and listed, until it is answered', () => {
  const state = { ...play('').state, goal: goal({ next: ['Step one.'] }) };
  const lines = [build, 'a Done.', 'u address the feedback'];
  const of = (more: readonly string[]): string => {
    const work = workIn([...lines, ...more], { list: listed(' ') });
    return nextStep(state, work, taskOf(work));
  };
  expect(of([])).toBe('“address the feedback” (e3), then Step one');
  expect(of(['a Done.'])).toBe('Step one');
  expect(nextIn(workIn(lines, { list: listed(' ') }))).toBe('“address the feedback” (e3)');
});

test('a list goes on behind a question beside it, and is history behind work of few words', () => {
  const list = listed(' ');
  const begin = [build, 'a Done.', 'u are all tests green?'];
  expect(nextIn(workIn([...begin, 'a They are.'], { list }))).toBe('“Item 0” (e2)');
  expect(nextIn(workIn([...begin, 'c | write: a.ts', 'r ok', 'a They are.'], { list }))).toBe(
    `${next}; the last answer (e6) asks nothing`,
  );
});

test('what a person wrote as the next step stands until they say something else or it is answered', () => {
  const edit = {
    n: 2,
    text: '',
    next: 'Write the docs.',
    topic: '',
    open: [],
    done: [],
    gone: [],
    decisions: [],
  };
  const edits = [edit] as unknown as SessionWork['edits'];
  const of = (...lines: string[]): string =>
    nextIn(workIn([build, 'm edited', ...lines], { edits }));
  expect(of()).toBe('“Write the docs” (e2)');
  expect(of('c | read: a.csv', 'r a')).toBe('“Write the docs” (e2)');
  expect(of('a The docs are written.')).toBe(`${next}; the last answer (e3) asks nothing`);
  expect(of('u Write the tests now')).toBe('“Write the tests now” (e3)');
});

test('in a frame, what it is for is gone on with', () => {
  const step = nextIn(workIn([build, 'c | read: a.csv', 'r a']), 'u5 push:tests a2 a2');
  expect(step).toBe('to go on with “tests” (e2)');
  expect(nextIn(workIn([build]), 'push:tests')).toBe('“Build the importer for CSV files” (e1)');
});

test.each([
  ['a request', [build], 'u5 push:tests a2 pop'],
  ['a call', [build, 'c | read: a.csv', 'r a'], 'u5 call:read result:read:9 push:tests a2 pop'],
  ['two frames', [build], 'u5 push:tests a2 fail push:again a2 pop'],
])('a request is not next that frames were completed for, after %s', (_, lines, tree) => {
  const left =
    'what is left of “Build the importer for CSV files” (e1), else what the user asks next';
  expect(nextIn(workIn(lines), tree)).toBe(left);
});

test('a request is next where its frame failed, and what is above a completed frame is gone on with', () => {
  const request = '“Build the importer for CSV files” (e1)';
  expect(nextIn(workIn([build]), 'u5 push:tests a2 fail')).toBe(request);
  expect(nextIn(workIn([build]), 'u5 push:tests a2 block')).toBe(request);
  const below = nextIn(workIn([build, 'a Begun.']), 'u5 push:import a2 push:tests a2 pop');
  expect(below).toBe('to go on with “import” (e2)');
});

test('after a recovery the recovered step comes next, until something is asked', () => {
  const recovered = { ...emptyDocument, next: 'Write the migration.' };
  expect(nextIn(workIn(['u hi'], { recovered }))).toBe('Write the migration');
  expect(nextIn(workIn([build], { recovered }))).toBe('“Build the importer for CSV files” (e1)');
  expect(nextIn(workIn(['u hi'], { recovered: emptyDocument }))).toBe('to begin with it');
});

const leaning = `Should it be ${'kept '.repeat(16)}for us?`;

test.each([
  ['Shall I write the tests?', 'Shall I write the tests?'],
  ['Why not?', null],
  ['Shall I write the tests? Good. Fine. Yes.', null],
  ['Shall I write the tests? Good. Fine.', 'Shall I write the tests?'],
  [
    'Shall I write the **tests** for all of the parsers?',
    'Shall I write the tests for all of the parsers?',
  ],
  [
    'Shall the window be as wide as the page of the browser?',
    'Shall the window be as wide as the page of the browser?',
  ],
  // What says too little by itself leans on the sentence before.
  [
    'The cookie lives an hour by default. Is it what you want?',
    'The cookie lives an hour by default. Is it what you want?',
  ],
  [
    'The cookie lives an hour. Shall the window be as wide as the page of the browser?',
    'Shall the window be as wide as the page of the browser?',
  ],
  ['Good. Is it what you want?', 'Is it what you want?'],
  ['It is small. Is it what you want?', 'It is small. Is it what you want?'],
  [
    `The cookie lives ${'an hour '.repeat(20)}or so. ${leaning}`,
    expect.stringMatching(/^.{95,98}… /),
  ],
  [
    `The cookie lives an hour by default. ${leaning.replace('?', ' and nine more?')}`,
    expect.stringMatching(/^Should/),
  ],
])('of the answer %j the open question is %j', (text, question) => {
  const asked = openQuestion(workIn([build, `a ${text}`]));
  expect(asked?.text ?? null).toEqual(question);
});

test('a question is open until somebody says something, machines aside', () => {
  const asks = 'a Shall I write the tests?';
  expect(openQuestion(workIn([build, asks, 'm Ran `ls`']))).toMatchObject({ n: 2 });
  expect(openQuestion(workIn([build, asks, 'u no']))).toBe(null);
  expect(openQuestion(workIn([build, 'c Shall I write the tests? | read: a.csv']))).toBe(null);
  expect(openQuestion(workIn([]))).toBe(null);
});
