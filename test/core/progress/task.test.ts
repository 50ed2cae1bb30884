import { expect, test } from 'vitest';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import {
  handedIn,
  isAskedGoal,
  isCommit,
  isResting,
  taskOf,
  taskText,
} from '../../../src/core/progress/task.ts';
import { play } from '../../notation/state.ts';
import { workIn } from './work.ts';

const build = 'u Build the importer for CSV files';
const work = ['c | write: a.ts', 'r ok'];
const commit = ['c | bash: git commit -m "Add it"', 'r [main 12ab34c] Add it\n 1 file changed'];

test.each<readonly [string, readonly string[], string]>([
  ['nothing was said', [], 'null'],
  ['nothing has a word', ['u ???', 'u 👍'], 'null'],
  ['one letter was said', ['u a', 'u 1 b'], 'null'],
  [
    'a curse at length',
    [build, 'u you are an idiot. this is such a horrible, shitty thing to do.', ...work],
    '1 Build the importer for CSV files',
  ],
  ['one word was said', ['u hi'], '1 hi'],
  ['a request was made', ['u hi', build], '2 Build the importer for CSV files'],
  [
    'the last request counts',
    [build, 'u Write the docs for the parser'],
    '2 Write the docs for the parser',
  ],
  [
    'to go on asks for what was asked before',
    [build, 'u go on'],
    '1 Build the importer for CSV files',
  ],
  [
    'what comes next is asked for anew',
    [build, ...work, 'u next: add the page for it'],
    '4 next: add the page for it',
  ],
  ['thanks ask for nothing', [build, 'u thanks'], '1 Build the importer for CSV files'],
  [
    'talk at length asks for nothing',
    [build, 'u yes that is what I had hoped for when I began'],
    '1 Build the importer for CSV files',
  ],
  [
    'what was told at length and worked on',
    [build, 'u the header of the file is in German in this country', ...work],
    '2 the header of the file is in German in this country',
  ],
  [
    'a question at length',
    [build, 'u the header of the file is in German, is it not so here?'],
    '2 the header of the file is in German, is it not so here?',
  ],
  [
    'an aside after a commit, then on',
    [build, ...commit, 'u btw fix the typo in the readme', ...commit, 'u go on'],
    '1 Build the importer for CSV files',
  ],
  [
    'an aside without a commit',
    [build, 'u btw fix the typo in the readme', 'u go on'],
    '2 btw fix the typo in the readme',
  ],
])('where %s, the task is known', (_, lines, told) => {
  const task = taskOf(workIn(lines));
  expect(task === null ? 'null' : `${task.n} ${task.text}`).toBe(told);
});

test.each([
  ['Summarize real quick what you did', true],
  ['please give me a short summary of the work so far', true],
  ['Summarize the report in docs/report.md', false],
  ['Summarize what you did and write it to NOTES', false],
])('a request for a summary of the work is told with what it is about: %j', (text, is) => {
  const task = taskOf(workIn([build, ...work, 'a It reads the rows.', `u ${text}`, 'a I did it.']));
  expect(task).toMatchObject({ n: 5 });
  expect(task!.after?.n).toBe(is ? 1 : undefined);
  expect(taskOf(workIn([`u ${text}`]))).toMatchObject({ n: 1 });
});

test('a topic that a person wrote is the task, until they ask for another', () => {
  const edits = [{ n: 2, topic: 'The exporter' }] as unknown as SessionWork['edits'];
  expect(taskOf(workIn([build, 'm edited', 'u ok'], { edits }))).toEqual({
    n: 2,
    text: 'The exporter',
  });
  expect(taskOf(workIn([build, 'm edited', build], { edits }))).toMatchObject({ n: 3 });
});

test.each([
  ['submit', 2],
  ['Finish', 2],
  ['final_answer', 2],
  ['finalanswer', 2],
  ['attempt_completion', 2],
  ['task_done', 2],
  ['task_complete', 2],
  ['complete_task', 2],
  ['mark_complete', 2],
  ['submit_form', 0],
  ['resubmit', 0],
  ['read', 0],
])('a call of %s hands the work in or not', (name, n) => {
  expect(handedIn(workIn([build, `c | ${name}: it`]))).toBe(n);
  expect(handedIn(workIn([build, `c | ${name}: it`, 'r ok']))).toBe(n);
  expect(handedIn(workIn([build, `c | ${name}: it`, 'r! Error: refused']))).toBe(0);
  expect(handedIn(workIn([build, `c | ${name}: it`, 'r ok', 'u more']))).toBe(0);
});

test('after a recovery a session rests until something is asked or done', () => {
  const recovered = emptyDocument;
  const of = (...lines: string[]): boolean => isResting(workIn(lines, { recovered }));
  expect([of(), of('u hi', 'a Hello.'), of(build), of('c | read: a.ts'), of(...work)]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(isResting(workIn([]))).toBe(false);
});

test('a recovered goal that was asked for gives way to later requests', () => {
  const { state } = play('');
  const of = (asked: string, told: string, goal = 'Ship it'): boolean =>
    isAskedGoal(
      { ...state, goal: newGoal(goal) },
      workIn([], { recovered: { ...emptyDocument, asked, goal: told } }),
    );
  expect([of('e1', 'Ship it'), of('', 'Ship it'), of('e1', 'Other')]).toEqual([true, false, false]);
  expect(isAskedGoal({ ...state, goal: newGoal('Ship it') }, workIn([]))).toBe(false);
});

const typo = 'fix the typo in the readme';

test.each([
  ['btw', 1],
  ['- BTW', 1],
  ['by the way', 1],
  ['also', 1],
  ['one thing', 1],
  ['one more', 1],
  ['nit:', 1],
  ['quick', 1],
  ['please', 4],
  ['please, btw,', 4],
])('what begins with %j is beside the work or not, once that was committed', (word, n) => {
  const lines = [build, ...commit, `u ${word} ${typo}`, ...commit, 'u go on'];
  expect(taskOf(workIn(lines))?.n).toBe(n);
});

test('a commit settles what was asked before it, once a person goes on', () => {
  const of = (...lines: string[]) => taskOf(workIn([build, ...lines]))?.n;
  expect(of(`u btw ${typo}`, ...commit)).toBe(2);
  expect(of(...commit, `u btw ${typo}`, 'u go on')).toBe(4);
  expect(of(`u btw ${typo}`, 'u go on', ...commit)).toBe(2);
  expect(of(`u btw ${typo}`, ...work, 'u go on')).toBe(2);
  expect(of(`u btw ${typo}`, ...commit, 'u go on', 'u go on')).toBe(1);
});

test.each([
  ['yes, the header of the file is in German, is it not?', 1],
  ['thank you, the header of the file is in German, no?', 1],
  ['sure, the header of the file is in German, is it not?', 1],
  ['yesterday the header of the file was in German, no?', 2],
  ['the thanks of the header of it is in German, is it?', 2],
  ['hello my good and old friend of all, are you there?', 1],
  ['hello my good and old friend, are you still there?', 1],
  ['the header of it is in German, and so i hope: is it?', 1],
])('that %j is asked is known from its words', (said, n) => {
  expect(taskOf(workIn([build, `u ${said}`]))?.n).toBe(n);
});

const told = (...lines: readonly string[]): string => taskText(taskOf(workIn(lines))!);
const built = '“Build the importer for CSV files” (e1)';

test.each([
  ['address the feedback', '“address the feedback” (e2)'],
  ['how would we get that token?', `“how would we get that token?” (e2), asked after ${built}`],
  ['why so?', `“why so?” (e2), asked after ${built}`],
  ['run it', `“run it” (e2), asked after ${built}`],
  ['yeah close it', '“yeah close it” (e2)'],
  ['the test:ci of it fails', `“the test:ci of it fails” (e2), asked after ${built}`],
  [
    'fatal: failed to run repack',
    `${built}, then what they pasted: “fatal: failed to run repack” (e2)`,
  ],
  ['$ npm test\n12 rows', `${built}, then what they pasted (e2)`],
  ['$ npm test\n12 rows\n\nHELP', `${built}, then what they pasted (e2)`],
  ['```\n$ npm i\n\n✓ added\n```', `${built}, then what they pasted (e2)`],
  [
    'what do the\n```\nid: 1\n```\nfields do?',
    `“what do the fields do?” (e2), asked after ${built}`,
  ],
  ['$ npm test\n12 rows\n\nfix the third row of it', '“fix the third row of it” (e2)'],
  ['add a `{ id }` field to the row', '“add a `{ id }` field to the row” (e2)'],
  ['Commit', `“Commit” (e2), asked after ${built}`],
  ['Nice', built],
  ['yes please do', built],
  ['yes, do 1', '“yes, do 1” (e2)'],
  ['Ran `ls` (exit 0)\nsrc/pool', built],
  ['why?', built],
  ['go on', built],
  ['yes?', built],
  ['wow, it works', built],
  ['what is that, you idiot?', built],
  [
    'the header of the file in German, is it?',
    `“the header of the file in German, is it?” (e2), asked after ${built}`,
  ],
  ['the header of the files in German, is it?', '“the header of the files in German, is it?” (e2)'],
])('the newest request is the task, in few words with what was asked before: %j', (said, task) => {
  expect(told(build, `u ${said}`)).toBe(task);
});

test('a request of few words stays the task behind answers to it, and where none came before', () => {
  const asked = `“how would we get that token?” (e2), asked after ${built}`;
  expect(told(build, 'u how would we get that token?', 'a By mail.', 'u ok')).toBe(asked);
  expect(told('u hi', 'u which port is it?')).toBe('“which port is it?” (e2)');
  expect(told('u $ npm test\n12 rows', 'u hello')).toBe('“hello” (e2)');
  expect(told('u $ npm test\n12 rows')).toBe('“$ npm test 12 rows” (e1)');
});

test('a short aside is left behind once its work was committed and the person goes on', () => {
  expect(told(build, 'u is it green?', ...commit, 'u go on')).toBe(built);
  expect(told(build, 'u is it green?', 'u go on')).toContain('“is it green?” (e2)');
});

test('of topics that a person wrote the last one counts, where there is one', () => {
  const edit = (n: number, topic: string) => ({ n, topic });
  const of = (...all: readonly { n: number; topic: string }[]) =>
    taskOf(workIn([build, 'm edited', 'm edited', 'u ok'], { edits: all as never }));
  expect(of(edit(2, ''))).toEqual({ n: 1, text: 'Build the importer for CSV files' });
  expect(of(edit(2, 'A'), edit(3, 'B'))).toEqual({ n: 3, text: 'B' });
  expect(of(edit(2, 'A'), edit(3, ''))).toEqual({ n: 2, text: 'A' });
});

test.each([
  ['done', 'commit: Add it', true],
  ['done', 'pull request: Add it', true],
  ['done', 'so commit: Add it', false],
  ['done', 'commit Add it', false],
  ['said', 'commit: Add it', false],
] as const)('a line of kind %s that says %j is a commit: %j', (kind, text, is) => {
  expect(isCommit({ kind, text, n: 1, to: 1, turn: 0, file: '', worth: 1, tokens: 1 })).toBe(is);
});
