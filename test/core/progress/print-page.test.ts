import { expect, test } from 'vitest';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import { newGoal, type Goal } from '../../../src/core/frames/goal.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import { isPageNamed, printPage } from '../../../src/core/progress/page.ts';
import type { SessionWork } from '../../../src/core/progress/session-work.ts';
import { nothingReported } from '../../../src/core/state/document-schedule.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play, words } from '../../notation/state.ts';
import { workIn } from './work.ts';

const { state: silent } = play('');
const at = 86_400_000;

const printed = (work: SessionWork, state: State = silent, files: readonly string[] = []): string =>
  printPage(state, work, { at, count: words, files });

/** The lines of one section. */
const part = (name: string, page: string): readonly string[] =>
  page
    .split('\n\n')
    .find((text) => text.startsWith(`## ${name}`))
    ?.split('\n')
    .slice(1) ?? [];

const aiming = (changes: Partial<Goal>, description = 'Ship it'): State => ({
  ...silent,
  goal: { ...newGoal(description), ...changes },
});

const session = [
  'u Build the importer for CSV files. Never write to the log.',
  'c It turns out that the header is missing. | write: src/a.ts',
  'r ok',
  'c | bash: git commit -m "Add the reader"',
  'r [main 12ab34c] Add the reader\n 1 file changed',
  'c | bash: npm test',
  'r! Error: 2 tests fail',
  'a We decided to use streams instead of arrays. The reader was finished and is fast. Shall I write the tests for it too?',
];

test('the whole page of a session', () => {
  const { state } = play('u5 plan:later push:done a2 a2 pop push:now block call:read');
  const decisions = [
    { text: 'Zod', locked: true },
    { text: 'Vite', locked: false },
  ];
  const goal: Goal = { ...newGoal('Ship it', 'high'), status: 'paused', decisions };
  const list = [
    { text: 'Read', mark: 'x', n: 2 },
    { text: 'Write', mark: '~', n: 2 },
  ] as const;
  const page = printed(workIn(session, { list }), { ...state, goal }, ['2.md', '1.md']);
  expect(page).toBe(`# Now: root

> One page on where the work stands, rewritten at each checkpoint. Edit it by hand: what you change is taken in as your words.

- **Goal:** Ship it (high priority, paused)
- **Working on:** Ship it
- **Last completed:** The reader was finished and is fast (e8)
- **Next:** later
- **Waiting for:** read
- **As of:** 1970-01-02 00:00 UTC, turn 1, 4 messages

## Open
- [ ] later — later works (frame, planned)
- [ ] now — now works Blocked: it broke (frame, blocked)
- [ ] Write (list, in progress, e2)
- [ ] Asked: The reader was finished and is fast. Shall I write the tests for it too? (e8)

## Decisions in force
- We decided to use streams instead of arrays — the model, e8
- “Build the importer for CSV files. Never write to the log.” — a person, e1
- Vite
- Zod (locked)

## Done
- [x] done — done is completed (frame)
- [x] Read (list, e2)
- [x] Add the reader (12ab34c) (commit, e4)

## Files
- \`src/a.ts\` — changed (e2)

## Failed
- \`npm test\` failed: Error: 2 tests fail (e7)

## Where to look
- 2.md: what changed at each checkpoint, before that 1.md
- e12 and e40–e52 are entries of the log: \`flamestack expand e12 --session s\`, or the tool \`recall\`
- \`flamestack search "words" --session s\` finds what was said

<!-- flamestack page {"session":"s","at":86400000,"messages":4,"digest":"bd630d2a2ed261eb"} -->
`);
});

test('the page of a session in which nothing was said', () => {
  const page = printed(workIn([]), { ...silent, session: 'notes' });
  expect(page.slice(0, page.indexOf('\n\n<!--'))).toBe(`# Now: root

> One page on where the work stands, rewritten at each checkpoint. Edit it by hand: what you change is taken in as your words.

- **As of:** 1970-01-02 00:00 UTC, turn 0, 0 messages

## Where to look
- e12 and e40–e52 are entries of the log: \`flamestack expand e12 --session notes\`, or the tool \`recall\`
- \`flamestack search "words" --session notes\` finds what was said`);
  expect(printed(workIn([]), { ...silent, session: 'root' })).toContain('# Now: root\n');
});

test.each<readonly [Partial<Goal>, string]>([
  [{}, ''],
  [{ priority: 'low' }, ' (low priority)'],
  [{ status: 'completed' }, ' (completed)'],
])('a goal of %j is marked', (changes, mark) => {
  expect(printed(workIn([]), aiming(changes))).toContain(`- **Goal:** Ship it${mark}\n`);
});

test('a goal that was asked for says where', () => {
  expect(printed(workIn(session))).toContain('the log. (asked in e1)\n');
});

test('a long goal is cut to a hundred and forty tokens, any other line to ninety', () => {
  const count = (name: string, page: string): number =>
    words(new RegExp(`\\*\\*${name}:\\*\\* (.*)`).exec(page)![1]!);
  const long = printed(workIn([]), aiming({}, 'a '.repeat(300).trim()));
  expect([count('Goal', long), count('Working on', long)]).toEqual([122, 80]);
  const fits = printed(workIn([]), aiming({}, 'a '.repeat(140).trim()));
  expect(count('Goal', fits)).toBe(140);
});

test('of older documents four are named', () => {
  const files = ['6.md', '5.md', '4.md', '3.md', '2.md', '1.md'];
  expect(part('Where', printed(workIn([]), silent, files))[0]).toBe(
    '- 6.md: what changed at each checkpoint, before that 5.md, 4.md, 3.md, 2.md',
  );
  expect(part('Where', printed(workIn([]), silent, ['1.md']))[0]).toBe(
    '- 1.md: what changed at each checkpoint',
  );
});

test('open is what is neither done nor failed; what is done by a frame is not told by an item again', () => {
  const { state } = play('push:lost a2 fail push:Cart a2 pop');
  const list = [
    { text: 'Cart (rows, sums)', mark: 'x', n: 2 },
    { text: 'The Cart', mark: 'x', n: 2 },
    { text: 'Pay', mark: ' ', n: 2 },
  ] as const;
  const page = printed(workIn(['u hi', 'a ok'], { list }), state);
  expect(part('Open', page)).toEqual(['- [ ] Pay (list, e2)']);
  expect(part('Done', page)).toEqual([
    '- [x] Cart — Cart is completed (frame)',
    '- [x] The Cart (list, e2)',
  ]);
});

test('a decision says who made it, and is told once', () => {
  const decisions = [{ text: 'Never write to the log.', locked: true }];
  const said = workIn(['u Never write to the log.']);
  expect(part('Decisions', printed(said, aiming({ decisions })))).toEqual([
    '- Never write to the log. (locked)',
  ]);
  const answer = workIn([
    'u Store the tokens in cookies',
    'a Which of the two ways, (a) or (b)?',
    'u b',
  ]);
  expect(part('Decisions', printed(answer)).at(-1)).toMatch(/^- “b” to “.*” — a person, e3$/);
  const { state } = play('push:a pop');
  const [frames] = state.frames.chunks;
  const chunks = [
    frames!.map((frame) =>
      frame.results === null
        ? frame
        : { ...frame, results: { ...frame.results, decisions: ['Use tabs'] } },
    ),
  ];
  const closed = { ...state, frames: { ...state.frames, chunks } };
  expect(part('Decisions', printed(workIn([]), closed))).toEqual(['- Use tabs — a closed frame']);
});

const line = (kind: Line['kind'], n: number, text: string): Line => {
  return { turn: 0, kind, n, to: n + 1, text, file: '', worth: 1, tokens: 4 };
};

test('what failed since the last commit is told, the last six', () => {
  const failed = (n: number): Line => line('failed', n, `It failed ${n}`);
  const lines = [failed(1), line('done', 2, 'commit: Add it'), line('said', 3, 'It failed')];
  const told = (...more: readonly Line[]) =>
    part('Failed', printed({ ...workIn([]), lines: [...lines, ...more] }));
  expect(told()).toEqual([]);
  expect(told(failed(4))).toEqual(['- It failed 4 (e4)']);
  expect(told(...[4, 5, 6, 7, 8, 9, 10].map(failed))).toHaveLength(6);
  expect(part('Failed', printed({ ...workIn([]), lines: [failed(1)] }))).toHaveLength(1);
});

test('a commit is told by its title, shortened', () => {
  const told = (text: string) =>
    part('Done', printed({ ...workIn([]), lines: [line('done', 2, `commit: ${text}`)] }));
  expect(told('Add it · 3 files')).toEqual(['- [x] Add it (commit, e2)']);
  expect(told('a'.repeat(150))).toEqual([`- [x] ${'a'.repeat(139)}… (commit, e2)`]);
});

test('what one part leaves goes to those after it', () => {
  // Of 22 and 21 tokens with their line feeds: 260 for what is open, then 500 that decisions leave and 170.
  const item = (n: number): string => `${n} ${'a '.repeat(15)}`.trim();
  const listed = (open: number, done: number) => {
    const marks = [...Array(open).fill(' '), ...Array(done).fill('x')] as (' ' | 'x')[];
    const list = marks.map((mark, n) => ({ text: item(n), mark, n: 1 }));
    const page = printed(workIn(['u hi'], { list }));
    return [part('Open', page).length, part('Done', page).length];
  };
  expect([listed(30, 0), listed(30, 60), listed(2, 60)]).toEqual([
    [11, 0],
    [11, 32],
    [2, 42],
  ]);
});

test('a page that is too long ends where it must', () => {
  const count = (text: string): number => words(text) * 60;
  const page = printPage(silent, workIn(session), { at, count, files: [] });
  expect(page).not.toContain('## Where');
  expect(page).toContain('# Now: root');
});

test('a call since the last document may have named the page', () => {
  const named = (lines: readonly string[], messages = 0): boolean => {
    const told = { ...nothingReported, messages };
    return isPageNamed({ ...silent, documents: { ...silent.documents, told } }, workIn(lines));
  };
  const call = 'c | write: docs/NOW.md';
  expect(named(['u hi', call])).toBe(true);
  expect(named(['u hi', call], 1)).toBe(true);
  expect(named(['u hi', call], 2)).toBe(false);
  expect(named(['u look at NOW.md', 'a NOW.md', 'c | read: a.md', 'r NOW.md'])).toBe(false);
});

test('a recovered item that failed is not open', () => {
  const actions = [
    { text: 'Broken', done: false, kind: 'frame, failed' as const },
    { text: 'Listed', done: false, kind: 'list' as const },
  ];
  const page = printed(workIn([], { recovered: { ...emptyDocument, actions } }));
  expect(part('Open', page)).toEqual(['- [ ] Listed (list)']);
});
