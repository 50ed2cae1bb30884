import { expect, test } from 'vitest';
import type { ListItem } from '../../../src/core/documents/list-item.ts';
import { emptyDocument, type CheckpointDocument } from '../../../src/core/documents/document.ts';
import {
  foldDocuments,
  ontoRecovered,
  withoutReferences,
} from '../../../src/core/documents/fold-documents.ts';

/** A document that tells what changed since another, '' where it tells all. */
const document = (
  id: string,
  after: string,
  more: Partial<CheckpointDocument> = {},
): CheckpointDocument => ({ ...emptyDocument, id, after, ...more });

const item = (text: string, done = false) => ({ text, done });
const file = (path: string, change: string) => ({ path, change });

test('documents are one from the last that tells all on', () => {
  const all = foldDocuments([
    document('d1', '', { actions: [item('Old')] }),
    document('d2', 'd1', { actions: [item('Older')] }),
    document('d3', '', { goal: 'Ship it', asked: 'e1', actions: [item('Read'), item('Write')] }),
    document('d4', 'd3', {
      goal: 'Ship…',
      isSameGoal: true,
      actions: [item('Read', true)],
      next: 'Write',
    }),
  ]);
  expect(all).toMatchObject({
    id: 'd4',
    after: '',
    goal: 'Ship it',
    asked: 'e1',
    isSameGoal: false,
    next: 'Write',
  });
  expect(all!.actions).toEqual([item('Read', true), item('Write')]);
  expect(foldDocuments([])).toBe(undefined);
});

test('where none tells all, the first is where it begins, and its goal may be told in part', () => {
  const all = foldDocuments([
    document('d4', 'd3', { goal: 'Ship…', isSameGoal: true, files: [file('a.ts', 'created')] }),
    document('d5', 'd4', {
      goal: 'Ship…',
      isSameGoal: true,
      files: [file('b.ts', 'changed')],
      edited: 'x',
    }),
    document('d6', 'd5', { goal: 'Fix it', edited: 'y' }),
  ]);
  expect(all).toMatchObject({ id: 'd6', goal: 'Fix it', isSameGoal: false, edited: 'x\n\ny' });
  expect(all!.files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
  expect(foldDocuments([document('d4', 'd3', { isSameGoal: true })])).toMatchObject({
    isSameGoal: true,
  });
});

const told = (...items: readonly (readonly ListItem[])[]): readonly string[] =>
  foldDocuments(
    items.map((actions, at) => document(`d${at}`, at === 0 ? '' : `d${at - 1}`, { actions })),
  )!.actions.map(({ text, kind = '', done, depth = 0, entry = '' }) =>
    `${'  '.repeat(depth)}[${done ? 'x' : ' '}] ${text} ${kind} ${entry}`.trimEnd(),
  );

const listed = (text: string, kind: ListItem['kind'], more: Partial<ListItem> = {}): ListItem => ({
  text,
  done: false,
  kind: kind!,
  ...more,
});

test('an item is known by its text and what it is, not by what became of it', () => {
  expect(
    told(
      [
        listed('A', 'list'),
        listed('A', 'milestone'),
        listed('B', 'list', { entry: 'e4' }),
        item('A'),
      ],
      [listed('A', 'list, in progress'), listed('B', 'list', { done: true, entry: 'e9' })],
      [listed('A', 'milestone, withdrawn')],
    ),
  ).toEqual(['[ ] A list, in progress', '[x] B list e9', '[ ] A']);
  expect(told([item('A'), listed('A', 'list')], [listed('A', 'withdrawn')])).toEqual([
    '[ ] A list',
  ]);
});

test('what was said is known by its entry, too', () => {
  for (const kind of ['noted', 'directive', 'commit'] as const) {
    const [first, second] = ['e4', 'e9'].map((entry) => listed('A', kind, { entry }));
    expect(told([first!], [second!])).toHaveLength(2);
    expect(told([first!], [{ ...first!, done: true }])).toEqual([`[x] A ${kind} e4`]);
  }
  const gone = listed('A', 'directive, withdrawn', { entry: 'e4' });
  expect(told([listed('A', 'directive', { entry: 'e4' })], [gone])).toEqual([]);
});

test('frames stand in the order of the tree, where the first of them stood; what is below a closed one is gone', () => {
  const frame = (n: number, kind: ListItem['kind'], parent = 0): ListItem =>
    listed(`F${n}`, kind, { frame: `f${n}`, parent: `f${parent}` });
  expect(
    told(
      [item('A'), frame(9, 'frame'), frame(2, 'frame, planned'), item('B')],
      [frame(11, 'frame, planned', 9), frame(10, 'frame, completed', 9), item('C')],
    ),
  ).toEqual([
    '[ ] A',
    '[ ] F2 frame, planned',
    '[ ] F9 frame',
    '  [ ] F10 frame, completed',
    '  [ ] F11 frame, planned',
    '[ ] B',
    '[ ] C',
  ]);
  const below = [frame(1, 'frame'), frame(2, 'frame, planned', 1)];
  expect(told(below, [frame(1, 'frame, completed')])).toEqual(['[ ] F1 frame, completed']);
  expect(told(below, [frame(1, 'frame, withdrawn')])).toEqual([]);
  const nameless = listed('G', 'frame', { depth: 3 });
  expect(told([nameless, item('A')], [listed('G', 'frame, completed')])).toEqual([
    '[ ] G frame, completed',
    '[ ] A',
  ]);
});

test('a file tells its last change, at the end; one that was created stays so', () => {
  const files = (...changes: readonly string[]) =>
    foldDocuments(
      changes.map((change, at) =>
        document(`d${at}`, at === 0 ? '' : `d${at - 1}`, {
          files: at === 0 ? [file('a.ts', change), file('b.ts', 'x')] : [file('a.ts', change)],
        }),
      ),
    )!.files.map(({ path, change }) => `${path} ${change}`);
  expect(files('created (e1)', 'changed: + A (e3)')).toEqual(['b.ts x', 'a.ts created: + A (e3)']);
  expect(files('created', 'modified', 'modified: B')).toEqual(['b.ts x', 'a.ts created: B']);
  expect(files('created', 'so changed')).toEqual(['b.ts x', 'a.ts so changed']);
  expect(files('changed', 'modified: B')).toEqual(['b.ts x', 'a.ts modified: B']);
});

test('onto what was recovered: goal and frames are told by the session alone', () => {
  const recovered = document('r', '', {
    status: 'so far',
    decisions: [item('Goal'), listed('Said', 'directive')],
    actions: [
      listed('F', 'frame'),
      listed('M', 'milestone, in progress'),
      item('Next'),
      listed('L', 'list'),
    ],
    files: [file('a.ts', 'changed: A'), file('b.ts', 'x')],
  });
  const next = document('n', 'r', {
    decisions: [item('New')],
    files: [file('a.ts', 'modified'), file('b.ts', 'changed: B'), file('c.ts', 'created')],
  });
  const all = ontoRecovered(recovered, next);
  expect(all.decisions.map(({ text }) => text)).toEqual(['Said', 'New']);
  expect(all.actions.map(({ text }) => text)).toEqual(['L']);
  expect(all.files).toEqual([
    file('a.ts', 'changed: A'),
    file('b.ts', 'changed: B'),
    file('c.ts', 'created'),
  ]);
  expect(all.status).toBe('so far');
  expect(ontoRecovered(recovered, { ...next, status: 'now' }).status).toBe('now');
  const created = { ...next, files: [file('a.ts', 'created')] };
  expect(ontoRecovered(recovered, created).files[0]).toEqual(file('a.ts', 'changed: A'));
});

test('the ids of a log that is gone lead to the first entry', () => {
  const given = document('d', '', {
    topic: '“The login” (e7)',
    asked: 'e4',
    decisions: [{ ...item('A (e4)'), entry: 'e4' }, item('B')],
    actions: [{ ...item('C'), entry: 'e9' }],
    questions: ['Which port? (e12)'],
    completed: 'It (e4–e12) works (e9)',
    next: 'e4 again (e4',
    status: '- e4 It failed\n- e4–e12 So did it\nand - e4 this\n- e12 Then',
    files: [file('a.ts (e4)', 'changed (e4)')],
    breadcrumbs: ['e4', 'e12', 'e4–e12', 'a.ts', 'e4 and', 'see e4'].map((reference) => ({
      type: 'action' as const,
      reference,
      hint: 'x',
      entries: ['e4' as never],
    })),
  });
  const bare = withoutReferences(given);
  expect(bare).toMatchObject({
    topic: '“The login”',
    asked: 'e1',
    decisions: [{ text: 'A (e4)', entry: 'e1' }, item('B')],
    actions: [{ entry: 'e1' }],
    questions: ['Which port?'],
    completed: 'It works',
    next: 'e4 again (e4',
    status: '- e1 It failed\n- e1 So did it\nand - e4 this\n- e1 Then',
    files: [file('a.ts (e4)', 'changed')],
  });
  expect(bare.decisions[1]).not.toHaveProperty('entry');
  expect(bare.breadcrumbs.map(({ reference, entries }) => [reference, entries])).toEqual([
    ['a.ts', []],
    ['e4 and', []],
    ['see e4', []],
  ]);
  expect(withoutReferences(document('d', '')).asked).toBe('');
});
