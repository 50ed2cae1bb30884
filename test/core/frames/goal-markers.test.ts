import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markersIn } from '../../../src/core/frames/goal-markers.ts';

test('the markers of the seed are read, one a line', () => {
  const text = `Working on it.
[GOAL] Implement user authentication system
[CHECKPOINT] Design authentication flow - COMPLETED
[CHECKPOINT] Add JWT token generation - IN PROGRESS
[CHECKPOINT] User registration
[DECISION] Use JWT for authentication - LOCKED
[DECISION] Store tokens in httpOnly cookies
[ARTIFACT] Created src/auth/login.ts
[ARTIFACT] Modified src/routes/api.ts
[NEXT] Complete JWT token generation, then move to user registration`;
  expect(markersIn(text)).toEqual([
    { type: 'goal', text: 'Implement user authentication system' },
    { type: 'milestone', text: 'Design authentication flow', status: 'completed' },
    { type: 'milestone', text: 'Add JWT token generation', status: 'in_progress' },
    { type: 'milestone', text: 'User registration', status: 'pending' },
    { type: 'decision', text: 'Use JWT for authentication', locked: true },
    { type: 'decision', text: 'Store tokens in httpOnly cookies', locked: false },
    { type: 'artifact', path: 'src/auth/login.ts', change: 'created' },
    { type: 'artifact', path: 'src/routes/api.ts', change: 'modified' },
    { type: 'next', text: 'Complete JWT token generation, then move to user registration' },
  ]);
});

test.each([
  ['- [CHECKPOINT] Log in – completed', { type: 'milestone', text: 'Log in', status: 'completed' }],
  [
    '  * **[CHECKPOINT]** Log in — In Progress.',
    { type: 'milestone', text: 'Log in', status: 'in_progress' },
  ],
  [
    '1. **[CHECKPOINT] Log in - in_progress**',
    { type: 'milestone', text: 'Log in', status: 'in_progress' },
  ],
  [
    '[CHECKPOINT] Log-in page - pending\r',
    { type: 'milestone', text: 'Log-in page', status: 'pending' },
  ],
  [
    '[CHECKPOINT] Log in - **COMPLETED**',
    { type: 'milestone', text: 'Log in', status: 'completed' },
  ],
  [
    '[DECISION]: One store - not two - locked',
    { type: 'decision', text: 'One store - not two', locked: true },
  ],
  [
    '[DECISION] The door is locked',
    { type: 'decision', text: 'The door is locked', locked: false },
  ],
  [
    '[ARTIFACT] created `src/my file.ts` (new)',
    { type: 'artifact', path: 'src/my file.ts', change: 'created' },
  ],
  [
    '[ARTIFACT] Modified src/a-b.ts - adds a guard',
    { type: 'artifact', path: 'src/a-b.ts', change: 'modified' },
  ],
])('%j is a marker', (line, marker) => {
  expect(markersIn(line)).toEqual([marker]);
});

test.each([
  'say [GOAL] to set one',
  '[GOAL]',
  '[GOAL] **',
  '`[GOAL] in code marks`',
  '> [GOAL] quoted',
  '[goal] small',
  '[ARTIFACT] src/a.ts',
  '[CHECKPOINT] - COMPLETED',
  '```\n[GOAL] fenced\n```',
  '~~~ts\n[GOAL] fenced, never closed',
])('%j holds no marker', (text) => {
  expect(markersIn(text)).toEqual([]);
});

test('a text is kept as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const body = text.replace(/[\r\n]/g, ' ').trim();
      fc.pre(/[\p{L}\p{N}]/u.test(body) && !/^[*:]|\*$/.test(body));
      expect(markersIn(`[NEXT] ${body}`)).toEqual([{ type: 'next', text: body }]);
    }),
  );
});

test.each([' ', '-', '[', '[GOAL] ', '[CHECKPOINT] a - ', '*', '- ', '`', '\n', '[DECISION] a -'])(
  'a million characters of %j are read in linear time',
  (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(markersIn(text).length).toBeLessThanOrEqual(1);
    expect(markersIn(`[CHECKPOINT] ${text}`).length).toBeLessThanOrEqual(1);
  },
  20_000,
);
