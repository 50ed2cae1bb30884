import { expect, test } from 'vitest';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import { handedIn, isAskedGoal, isResting, taskOf } from '../../../src/core/progress/task.ts';
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
