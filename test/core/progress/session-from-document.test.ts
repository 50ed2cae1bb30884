import { expect, test } from 'vitest';
import { emptyDocument, type CheckpointDocument } from '../../../src/core/documents/document.ts';
import type { ListItem } from '../../../src/core/documents/list-item.ts';
import { mostListed } from '../../../src/core/frames/goal.ts';
import { sessionFromDocument } from '../../../src/core/progress/session-from-document.ts';

const from = (given: Partial<CheckpointDocument>) =>
  sessionFromDocument({ ...emptyDocument, ...given });
const item = (text: string, kind?: ListItem['kind'], more: Partial<ListItem> = {}): ListItem => ({
  text,
  done: false,
  ...(kind === undefined ? {} : { kind }),
  ...more,
});
const done = { done: true };

test('what a document says of the work stands before what its lists say', () => {
  const actions = [
    item('Write'),
    item('Milestone', 'milestone'),
    item('Off', 'frame'),
    item('Wrote', undefined, done),
    item('Listed', 'list', done),
  ];
  expect(from({ actions, goal: 'Ship\nit', questions: ['Which?\nport'] }).context).toEqual({
    workingOn: 'Ship',
    lastCompleted: 'Listed',
    nextStep: 'Write',
    open: ['Write', 'Milestone', 'Which?'],
    files: [],
  });
  const told = { topic: '\nTopic\nmore', completed: 'Completed', next: 'Next' };
  expect(from({ actions, ...told }).context).toMatchObject({
    workingOn: 'Topic',
    lastCompleted: 'Completed',
    nextStep: 'Next',
  });
});

test('what was done last is a milestone, else what has a kind, else anything', () => {
  const last = (...actions: readonly ListItem[]) => from({ actions }).context.lastCompleted;
  const [plain, listed] = [item('Plain', undefined, done), item('Listed', 'list', done)];
  expect(last(item('M', 'milestone', done), listed, plain)).toBe('M');
  expect(last(listed, plain)).toBe('Listed');
  expect(last(plain, item('Failed', 'frame, failed', done))).toBe('Plain');
  expect(last(item('F', 'frame, completed', { ...done, detail: 'three tables\nmore' }))).toBe(
    'F: three tables',
  );
  expect(last(item('Open'))).toBe('');
});

test('the newest twelve files are told, the newest first', () => {
  const files = Array.from({ length: 14 }, (_, at) => ({ path: `${at}.ts`, change: 'changed' }));
  expect(from({ files }).context.files).toEqual(
    Array.from({ length: 12 }, (_, at) => `${13 - at}.ts`),
  );
});

test('a goal comes back with milestones, decisions, next steps and files', () => {
  const { goal } = from({
    goal: 'Ship',
    priority: 'high',
    standing: 'paused',
    actions: [
      item('A', 'milestone', done),
      item('B', 'milestone'),
      item('C', 'milestone, in progress'),
      item('Next'),
      item('Past', undefined, done),
      item('Listed', 'list'),
    ],
    decisions: [item('Locked', undefined, done), item('Free'), item('Said', 'directive')],
    files: [
      { path: 'a.ts', change: 'created in e4' },
      { path: 'b.ts', change: 'changed' },
      { path: 'c.ts', change: 'a new newer' },
    ],
  });
  expect(goal).toMatchObject({
    description: 'Ship',
    priority: 'high',
    status: 'paused',
    milestones: [
      { text: 'A', status: 'completed' },
      { text: 'B', status: 'pending' },
      { text: 'C', status: 'in_progress' },
    ],
    decisions: [
      { text: 'Locked', locked: true },
      { text: 'Free', locked: false },
    ],
    next: ['Next'],
    artifacts: [
      { path: 'a.ts', change: 'created' },
      { path: 'b.ts', change: 'modified' },
      { path: 'c.ts', change: 'modified' },
    ],
  });
  expect(from({ topic: ' Topic ' }).goal!.description).toBe('Topic');
  expect(from({ goal: ' ', topic: ' ' }).goal).toBeNull();
});

test('what stands below no frame in progress stands beside it; only of a blocked frame the reason is told', () => {
  const { frames } = from({
    actions: [
      item('A', 'frame, planned', { detail: 'Blocked: no key' }),
      item('B', 'frame, planned', { depth: 1 }),
      item('C', 'frame, blocked', { detail: 'no key' }),
      item('D', 'frame, blocked', { detail: 'Blocked: no key' }),
      item('E', 'frame, blocked'),
    ],
  });
  expect(frames).toEqual([
    { title: 'A', status: 'planned', criteria: 'Blocked: no key', reason: '', depth: 0 },
    { title: 'B', status: 'planned', criteria: '', reason: '', depth: 0 },
    { title: 'C', status: 'blocked', criteria: 'no key', reason: '', depth: 0 },
    { title: 'D', status: 'blocked', criteria: '', reason: 'no key', depth: 0 },
    { title: 'E', status: 'blocked', criteria: '', reason: '', depth: 0 },
  ]);
});

test('a goal takes so many of each as it may have, the newest, of decisions the locked ones', () => {
  const many = Array.from({ length: 201 }, (_, n) => n);
  const { goal } = from({
    goal: 'Ship',
    actions: many.map((n) => item(`M${n}`, 'milestone')),
    decisions: many.map((n) => item(`D${n}`, undefined, { done: n === 0 })),
    files: many.map((n) => ({ path: `${n}.ts`, change: 'New' })),
  });
  const first = ({ length }: readonly unknown[], text: string) => [length, text];
  const { milestones, decisions, artifacts } = goal!;
  expect(first(milestones, milestones[0]!.text)).toEqual([mostListed, `M${201 - mostListed}`]);
  expect(first(decisions, decisions[1]!.text)).toEqual([mostListed, `D${202 - mostListed}`]);
  expect(decisions[0]).toEqual({ text: 'D0', locked: true });
  expect(first(artifacts, artifacts[0]!.path)).toEqual([mostListed, `${201 - mostListed}.ts`]);
  expect(artifacts[0]!.change).toBe('created');
});

test('of siblings in progress the first is entered and comes last, the others are planned', () => {
  const frames = from({
    title: 'Notes',
    actions: [
      item('A', 'frame', { detail: 'works' }),
      item('B', 'frame'),
      item('Below', 'frame', { depth: 1 }),
      item('Far', 'frame, planned', { depth: 9 }),
      item('Failed', 'frame, failed', { detail: 'why' }),
      item('Blocked', 'frame, blocked', { detail: 'works\nBlocked: no key' }),
      item('Done', 'frame, completed', { ...done, detail: 'three tables' }),
      item('Listed', 'list', done),
    ],
  }).frames;
  expect(frames.map(({ title, status, depth }) => `${depth} ${title} ${status}`)).toEqual([
    '0 B planned',
    '0 Failed failed',
    '0 Blocked blocked',
    '0 Done completed',
    '0 A in_progress',
    '1 Below in_progress',
    '2 Far planned',
  ]);
  const told = Object.fromEntries(
    frames.map(({ title, criteria, reason }) => [title, [criteria, reason]]),
  );
  expect(told).toMatchObject({
    A: ['works', ''],
    Failed: ['', 'why'],
    Blocked: ['works', 'no key'],
    Done: ['', 'three tables'],
  });
});
