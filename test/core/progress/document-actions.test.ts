import { expect, test } from 'vitest';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import type { ListItem } from '../../../src/core/documents/list-item.ts';
import { newGoal, type Goal } from '../../../src/core/frames/goal.ts';
import {
  actionsOf,
  goalDecisions,
  outcomeOf,
  toKept,
} from '../../../src/core/progress/document-actions.ts';
import { progressOf } from '../../../src/core/progress/progress.ts';
import {
  nothingReported,
  openAround,
  type Told,
} from '../../../src/core/state/document-schedule.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play } from '../../notation/state.ts';
import { workIn } from './work.ts';

const shown = (items: readonly ListItem[]): readonly string[] =>
  items.map(({ text, done, kind = '', detail, depth, entry }) => {
    const more = [kind, detail, depth === undefined ? undefined : `depth ${depth}`, entry];
    return [`[${done ? 'x' : ' '}] ${text}`, ...more.filter(Boolean)].join(' | ');
  });

/** What a state tells where this was told before. */
const actions = (state: State, told: Partial<Told> = {}, more = {}): readonly string[] =>
  shown(actionsOf(state, workIn([], more), { ...nothingReported, ...told }));

const goal = (changes: Partial<Goal>): Goal => ({ ...newGoal('Ship it'), ...changes });
const aiming = (changes: Partial<Goal>): State => ({ ...play('').state, goal: goal(changes) });

const read = { text: 'Read', status: 'completed' } as const;
const write = { text: 'Write', status: 'in_progress' } as const;
const check = { text: 'Check', status: 'pending' } as const;

test('milestones and next steps are told with their boxes, once, and withdrawn where they are gone', () => {
  const state = aiming({ milestones: [read, write, check], next: ['Push it'] });
  expect(actions(state)).toEqual([
    '[x] Read | milestone',
    '[ ] Write | milestone, in progress',
    '[ ] Check | milestone',
    '[ ] Push it',
  ]);
  expect(actions(state, { goal: state.goal })).toEqual([]);
  const told = goal({
    milestones: [
      { ...read, status: 'pending' },
      { ...write, status: 'pending' },
      check,
      { text: 'Old', status: 'pending' },
    ],
    next: ['Pull it'],
  });
  expect(actions(state, { goal: told })).toEqual([
    '[x] Read | milestone',
    '[ ] Write | milestone, in progress',
    '[ ] Old | milestone, withdrawn',
    '[ ] Push it',
    '[ ] Pull it | withdrawn',
  ]);
});

test('decisions of a goal are told where they are new, locked since or gone', () => {
  const decisions = [
    { text: 'Tabs', locked: true },
    { text: 'Zod', locked: false },
  ];
  expect(shown(goalDecisions(goal({ decisions }), null))).toEqual(['[x] Tabs', '[ ] Zod']);
  const told = goal({
    decisions: [
      { text: 'Tabs', locked: false },
      { text: 'Zod', locked: false },
      { text: 'Joi', locked: true },
    ],
  });
  expect(shown(goalDecisions(goal({ decisions }), told))).toEqual([
    '[x] Tabs',
    '[ ] Joi | withdrawn',
  ]);
  expect(goalDecisions(null, null)).toEqual([]);
});

const tree =
  'plan:later push:done a2 pop push:lost a2 fail push:stuck a2 block push:now push:inner';

test('frames are told in the order of the tree, each with what it is about or came to', () => {
  expect(actions(play(tree).state)).toEqual([
    '[ ] later | frame, planned | later works',
    '[x] done | frame, completed | done is completed',
    '[ ] lost | frame, failed | it broke',
    '[ ] stuck | frame, blocked | stuck works\nBlocked: it broke',
    '[ ] now | frame | now works',
    '[ ] inner | frame | inner works | depth 1',
  ]);
});

test('what stands behind the frame that is entered comes after what is in it', () => {
  expect(actions(play('push:now push:inner plan:after:0:root').state)).toEqual([
    '[ ] now | frame | now works',
    '[ ] inner | frame | inner works | depth 1',
    '[ ] after | frame, planned | after works',
  ]);
});

test('of closed frames the last twenty-four that were not told are, of open ones the first two hundred', () => {
  const closed = Array.from({ length: 26 }, (_, n) => `push:p${n} pop`).join(' ');
  const { state } = play(closed);
  expect(actions(state)).toHaveLength(24);
  expect(actions(state)[0]).toContain('p2 ');
  expect(actions(state, { made: 10 })).toHaveLength(17);
  const open = Array.from({ length: 201 }, (_, n) => `plan:p${n}`).join(' ');
  expect(actions(play(open).state)).toHaveLength(200);
});

test('of frames that were told, only what became of them since', () => {
  const before = play(tree).state;
  const told = { made: before.frames.length, frames: openAround(before.frames, before.active) };
  expect(actions(before, told)).toEqual([]);
  expect(actions(play(`${tree} pop pop invalidate:later invalidate:stuck`).state, told)).toEqual([
    '[x] now | frame, completed | now is completed',
    '[ ] later | frame, withdrawn',
    '[ ] stuck | frame, withdrawn',
  ]);
  expect(actions(before, { frames: { f99: 'planned' }, made: before.frames.length })).toContain(
    '[ ] f99 | frame, withdrawn',
  );
});

test('what a frame came to is its results, a check that failed last first', () => {
  const { results } = play('push:a pop').state.frames.chunks.flat()[1]!;
  expect(outcomeOf(results)).toBe('a is completed');
  expect(outcomeOf({ ...results!, failing: ['lint', 'npm test'] })).toBe(
    'Failing: npm test. a is completed',
  );
  expect(outcomeOf(null)).toBe('');
});

const list = [
  { text: 'Read', mark: 'x', n: 2 },
  { text: 'Write', mark: '~', n: 4 },
  { text: 'Check', mark: ' ', n: 4 },
] as const;

test('the list of a host is told as far as it changed; of another list nothing is withdrawn', () => {
  const { state } = play('');
  expect(actions(state, {}, { list })).toEqual([
    '[x] Read | list | e2',
    '[ ] Write | list, in progress | e4',
    '[ ] Check | list | e4',
  ]);
  expect(toKept(list)).toEqual(['xRead', '~Write', ' Check']);
  expect(actions(state, { list: toKept(list) }, { list })).toEqual([]);
  expect(actions(state, { list: [' Read', '~Write', ' Gone', 'xOver'] }, { list })).toEqual([
    '[x] Read | list | e2',
    '[ ] Check | list | e4',
    '[ ] Gone | list, withdrawn',
  ]);
  expect(actions(state, { list: [' Gone'] }, { list: [list[0]] })).toEqual([
    '[x] Read | list | e2',
  ]);
});

const commit = ['c | bash: git commit -m "Add it"', 'r [main 12ab34c] Add it\n 1 file changed'];

test('commits since are told', () => {
  const { state } = play('');
  const work = workIn(['u Build it now', ...commit, ...commit]);
  const of = (messages: number) => shown(actionsOf(state, work, { ...nothingReported, messages }));
  expect(of(0)).toEqual([
    '[x] Add it (12ab34c) | commit | e2',
    '[x] Add it (12ab34c) | commit | e4',
  ]);
  expect(of(2)).toEqual(['[x] Add it (12ab34c) | commit | e4']);
});

const build = 'u Build the importer for CSV files';

test.each<readonly [string, State, string]>([
  ['what was asked', play('').state, '“Build the importer for CSV files” (e1)'],
  ['the goal', aiming({}), 'Ship it'],
  [
    'no goal that is completed',
    aiming({ status: 'completed' }),
    '“Build the importer for CSV files” (e1)',
  ],
  ['the frame', play('push:auth').state, 'auth'],
  ['the frame and the goal', { ...play('push:auth').state, goal: goal({}) }, 'auth (Ship it)'],
])('what is worked on is %s', (...[, state, about]) => {
  expect(progressOf(state, workIn([build])).workingOn).toBe(about);
});

test('open is what the goal, the tree and the list have ahead; changed files stand newest first', () => {
  const { state } = play('plan:p push:a a2 pop push:b block');
  const aim = goal({
    milestones: [read, write],
    next: ['Push it.'],
    artifacts: [{ path: 'old.ts', change: 'created' }],
  });
  const recovered = {
    ...emptyDocument,
    questions: ['Which port?'],
    files: [{ path: 'older.ts', change: 'x' }],
    actions: [
      { text: 'Listed', done: false, kind: 'list' as const },
      { text: 'Ticked', done: true, kind: 'list' as const },
      { text: 'A frame', done: false, kind: 'frame' as const },
    ],
  };
  const lines = ['u hi', 'c | write: a.ts', 'r ok', 'c | write: b.ts', 'r ok'];
  const told = progressOf({ ...state, goal: aim }, workIn(lines, { list, recovered }));
  expect(told.open).toEqual(['Push it', 'Write', 'p', 'b', 'Check', 'Listed']);
  expect(told.files).toEqual(['b.ts', 'a.ts', 'old.ts', 'older.ts']);
  const resting = progressOf(state, workIn(['u hi'], { recovered }));
  expect(resting.open).toEqual(['p', 'b', 'Listed', 'Which port?']);
});
