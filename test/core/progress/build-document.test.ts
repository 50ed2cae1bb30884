import { expect, test } from 'vitest';
import { emptyDocument, type CheckpointDocument } from '../../../src/core/documents/document.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import {
  documentOf,
  documentSince,
  tellsNothing,
} from '../../../src/core/progress/build-document.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import {
  nothingReported,
  openAround,
  type DocumentReason,
  type Told,
} from '../../../src/core/state/document-schedule.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play } from '../../notation/state.ts';
import { workIn } from './work.ts';

const { state: silent } = play('');

/** The document of work since something was told. */
const since = (
  work: SessionWork,
  given: { told?: Partial<Told>; state?: State; reason?: DocumentReason } = {},
): CheckpointDocument =>
  documentSince(given.state ?? silent, work, {
    stamp: { id: 'd', at: 1, reason: given.reason ?? 'command' },
    baseline: { ...nothingReported, ...given.told },
  });

const texts = ({ decisions }: CheckpointDocument): readonly string[] =>
  decisions.map(({ text, kind }) => (kind === 'directive' ? text : `${text} | ${kind ?? ''}`));

const build = 'u Build the importer for CSV files. Never write to the log.';
const rule = 'Build the importer for CSV files. Never write to the log.';
const session = [
  build,
  'c It turns out that the header is missing. | write: src/a.ts',
  'r ok',
  'c | bash: npm test',
  'r! Error: 2 tests fail',
  'c | bash: git commit -m "Add the reader"',
  'r [main 12ab34c] Add the reader\n 1 file changed',
  'a We decided to use streams instead of arrays. The reader was finished and is fast. Shall I write the tests for it too?',
];

test('the first document tells all that there is', () => {
  const { state } = play('u5 plan:later push:done a2 a2 pop push:now block call:read call:list');
  const list = [
    { text: 'Read', mark: 'x', n: 2 },
    { text: 'Write', mark: '~', n: 2 },
  ] as const;
  expect(since(workIn(session, { list }), { state, reason: 'truncation' })).toEqual({
    ...emptyDocument,
    id: 'd',
    session: 's',
    at: 1,
    reason: 'truncation',
    messages: 5,
    note: 'This is a pre-truncation summary.',
    topic: '“Build the importer for CSV files. Never write to the log” (e1)',
    goal: rule,
    asked: 'e1',
    title: 'root',
    decisions: [
      { text: rule, done: true, kind: 'directive', entry: 'e1' },
      {
        text: 'We decided to use streams instead of arrays',
        done: false,
        kind: 'noted',
        entry: 'e8',
      },
    ],
    actions: [
      {
        text: 'later',
        done: false,
        kind: 'frame, planned',
        detail: 'later works',
        frame: 'f1',
        parent: 'f0',
      },
      {
        text: 'done',
        done: true,
        kind: 'frame, completed',
        detail: 'done is completed',
        frame: 'f2',
        parent: 'f0',
      },
      {
        text: 'now',
        done: false,
        kind: 'frame, blocked',
        detail: 'now works\nBlocked: it broke',
        frame: 'f3',
        parent: 'f0',
      },
      { text: 'Read', done: true, kind: 'list', entry: 'e2' },
      { text: 'Write', done: false, kind: 'list, in progress', entry: 'e2' },
      { text: 'Add the reader (12ab34c)', done: true, kind: 'commit', entry: 'e6' },
    ],
    questions: ['The reader was finished and is fast. Shall I write the tests for it too? (e8)'],
    completed: 'The reader was finished and is fast (e8)',
    next: 'later',
    status: 'Waiting for the results of: read, list\n- e2 It turns out that the header is missing',
    files: [{ path: 'src/a.ts', change: 'changed (e2)' }],
    breadcrumbs: [
      {
        type: 'action',
        reference: 'e1–e8',
        hint: '“Build the importer for CSV files. Never write to the log”',
        entries: [],
      },
    ],
  });
});

test('a document of everything is told of a state', () => {
  const { state, bodies } = play('u5 a2 push:now');
  const stamp = { id: 'd', at: 1, reason: 'command' } as const;
  expect(documentOf(state, bodies, stamp)).toMatchObject({
    id: 'd',
    at: 1,
    topic: 'now: now works',
  });
});

test('a document of nothing new tells nothing but where the work stands', () => {
  const work = workIn(session);
  const told = { id: 'c', messages: 8, turns: 1 };
  const later = since({ ...work, entries: [] }, { told });
  expect([later.after, later.goal, later.isSameGoal, later.status]).toEqual(['c', rule, true, '']);
  expect([later.decisions, later.actions, later.files, later.breadcrumbs]).toEqual([
    [],
    [],
    [],
    [],
  ]);
  expect(tellsNothing(later)).toBe(true);
  const item = { text: 'a', done: true };
  for (const more of [
    { decisions: [item] },
    { actions: [item] },
    { questions: ['a'] },
    { files: [{ path: 'a.ts', change: 'changed' }] },
    { status: 'Waiting for: read\n- e4 It failed' },
  ])
    expect(tellsNothing({ ...later, ...more })).toBe(false);
  expect(tellsNothing({ ...later, status: 'Waiting for the results of: read' })).toBe(true);
});

test.each<readonly [string, string, Partial<CheckpointDocument>]>([
  ['the root', '', { topic: '“Build it now for me” (e1)' }],
  ['a frame', 'push:auth', { topic: 'auth: auth works' }],
  ['a frame in another', 'push:auth push:jwt', { topic: 'auth › jwt: jwt works' }],
])('in %s, the topic is the frames that are entered', (_, tree, told) => {
  expect(since(workIn(['u Build it now for me']), play(tree))).toMatchObject(told);
});

test('of a frame its brief, else its criteria, are told behind the titles', () => {
  const { state } = play('push:auth');
  const topicWith = (brief: string, criteria: string): string => {
    const last = state.frames.chunks.at(-1)!;
    const frame = { ...last.at(-1)!, brief, criteria };
    const chunks = [...state.frames.chunks.slice(0, -1), [...last.slice(0, -1), frame]];
    return since(workIn([]), { state: { ...state, frames: { ...state.frames, chunks } } }).topic;
  };
  expect(topicWith('in short', 'at length')).toBe('auth: in short');
  expect(topicWith('', 'at length')).toBe('auth: at length');
  expect(topicWith('', '')).toBe('auth');
  expect(topicWith('word '.repeat(60), '')).toHaveLength(240);
});

test('the goal is told in full once, and in short where it stayed', () => {
  const goal = newGoal(`Ship ${'the importer '.repeat(20)}`, 'high');
  const state = { ...silent, goal };
  const work = workIn([build]);
  const fresh = since(work, { state });
  expect([fresh.goal, fresh.isSameGoal, fresh.asked, fresh.priority, fresh.standing]).toEqual([
    goal.description,
    false,
    '',
    'high',
    'active',
  ]);
  const again = since(work, { state, told: { goal } });
  expect([again.goal.length, again.isSameGoal]).toEqual([120, true]);
  const other = since(work, { state, told: { goal: newGoal('Another') } });
  expect(other.isSameGoal).toBe(false);
  const at = (length: number): boolean => {
    const one = newGoal('a'.repeat(length));
    return since(work, { state: { ...silent, goal: one }, told: { goal: one } }).isSameGoal;
  };
  expect([at(120), at(121)]).toEqual([false, true]);
});

test('without a goal it is the first request, else the first that was said', () => {
  expect(since(workIn([]))).toMatchObject({ goal: '', asked: '', isSameGoal: false });
  expect(since(workIn(['u hi', 'u ok']))).toMatchObject({ goal: 'hi', asked: 'e1' });
  expect(since(workIn(['u hi', build]))).toMatchObject({ goal: rule, asked: 'e2' });
  const long = workIn([`u Build ${'the importer '.repeat(50)}`]);
  const told = [since(long), since(long, { told: { messages: 1 } })];
  expect(told.map(({ goal }) => goal.length)).toEqual([400, 120]);
  expect(told.map(({ isSameGoal }) => isSameGoal)).toEqual([false, true]);
});

test('a recovered goal that was asked for says so', () => {
  const state = { ...silent, goal: newGoal('Ship it') };
  const recovered = { ...emptyDocument, goal: 'Ship it', asked: 'e1' };
  expect(since(workIn([], { recovered }), { state }).asked).toBe('e1');
  expect(since(workIn([]), { state }).asked).toBe('');
});

const edit = (n: number, decisions: readonly string[], gone: readonly string[]) =>
  ({ n, text: '', next: '', topic: '', open: [], done: [], decisions, gone }) as never;

test('decisions are told once, and withdrawn where somebody took them out', () => {
  const work = workIn([build, 'a ok', 'm edited']);
  expect(texts(since(work))).toEqual([rule]);
  expect(since(work, { told: { messages: 1 } }).decisions).toEqual([]);
  const edited = { ...work, edits: [edit(3, ['Use tabs', 'Use zod'], [rule])] };
  expect(texts(since(edited))).toEqual(['Use tabs', 'Use zod']);
  expect(texts(since(edited, { told: { messages: 2 } }))).toEqual([
    'Use tabs',
    'Use zod',
    `${rule} | directive, withdrawn`,
  ]);
  expect(since(edited, { told: { messages: 3 } }).decisions).toMatchObject([
    { text: rule, done: false, kind: 'directive, withdrawn' },
  ]);
  const back = { ...work, edits: [edit(3, ['Use tabs'], []), edit(4, [], ['Use tabs'])] };
  expect(texts(since(back))).toEqual([rule]);
  const before = { ...work, edits: [edit(1, [], [rule])] };
  expect(texts(since(before))).toEqual([rule]);
});

test('what the model chose and a person rejected is withdrawn as such', () => {
  const work = workIn([
    'u fix the import',
    'a We decided to store the hash instead of the token, because logs are read',
    'u no, that is horrible.',
  ]);
  expect(since(work, { told: { messages: 2 } }).decisions).toMatchObject([
    { kind: 'noted, withdrawn', done: false },
  ]);
});

const withResults = (state: State, decisions: readonly string[]): State => {
  const [first, ...rest] = state.frames.chunks;
  const frames = first!.map((frame) =>
    frame.results === null ? frame : { ...frame, results: { ...frame.results, decisions } },
  );
  return { ...state, frames: { ...state.frames, chunks: [frames, ...rest] } };
};

test('of a closed frame its decisions are told, but those that the goal has', () => {
  const state = withResults(play('push:a pop').state, ['Use zod.', 'Use tabs']);
  const goal = { ...newGoal('Ship it'), decisions: [{ text: 'Use tabs', locked: true }] };
  expect(since(workIn([]), { state: { ...state, goal } }).decisions).toEqual([
    { text: 'Use tabs', done: true },
    { text: 'Use zod', done: true, kind: 'noted' },
  ]);
  const told = { made: state.frames.length, frames: openAround(state.frames, state.active) };
  expect(since(workIn([]), { state, told }).decisions).toEqual([]);
  const edited = workIn([], { edits: [edit(1, [], ['Use zod'])] });
  expect(texts(since(edited, { state }))).toEqual(['Use tabs | noted']);
});

test('of many decisions the newest stay, twenty-four at most, as far as they fit', () => {
  const said = (count: number, length: number): readonly string[] =>
    Array.from({ length: count }, (_, n) => `u Never touch ${String(n).padStart(length, 'x')}`);
  expect(since(workIn(said(30, 4))).decisions).toHaveLength(24);
  const tokens = { ...silent, tokens: 1_000 };
  const kept = (state: State): number =>
    since(workIn(said(24, 88)), { state, reason: 'pop' }).decisions.length;
  // Each takes 100 and 12 of 1,200 at least; then of three tenths of three tenths of the tokens, in characters.
  expect([kept(tokens), kept({ ...silent, tokens: 16_000 })]).toEqual([10, 12]);
  const last = since(workIn(said(24, 88)), { state: tokens, reason: 'pop' }).decisions.at(-1);
  expect(last?.text.endsWith('x23')).toBe(true);
});

const line = (kind: Line['kind'], n: number, text: string): Line => {
  return { turn: 0, kind, n, to: n, text, file: '', worth: 1, tokens: 4 };
};
const ofLines = (...lines: readonly Line[]): SessionWork => ({ ...workIn([]), lines });

test.each<readonly [string, Line, string]>([
  [
    'a failure',
    line('failed', 3, '`npm test` failed: 3 errors'),
    '- e3 `npm test` failed: 3 errors',
  ],
  ['what it failed from and to', { ...line('failed', 3, 'It failed'), to: 5 }, '- e3–e5 It failed'],
  ['a cause', line('said', 3, 'The root cause is the lock'), '- e3 The root cause is the lock'],
  ['what turns out', line('said', 3, 'It turns out to be slow'), '- e3 It turns out to be slow'],
  ['what turned out', line('said', 3, 'It turn out slow'), '- e3 It turn out slow'],
  [
    'a reason',
    line('said', 3, 'It waits because of the lock'),
    '- e3 It waits because of the lock',
  ],
  ['the bug', line('said', 3, 'The bug was in the lock'), '- e3 The bug was in the lock'],
  ['a finding', line('said', 3, 'I found that it waits'), '- e3 I found that it waits'],
  ['a confirmation', line('said', 3, 'It is confirmed'), '- e3 It is confirmed'],
  ['no part of a word', line('said', 3, 'It is unconfirmed'), ''],
  ['no plain statement', line('said', 3, 'The lock is held'), ''],
  ['no cause that a person gave', line('asked', 3, 'It waits because of the lock'), ''],
  ['no question that was answered', line('said', 3, 'asked “Is it because of it?”; e4 “yes”'), ''],
  ['no change', { ...line('changed', 3, 'changed a.ts, confirmed'), file: 'a.ts' }, ''],
])('the status tells %s', (_, told, status) => {
  expect(since(ofLines(told)).status).toBe(status);
});

test('the status tells completions but the last, which is told by itself, and no decision again', () => {
  const first = line('said', 3, 'The parser was fixed.');
  const last = line('said', 5, 'The lexer was fixed.');
  const chosen = line('said', 4, 'We decided to keep it, because it is confirmed.');
  const document = since(ofLines(first, chosen, last));
  expect(document.status).toBe('- e3 The parser was fixed');
  expect(document.completed).toBe('The lexer was fixed (e5)');
});

test('of what came out, that of most worth is told as far as it fits, in the order of the log', () => {
  const lines = [3, 1, 2].map((worth, at) => ({
    ...line('failed', at + 1, `${'x'.repeat(76)} ${at}`),
    worth,
  }));
  // A quarter of 800 for the status: two lines of 90.
  const state = { ...silent, tokens: 2_700 };
  const { status } = since(ofLines(...lines), { state, reason: 'pop' });
  expect(status.split('\n').map((one) => one.slice(0, 4))).toEqual(['- e1', '- e3']);
  expect(since(ofLines(...lines)).status.split('\n')).toHaveLength(3);
});

test('files tell their last change; one that was created and then changed stays created', () => {
  const artifacts = [
    { path: 'src/new.ts', change: 'created' },
    { path: 'src/old.ts', change: 'modified' },
    { path: 'src/made.ts', change: 'created' },
  ] as const;
  const goal = { ...newGoal('Ship it'), artifacts };
  const changed = ['src/new.ts', 'old.ts'].map((file, at) => ({
    ...line('changed', at + 2, `changed ${file} (+ class A)`),
    file,
    to: at + 4,
  }));
  const nameless = line('changed', 9, 'in a.ts: class B');
  const { state } = play('push:a pop:9:2:1');
  expect(since(ofLines(...changed, nameless), { state: { ...state, goal } }).files).toEqual([
    { path: 'src/made.ts', change: 'created' },
    { path: 'src/a/file0.ts', change: 'in “a”' },
    { path: 'src/a/file1.ts', change: 'in “a”' },
    { path: 'src/new.ts', change: 'created: + class A (e2–e4)' },
    { path: 'src/old.ts', change: 'changed: + class A (e3–e5)' },
  ]);
  const told = { goal: { ...goal, artifacts: artifacts.slice(2) }, made: 2 };
  expect(since(workIn([]), { state: { ...state, goal }, told }).files).toEqual(
    artifacts.slice(0, 2),
  );
  const again = [changed[0]!, { ...line('changed', 8, 'changed src/new.ts'), file: 'src/new.ts' }];
  expect(since(ofLines(...again)).files).toEqual([{ path: 'src/new.ts', change: 'changed (e8)' }]);
  const modified = { ...newGoal('a'), artifacts: [{ path: 'a.ts', change: 'created' }] } as const;
  const known = {
    ...state,
    goal: { ...modified, artifacts: [...modified.artifacts, artifacts[1]] },
  };
  expect(since(workIn([]), { state: known, told: { made: 2 } }).files).toHaveLength(2);
});

test('a document after a recovery tells what was recovered, once, and its questions while it rests', () => {
  const recovered = {
    ...emptyDocument,
    status: '- e1 It waits',
    questions: ['Which port?'],
    files: [{ path: 'a.ts', change: 'changed' }],
  };
  const resting = since(workIn(['u hi'], { recovered }));
  expect(resting).toMatchObject({ questions: ['Which port?'], status: '- e1 It waits' });
  expect(resting.files).toEqual(recovered.files);
  expect(since(workIn([build], { recovered })).questions).toEqual([]);
  expect(since(workIn(['u hi'], { recovered }), { told: { id: 'c' } }).files).toEqual([]);
});
