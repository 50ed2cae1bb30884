import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyMarkers, newGoal, type Goal } from '../../../src/core/frames/goal.ts';
import { goalDetails, goalSection } from '../../../src/core/sections/goal-section.ts';
import { markersIn } from '../../../src/core/frames/goal-markers.ts';

const goal: Goal = {
  ...newGoal('Build the notes app', 'high'),
  milestones: [
    { text: 'Design', status: 'completed' },
    { text: 'Login', status: 'in_progress' },
    { text: 'Search', status: 'pending' },
  ],
  decisions: [
    { text: 'Use argon2id', locked: true },
    { text: 'Maybe SQLite', locked: false },
  ],
  artifacts: [{ path: 'src/auth/jwt.ts', change: 'created' }],
  next: ['Write the login test'],
};

test('a goal is shown whole where there is room', () => {
  expect(goalSection(goal, 0)).toBe(
    [
      '<goal priority="high" status="active">',
      'Build the notes app',
      'Milestones:',
      '- [x] Design',
      '- [~] Login',
      '- [ ] Search',
      'Decisions:',
      '- Use argon2id (locked)',
      '- Maybe SQLite',
      'Artifacts:',
      '- src/auth/jwt.ts (created)',
      'Next:',
      '- Write the login test',
      '</goal>',
    ].join('\n'),
  );
});

test('a completed goal and none are not shown', () => {
  expect(goalSection({ ...goal, status: 'completed' }, 0)).toBe('');
  expect(goalSection(null, 0)).toBe('');
});

test('with less room whole members go, the oldest first, and a count says how many', () => {
  const milestones = Array.from({ length: 20 }, (_, n) => ({
    text: `M${n}.`,
    status: 'completed' as const,
  }));
  const shown = goalSection({ ...goal, milestones }, 2);
  expect(shown).toContain('- 14 more\n- [x] M14.');
  expect(shown).not.toContain('M13.');
});

test('no detail is longer than the one before, and each line stands in the fullest', () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const some = fc.record({
    description: word,
    milestones: fc.array(
      fc.record({ text: word, status: fc.constantFrom('completed', 'pending', 'in_progress') }),
      { maxLength: 30 },
    ),
    decisions: fc.array(fc.record({ text: word, locked: fc.boolean() }), { maxLength: 30 }),
    next: fc.array(word, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(some, (given) => {
      const full = { ...newGoal(given.description), ...given } as Goal;
      const lines = new Set(goalSection(full, 0).split('\n'));
      for (let detail = 1; detail < goalDetails - 1; detail += 1) {
        const shown = goalSection(full, detail).split('\n');
        for (const line of shown)
          if (!/^- \d+ more$/.test(line)) expect(lines.has(line)).toBe(true);
      }
    }),
  );
});

test('markers move a goal along; a decision once locked stays locked', () => {
  const text = [
    '[GOAL] Build the notes app',
    '[CHECKPOINT] Login - IN PROGRESS',
    '[DECISION] Use tabs - LOCKED',
    '[ARTIFACT] Created src/a.ts',
    '[NEXT] Test it',
  ].join('\n');
  const begun = applyMarkers(null, markersIn(text));
  expect(begun).toMatchObject({
    description: 'Build the notes app',
    milestones: [{ text: 'Login', status: 'in_progress' }],
    artifacts: [{ path: 'src/a.ts', change: 'created' }],
    next: ['Test it'],
  });
  const later = applyMarkers(
    begun,
    markersIn('[CHECKPOINT] Login - COMPLETED\n[DECISION] Use tabs'),
  );
  expect(later).toMatchObject({
    milestones: [{ text: 'Login', status: 'completed' }],
    decisions: [{ text: 'Use tabs', locked: true }],
  });
});

test('without a goal, markers other than [GOAL] do nothing', () => {
  expect(applyMarkers(null, markersIn('[NEXT] Test it'))).toBeNull();
});

test('a goal in other words stays what it is, and another keeps what is locked', () => {
  const goal = {
    ...newGoal('Build a notes app.'),
    status: 'paused' as const,
    milestones: [{ text: 'Log in', status: 'pending' as const }],
    decisions: [
      { text: 'Never store passwords in clear', locked: true },
      { text: 'Try a list', locked: false },
    ],
  };
  expect(applyMarkers(goal, markersIn('[GOAL] build a notes app'))).toBe(goal);
  expect(applyMarkers(goal, markersIn('[GOAL] Ship it'))).toMatchObject({
    description: 'Ship it',
    status: 'paused',
    milestones: [],
    decisions: [{ text: 'Never store passwords in clear', locked: true }],
  });
});

const begun = {
  ...newGoal('Build the notes app'),
  milestones: [{ text: 'Log-in', status: 'in_progress' as const }],
};
const stepsAfter = (next: readonly string[], said: string): readonly string[] =>
  applyMarkers({ ...begun, next }, markersIn(said))!.next;

test.each([
  'Log-in',
  'log in',
  'Write the log-in page.',
  'Next: finish log-in',
  'to set up the Log-in',
])('a milestone that is done takes the step “%s” with it', (step) => {
  expect(stepsAfter([step, 'Ship'], '[CHECKPOINT] Log-in - COMPLETED')).toEqual(['Ship']);
  expect(stepsAfter([step], '[CHECKPOINT] Log-in - IN PROGRESS')).toEqual([step]);
});

test.each([
  'Test the log-in',
  'Write the log-in tests',
  'Write docs for the log-in',
  'Build the log-in page into the app',
  '…',
])('it leaves the step “%s”, which comes after it', (step) => {
  expect(stepsAfter([step], '[CHECKPOINT] Log-in - COMPLETED')).toEqual([step]);
});

test('what is said with a milestone that is done, or after it, is next, but for the milestone itself', () => {
  const done = '[CHECKPOINT] Log-in - COMPLETED';
  expect(stepsAfter([], `[NEXT] Build the log-in page\n${done}`)).toEqual([
    'Build the log-in page',
  ]);
  expect(stepsAfter([], `[NEXT] log-in\n${done}`)).toEqual([]);
  const after = applyMarkers(begun, markersIn(done));
  const again = applyMarkers(after, markersIn('[NEXT] Build the log-in page'))!;
  expect(applyMarkers(again, markersIn(done))!.next).toEqual(['Build the log-in page']);
  expect(applyMarkers(again, markersIn('[NEXT] Log-in'))!.next).toEqual([]);
});

test('a milestone is the same however it is written, and keeps its words', () => {
  const said = ['Log-in', 'log-in.', 'Use C#', 'Use C++'].map((text, n) => ({
    type: 'milestone' as const,
    text,
    status: n === 1 ? ('completed' as const) : ('pending' as const),
  }));
  expect(applyMarkers(goal, said)!.milestones.slice(goal.milestones.length)).toEqual([
    { text: 'Log-in', status: 'completed' },
    { text: 'Use C#', status: 'pending' },
    { text: 'Use C++', status: 'pending' },
  ]);
});
