import { expect, test } from 'vitest';
import { applyMarkers, checkGoal, checkPatch, newGoal } from '../../../src/core/frames/goal.ts';
import { markersIn, unmarked } from '../../../src/core/frames/goal-markers.ts';

test('a goal from outside is completed with defaults', () => {
  expect(checkGoal({ description: 'Ship it' })).toEqual({
    description: 'Ship it',
    priority: 'medium',
    status: 'active',
    milestones: [],
    decisions: [],
    artifacts: [],
    next: [],
  });
  const all = {
    description: 'Ship it',
    priority: 'low',
    status: 'paused',
    milestones: [{ text: 'a', status: 'in_progress' }],
    decisions: [{ text: 'b', locked: true }],
    artifacts: [{ path: 'c', change: 'modified' }],
    next: ['d'],
  } as const;
  expect(checkGoal(all)).toEqual(all);
  expect(checkGoal({ ...all, next: undefined } as never)).toEqual({ ...all, next: [] });
});

test.each([
  [{}, 'description', 'a text that is not empty'],
  [{ description: ' ' }, 'description', 'a text that is not empty'],
  [{ description: 'a', priority: 'urgent' }, 'priority', 'one of high, medium, low'],
  [{ description: 'a', status: 'done' }, 'status', 'one of active, paused, completed'],
  [{ description: 'a', milestones: {} }, 'milestones', 'a list of { text, status }'],
  [
    { description: 'a', milestones: [{ text: 'b', status: 'open' }] },
    'milestones[0].status',
    'one of pending, in_progress, completed',
  ],
  [
    { description: 'a', milestones: [{ text: 'b' }] },
    'milestones[0].status',
    'one of pending, in_progress, completed',
  ],
  [{ description: 'a', decisions: 'b' }, 'decisions', 'a list of { text, locked }'],
  [
    { description: 'a', decisions: [{ text: 'b', locked: 1 }] },
    'decisions[0].locked',
    'true or false',
  ],
  [{ description: 'a', artifacts: 'b' }, 'artifacts', 'a list of { path, change }'],
  [
    { description: 'a', artifacts: [{ path: 'b', change: 'gone' }] },
    'artifacts[0].change',
    'one of created, modified',
  ],
  [{ description: 'a', next: 'b' }, 'next', 'a list of texts'],
])('of %j goal.%s is refused: it takes %s', (given, field, takes) => {
  const said = new RegExp(
    `^Option "goal\\.${field.replace(/[[\]]/g, '\\$&')}" (?:cannot be .*|is missing); it takes ${takes}$`,
  );
  expect(() => checkGoal(given as never)).toThrow(said);
  if ('description' in given) expect(() => checkPatch(given)).toThrow(said);
});

test('a patch needs no description, and neither takes another field', () => {
  expect(() => checkPatch({})).not.toThrow();
  expect(() => checkPatch({ next: ['a'] })).not.toThrow();
  expect(() => checkPatch({ text: 'a' })).toThrow('There is no option "text"');
  expect(() => checkPatch('a')).toThrow('Option "goal"');
  expect(() => checkGoal({ description: 'a', text: 'b' } as never)).toThrow('"text"');
});

const goal = {
  ...newGoal('Ship it', 'low'),
  status: 'completed',
  decisions: [
    { text: 'a', locked: true },
    { text: 'b', locked: false },
  ],
  artifacts: [{ path: 'x.ts', change: 'created' }],
  next: ['c'],
} as const;
const after = (text: string) => applyMarkers(goal, markersIn(text))!;

test('a goal by marker is the same, but for case and marks, or a new one with what is locked and made', () => {
  expect(after('[GOAL] ship  IT!')).toBe(goal);
  expect(after('[GOAL] Test it')).toEqual({
    ...newGoal('Test it', 'low'),
    decisions: [{ text: 'a', locked: true }],
    artifacts: goal.artifacts,
  });
  const paused = applyMarkers({ ...goal, status: 'paused' }, markersIn('[GOAL] Test it'));
  expect(paused).toMatchObject({ description: 'Test it', status: 'paused' });
  expect(applyMarkers(null, markersIn('[NEXT] a\n[DECISION] b'))).toBeNull();
  expect(applyMarkers(null, markersIn('[GOAL] Test it'))).toEqual(newGoal('Test it'));
});

test('markers change what they name, or add it', () => {
  expect(after('[DECISION] b - locked').decisions).toEqual([
    { text: 'a', locked: true },
    { text: 'b', locked: true },
  ]);
  expect(after('[DECISION] a').decisions[0]).toEqual({ text: 'a', locked: true });
  expect(after('[DECISION] d').decisions[2]).toEqual({ text: 'd', locked: false });
  expect(after('[ARTIFACT] modified x.ts')).toBe(goal);
  expect(after('[ARTIFACT] created x.ts').artifacts).toEqual(goal.artifacts);
  expect(after('[ARTIFACT] modified y.ts').artifacts).toEqual([
    ...goal.artifacts,
    { path: 'y.ts', change: 'modified' },
  ]);
  expect(after('[NEXT] e').next).toEqual(['e']);
  const milestones = after(
    '[CHECKPOINT] m\n[CHECKPOINT] n - in progress\n[CHECKPOINT] m - completed',
  );
  expect(milestones.milestones).toEqual([
    { text: 'm', status: 'completed' },
    { text: 'n', status: 'in_progress' },
  ]);
});

test.each([
  ['**[NEXT] a**', 'a'],
  ['__[NEXT]__ a __', 'a'],
  ['[NEXT]:a', 'a'],
  ['[NEXT]a', 'a'],
  ['[NEXT]  a ', 'a'],
  ['- 2. [NEXT] a', 'a'],
  ['- 2. - [NEXT] a', null],
  ['[NEXT] …', null],
  ['do [NEXT] a', null],
  ['[next] a', null],
])('%j reads as %j', (text, next) => {
  const [marker] = markersIn(text);
  expect(marker === undefined ? null : marker).toEqual(
    next === null ? null : { type: 'next', text: next },
  );
});

test.each([
  ['created a.ts', 'created a.ts'],
  ['Modified: a.ts (new)', 'modified a.ts'],
  ['created a.ts - it is new', 'created a.ts'],
  ['created a.ts – it is new', 'created a.ts'],
  ['created a-b.ts', 'created a-b.ts'],
  ['created `a b.ts` so', 'created a b.ts'],
  ['created "a b.ts"', 'created a b.ts'],
  ['created (a.ts)', 'created (a.ts)'],
  ['deleted a.ts', null],
  ['created', null],
  ['createda.ts', null],
])('the artifact of %j is %j', (body, said) => {
  const [marker] = markersIn(`[ARTIFACT] ${body}`);
  expect(marker?.type === 'artifact' ? `${marker.change} ${marker.path}` : null).toBe(said);
});

test.each([
  ['a - locked', 'a'],
  ['a — **locked**', 'a'],
  ['a --- not locked', 'a'],
  ['a -  unlocked.', 'a'],
  ['**a** - in_progress', '**a**'],
  ['a-locked', 'a-locked'],
  ['a - locked in', 'a - locked in'],
  ['- completed', '- completed'],
  ['a - pendings', 'a - pendings'],
])('without its mark %j is %j', (text, bare) => expect(unmarked(text)).toBe(bare));
