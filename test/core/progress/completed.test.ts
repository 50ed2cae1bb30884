import { expect, test } from 'vitest';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import { lastCompleted, tellsCompletion } from '../../../src/core/progress/completed.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import { play } from '../../notation/state.ts';
import { workIn } from './work.ts';

test.each([
  ['The parser is fixed.', true],
  ['All tests passed', true],
  ['All tests pass.', true],
  ['The tests should pass', false],
  ['FIXED the parser', true],
  ['The login now works', true],
  ['The login works again', true],
  ['The login works', false],
  ['It now returns null', true],
  ['It returns null', false],
  ['The prefix is short', false],
  ['The parser is not fixed', false],
  ["The parser isn't fixed", false],
  ['The parser is fixed?', false],
  ['Is it fixed? Yes, it is fixed', true],
  ['We can have it fixed', false],
  ['They can have it fixed', true],
  ['I’ll have it fixed', false],
  ['It is fixed (but not tested)', true],
  ['It is fixed, `never` is gone', true],
  ['It is (fixed)', false],
  ['created src/a.ts', false],
  ['Modified src/a.ts', false],
  ['created src/a.ts and more', true],
  ['removed src/a.ts', true],
  ['Test added: `pool.test.ts` verifies: the row is not moved', true],
  ['Fix for the pool: it would lose a row', true],
  ['Next: a test will be added', false],
  ['Done so far: nothing, the build is still failing', false],
  ['To be done: I will move the parser', false],
  ['Files updated: none yet', false],
  ['Tests passing: 3 of 10, the rest still fail', false],
  ['Fixed: no, the crash will come back', false],
  ['The migration is complete', true],
  ['Steps 1–4 Complete: the parser, the lexer', true],
  ['The parser keeps the complete file', false],
  ['Wait for the prompt to complete.', false],
  ['The build passes', true],
  ['It passes', true],
  ['The parser passes the rows on', false],
  ['Here’s why: the pool was moved', false],
  ['Root cause: the row was removed', false],
  ['The cause is fixed', true],
  ['with the rows added', false],
  ['Within the pool the rows are added', true],
  ['A row is added by each call', false],
  ['A test was added', true],
  ['It was already committed in a previous session', false],
  ['It was committed in this session', true],
  ['Status: the function was removed', false],
])('%j tells that something is done: %j', (text, is) => {
  expect(tellsCompletion(text)).toBe(is);
});

const build = 'u Build the importer for CSV files';
const commit = [
  'c | bash: git commit -m "Add the importer"',
  'r [main 12ab34c] Add the importer\n 1 file changed',
];

test.each<readonly [string, readonly string[], string]>([
  ['nothing', [build], ''],
  [
    'what came out',
    [build, 'c | bash: npm i', 'r\n\n a.csv “b”  c\nd'.replace('r\n', 'r \n')],
    '`npm i`, which said “a.csv "b" c” (e3)',
  ],
  ['nothing where all looked around', [build, 'c | bash: ls', 'r a.csv', 'c | read: a', 'r b'], ''],
  ['no result that failed', [build, 'c | bash: npm i', 'r! Error: no'], ''],
  ['no result of another tool', [build, 'c | task: look', 'r I have seen it all'], ''],
  ['no result that says nothing', [build, 'c | bash: true', 'r '], ''],
  [
    'the newest result',
    [build, 'c | bash: npm i', 'r a.csv', 'c | bash: npm ci', 'r /home'],
    '`npm ci`, which said “/home” (e5)',
  ],
  [
    'a change before a result',
    [build, 'c | write: a.ts', 'r ok', 'c | bash: ls', 'r a.csv'],
    'a change of a.ts (e2)',
  ],
  [
    'what the model said in the middle of a turn',
    [build, 'c The importer is finished for now. | write: a.ts', 'r ok'],
    'a change of a.ts (e2)',
  ],
  [
    'what it said at the end of a turn',
    [build, 'c | write: a.ts', 'r ok', 'a The importer is finished and all of it is tested.'],
    'The importer is finished and all of it is tested (e4)',
  ],
  [
    'what it said before a call that changed nothing',
    [build, 'c The importer is finished and all of it is tested. | bash: npm i', 'r a.csv'],
    'The importer is finished and all of it is tested (e2)',
  ],
  [
    'no plan that it told before a change',
    [build, 'c I will have the importer finished and tested soon. | write: a.ts', 'r ok'],
    'a change of a.ts (e2)',
  ],
  ['a commit', [build, ...commit], 'commit: Add the importer (12ab34c) (e2)'],
  [
    'what was said after a commit',
    [build, ...commit, 'a The importer is finished and all of it is tested.'],
    'The importer is finished and all of it is tested (e4)',
  ],
  [
    'the answer at the end of a turn that changed something, in whatever words',
    [
      build,
      'a The importer is finished and all of it is tested.',
      'u Give each row a number',
      'c | write: a.ts',
      'r ok',
      'a Each row of `a.ts` begins with its number from 1 on.',
    ],
    'Each row of `a.ts` begins with its number from 1 on (e6)',
  ],
  [
    'no answer to what changed nothing',
    [
      build,
      'c | write: a.ts',
      'r ok',
      'a The importer is finished and all of it is tested.',
      'u How does it number the rows?',
      'a Each row of `a.ts` begins with its number from 1 on.',
    ],
    'The importer is finished and all of it is tested (e4)',
  ],
  [
    'no answer behind a check that fails, and none with doubt, but what was changed since',
    [
      build,
      'c | bash: npm i',
      'r ok',
      'a The importer is finished and all of it is tested.',
      'u Give each row a number',
      'c | write: a.ts',
      'r ok',
      'c | bash: npm test',
      'r! Error: 2 rows have none',
      'a Each row of `a.ts` begins with its number from 1 on.',
      'u and the last?',
      'c | write: a.ts',
      'r ok',
      'a The last row of `a.ts` might have two numbers.',
    ],
    'The importer is finished and all of it is tested (e4), then a change of a.ts (e12)',
  ],
  [
    'what was done, not what was found where all looked around',
    [
      build,
      'c | write: a.ts',
      'r ok',
      'a The importer is finished and all of it is tested.',
      'u how did the pool lose rows?',
      'c | bash: cat pool.ts | head -n 9',
      'r a',
      'a The rows were removed in the pool, which was fixed by nobody.',
    ],
    'The importer is finished and all of it is tested (e4)',
  ],
  [
    'no cause and nothing that is left to a person, though something was changed',
    [
      build,
      'c | write: a.ts',
      'r ok',
      'a The importer is finished and all of it is tested.',
      'u it hangs',
      'c | write: b.ts',
      'r ok',
      'a The root cause: `b.ts` was reading the file twice from its start.',
      'u again',
      'c | write: b.ts',
      'r ok',
      'a Next time you start it, check what `b.ts` prints at its end.',
      'u how?',
      'c | write: b.ts',
      'r ok',
      'a Check the lines of `b.ts` that stand at the end of it all.',
    ],
    'The importer is finished and all of it is tested (e4), then a change of b.ts (e14)',
  ],
  [
    'that it was handed in',
    [build, ...commit, 'c | submit: all'],
    'commit: Add the importer (12ab34c) (e2); the work was handed in (e4)',
  ],
])('what was completed last is %s', (_, lines, told) => {
  expect(lastCompleted(play('').state, workIn(lines))).toBe(told);
});

test('of a turn that left the window, the last that the model said counts where it tells of completion', () => {
  const line = (kind: Line['kind'], n: number, text: string): Line => {
    return { turn: 1, kind, n, to: n, text, file: '', worth: 1, tokens: 4 };
  };
  const of = (...lines: readonly Line[]): string =>
    lastCompleted(play('').state, { ...workIn([]), lines });
  const fixed = line('said', 3, 'The parser was fixed.');
  const told = 'The parser was fixed (e3)';
  expect(of(fixed, line('asked', 5, 'The lexer was fixed.'))).toBe(told);
  expect(of(fixed, line('said', 5, 'asked “Is it done?”; e6 “it is done”'))).toBe(told);
  expect(of(fixed, line('said', 3, 'The lexer was fixed, too.'))).toBe(told);
  const commit = line('done', 4, 'commit: Add it · 2 files');
  expect(of(fixed, commit)).toBe('commit: Add it (e4)');
  // In the middle of a turn it counts for less than a commit before it.
  expect(of(line('done', 2, 'commit: Add it'), fixed, line('said', 5, 'It is slow.'))).toBe(
    'commit: Add it (e2)',
  );
});

test('a later part of a list does not tell what was completed', () => {
  const line = (n: number, text: string): Line => {
    return { turn: n - 1, kind: 'said', n, to: n, text, file: '', worth: 1, tokens: 4 };
  };
  const lines = [
    line(3, 'The parser was fixed.'),
    line(5, 'What I did: …; Settings helpers — added to src/settings.ts.'),
    line(7, '…; the pool — added to src/pool.ts.'),
  ];
  const told = lastCompleted(play('').state, { ...workIn([]), lines });
  expect(told).toBe('The parser was fixed (e3)');
});

test('a long result is quoted as far as a line goes', () => {
  const told = lastCompleted(
    play('').state,
    workIn([build, 'c | bash: npm i', `r ${'a'.repeat(99)}`]),
  );
  expect(told).toBe(`\`npm i\`, which said “${'a'.repeat(79)}…” (e3)`);
});

const list: SessionWork['list'] = [
  { text: 'Read it', mark: 'x', n: 4 },
  { text: 'Write it', mark: ' ', n: 9 },
];

test('of items, frames and commits the newest was completed last', () => {
  const { state } = play('u5 push:a a2 a2 pop push:b a2 fail');
  const of = (work: SessionWork): string => lastCompleted(state, work);
  expect(of(workIn([build]))).toBe('a: a is completed');
  expect(of(workIn([build], { list }))).toBe('“Read it” (e4)');
  expect(of(workIn([build], { list: [{ ...list[0]!, n: 3 }] }))).toBe('“Read it” (e3)');
  expect(of(workIn([build], { list: [{ ...list[0]!, n: 2 }] }))).toBe('a: a is completed');
});

test('a milestone that was completed comes before all, unless it was recovered as such', () => {
  const milestones = [
    { text: 'Read.', status: 'completed' },
    { text: 'Write.', status: 'completed' },
    { text: 'Test.', status: 'pending' },
  ] as const;
  const state = { ...play('').state, goal: { ...newGoal('Ship it'), milestones } };
  expect(lastCompleted(state, workIn([build, ...commit]))).toBe('Write');
  const actions = [
    { text: 'Write.', done: true },
    { text: 'Read.', done: false },
  ];
  expect(lastCompleted(state, workIn([build], { recovered: { ...emptyDocument, actions } }))).toBe(
    'Read',
  );
});

test('after a recovery, what came since; else what was recovered', () => {
  const recovered = { ...emptyDocument, completed: 'the login' };
  const { state } = play('');
  expect(lastCompleted(state, workIn([build], { recovered }))).toBe('the login');
  expect(lastCompleted(state, workIn([build, ...commit], { recovered }))).toBe(
    'commit: Add the importer (12ab34c) (e2)',
  );
  expect(lastCompleted(state, workIn([build, 'c | write: a.ts', 'r ok'], { recovered }))).toBe(
    'the login',
  );
  expect(
    lastCompleted(state, workIn([build, 'c | write: a.ts', 'r ok'], { recovered: emptyDocument })),
  ).toBe('a change of a.ts (e2)');
});
