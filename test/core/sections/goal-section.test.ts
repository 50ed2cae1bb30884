import { expect, test } from 'vitest';
import { newGoal, type Goal } from '../../../src/core/frames/goal.ts';
import { bareGoal, goalDetails, goalSection } from '../../../src/core/sections/goal-section.ts';

const goal: Goal = {
  ...newGoal('Ship it\nthis week', 'high'),
  milestones: [
    { text: 'Read', status: 'completed' },
    { text: 'Write', status: 'in_progress' },
    { text: 'Test\nall', status: 'pending' },
  ],
  decisions: [
    { text: 'Use SQLite', locked: true },
    { text: 'Maybe zod', locked: false },
  ],
  artifacts: [
    { path: 'a.ts', change: 'created' },
    { path: 'b.ts', change: 'modified' },
  ],
  next: ['Write it', 'Test it'],
};

test('a goal is shown whole, lines but the first of a text indented', () => {
  expect(goalSection(goal, 0).split('\n')).toEqual([
    '<goal priority="high" status="active">',
    'Ship it',
    '  this week',
    'Milestones:',
    '- [x] Read',
    '- [~] Write',
    '- [ ] Test',
    '  all',
    'Decisions:',
    '- Use SQLite (locked)',
    '- Maybe zod',
    'Artifacts:',
    '- a.ts (created)',
    '- b.ts (modified)',
    'Next:',
    '- Write it',
    '- Test it',
    '</goal>',
  ]);
});

test('lists that are empty have no name, and no goal or a completed one no section', () => {
  expect(goalSection(newGoal('Go'), 0)).toBe(
    '<goal priority="medium" status="active">\nGo\n</goal>',
  );
  expect(goalSection(null, 0)).toBe('');
  expect(goalSection({ ...goal, status: 'completed' }, 0)).toBe('');
  expect(goalSection({ ...goal, status: 'paused' }, 0)).toContain('status="paused"');
});

const many = <T>(length: number, make: (n: string) => T): readonly T[] =>
  Array.from({ length }, (_, n) => make(`${n + 1}`));

const long: Goal = {
  ...newGoal('Go'),
  milestones: [
    ...many(20, (n) => ({ text: `done${n}`, status: 'completed' as const })),
    ...many(10, (n) => ({ text: `ahead${n}`, status: 'pending' as const })),
  ],
  decisions: [
    ...many(20, (n) => ({ text: `locked${n}`, locked: true })),
    ...many(10, (n) => ({ text: `open${n}`, locked: false })),
  ],
  artifacts: many(40, (n) => ({ path: `p${n}`, change: 'created' as const })),
  next: many(3, (n) => `next${n}`),
};

/** How many of each list are shown, and how many are said to be left out. */
function shown(detail: number): string {
  const section = goalSection(long, detail);
  const count = (pattern: RegExp): number => section.match(pattern)?.length ?? 0;
  const kinds = [/done\d/g, /ahead\d/g, /locked\d/g, /open\d/g, /p\d+ \(/g, /next\d/g].map(count);
  const left = [...section.matchAll(/- (\d+) more/g)].map(([, n]) => n);
  return `${kinds.join(' ')} | ${left.join(' ')}`;
}

test.each([
  [0, '20 10 20 10 30 3 | 10'],
  [1, '12 10 20 4 8 3 | 8 6 32'],
  [2, '6 10 20 0 4 1 | 14 10 36 2'],
  [3, '3 10 16 0 0 1 | 17 14 40 2'],
  [4, '1 6 10 0 0 1 | 23 20 40 2'],
  [5, '0 3 6 0 0 0 | 27 24 40 3'],
  [6, '0 1 4 0 0 0 | 29 26 40 3'],
  [7, '0 0 2 0 0 0 | 30 28 40 3'],
  [8, '0 0 0 0 0 0 | 30 30 40 3'],
])('detail %i shows of done, ahead, locked, unlocked, artifacts, next: %s', (detail, what) => {
  expect(shown(detail)).toBe(what);
});

test('the newest stay of what is done and decided, the first of what is ahead; a count stands where others were', () => {
  const lines = goalSection(long, 4).split('\n');
  expect(lines.slice(2, 10)).toEqual([
    'Milestones:',
    '- 23 more',
    '- [x] done20',
    '- [ ] ahead1',
    '- [ ] ahead2',
    '- [ ] ahead3',
    '- [ ] ahead4',
    '- [ ] ahead5',
  ]);
  expect(lines.slice(-4)).toEqual(['Next:', '- next1', '- 2 more', '</goal>']);
});

test('behind the barest detail a line says that the goal is too long', () => {
  expect([goalDetails, bareGoal]).toEqual([10, 8]);
  expect(goalSection(long, 9)).toBe(
    '[The goal is too long for this window; goal.description has it]',
  );
});

test('those that stay keep their places among each other, and one more than fits is counted', () => {
  const mixed: Goal = {
    ...newGoal('Go'),
    milestones: [
      { text: 'a', status: 'pending' },
      { text: 'b', status: 'completed' },
      { text: 'c', status: 'in_progress' },
      ...many(2, (n) => ({ text: `d${n}`, status: 'completed' as const })),
      ...many(5, (n) => ({ text: `e${n}`, status: 'pending' as const })),
    ],
    decisions: [
      { text: 'f', locked: true },
      ...many(5, (n) => ({ text: `g${n}`, locked: false })),
      { text: 'h', locked: true },
    ],
    artifacts: many(9, (n) => ({ path: `p${n}`, change: 'deleted' as never })),
    next: ['x', 'y'],
  };
  const lines = (detail: number) => goalSection(mixed, detail).split('\n').slice(2, -1).join(' ');
  expect(lines(1)).toBe(
    'Milestones: - [ ] a - [x] b - [~] c - [x] d1 - [x] d2 - [ ] e1 - [ ] e2 - [ ] e3 - [ ] e4 - [ ] e5 ' +
      'Decisions: - 1 more - f (locked) - g2 - g3 - g4 - g5 - h (locked) ' +
      'Artifacts: - 1 more - p2 (deleted) - p3 (deleted) - p4 (deleted) - p5 (deleted) - p6 (deleted) - p7 (deleted) - p8 (deleted) - p9 (deleted) ' +
      'Next: - x - y',
  );
  expect(lines(4)).toBe(
    'Milestones: - 3 more - [ ] a - [~] c - [x] d2 - [ ] e1 - [ ] e2 - [ ] e3 - [ ] e4 ' +
      'Decisions: - 5 more - f (locked) - h (locked) Artifacts: - 9 more Next: - x - 1 more',
  );
  expect(lines(8)).toBe(
    'Milestones: - 10 more Decisions: - 7 more Artifacts: - 9 more Next: - 2 more',
  );
});
