import { expect, test } from 'vitest';
import { emptyDocument } from '../../../src/core/documents/document.ts';
import {
  editMessage,
  isEdit,
  editedGoal,
  linesOfPage,
  pageChanges,
  readEdit,
  readGoal,
  unescaped,
  withEdit,
} from '../../../src/core/documents/page-edit.ts';
import {
  maskedPage,
  readPage,
  readPageMark,
  sharedLines,
} from '../../../src/core/documents/page-mark.ts';
import { contentLines, digestOf } from '../../../src/core/documents/document-digest.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';

const page = `# Now: notes

> One page on where the work stands, rewritten at each checkpoint. Edit it by hand: what you change is taken in as your words.

- **Goal:** Build the app (asked in e1, high priority)
- **Working on:** “The login” (e7)
- **Last completed:** The schema
- **Next:** Write \\*tests\\*
- **As of:** 2026-03-02 10:00 UTC, turn 3, 9 messages

## Open
- [ ] Write the docs (list, in progress, e5)
- [ ] Login — the form works (frame)
- [ ] Cookies — set and read (frame)
- [ ] Asked: Which port?

## Decisions in force
- SQLite only (locked)
- “Use pnpm” — a person, e2
- We keep plain SQL — the model, e4
- One process — a closed frame

## Done
- [x] Schema — three tables (frame)
- [x] Sum invoices (commit, e8)

## Files (… is \`/w/app\`)
- \`…/src/a.ts\` — port = 4310 (e3–e6)

## Failed
- \`npm test\` failed (e9)

## Where to look
- e12 are entries of the log
`;

test('each line of a page has the word of its section or field, its text, and what the page put behind it', () => {
  expect(
    linesOfPage(page).map(({ word, text, mark, entry }) => [word, text, mark, entry].join(' | ')),
  ).toEqual([
    'Goal | Build the app (asked in e1, high priority) |  | ',
    'Working on | The login |  | e7',
    'Last completed | The schema |  | ',
    'Next | Write *tests* |  | ',
    'Open | Write the docs | list, in progress | e5',
    'Open | Login — the form works | frame | ',
    'Open | Cookies — set and read | frame | ',
    'Open | Asked: Which port? |  | ',
    'Decision | SQLite only | locked | ',
    'Decision | Use pnpm | a person | e2',
    'Decision | We keep plain SQL | the model | e4',
    'Decision | One process | a closed frame | ',
    'Done | Schema — three tables | frame | ',
    'Done | Sum invoices | commit | e8',
    'File | `…/src/a.ts` — port = 4310 |  | e3',
    'Failed | `npm test` failed |  | e9',
  ]);
});

test('a page tells a document', () => {
  expect(readPage(page)).toMatchObject({
    title: 'notes',
    goal: 'Build the app',
    asked: 'e1',
    priority: 'high',
    standing: 'active',
    topic: '“The login” (e7)',
    completed: 'The schema',
    next: 'Write *tests*',
    questions: ['Which port?'],
    decisions: [
      { text: 'SQLite only', done: true },
      { text: 'Use pnpm', done: true, kind: 'directive', entry: 'e2' },
      { text: 'We keep plain SQL', done: false, kind: 'noted', entry: 'e4' },
      { text: 'One process', done: true, kind: 'noted' },
    ],
    actions: [
      { text: 'Write the docs', done: false, kind: 'list, in progress', entry: 'e5' },
      { text: 'Login', done: false, kind: 'frame', detail: 'the form works' },
      { text: 'Cookies', done: false, kind: 'frame', detail: 'set and read', depth: 1 },
      { text: 'Schema', done: true, kind: 'frame, completed', detail: 'three tables' },
      { text: 'Sum invoices', done: true, kind: 'commit', entry: 'e8' },
    ],
    files: [{ path: '/w/app/src/a.ts', change: 'port = 4310' }],
    status: '- `npm test` failed',
    edited: page.trim(),
  });
  expect(readPage('# Notes of mine')).toBeNull();
});

test('what was changed by hand is told line by line', () => {
  const after = page
    .replace('- [ ] Write the docs (list, in progress, e5)', '- [x] Write the docs')
    .replace('Next:** Write \\*tests\\*', 'Next:** Ship it')
    .replace('- One process — a closed frame\n', '')
    .replace('## Done', '- Never log tokens\n\n## Done');
  const changes = pageChanges(page, after);
  expect(changes).toEqual(
    [
      '- Next: Ship it',
      '- Decision: Never log tokens',
      '- Done: Write the docs',
      '- Taken out: Decision: One process',
    ].toSorted((a, b) => changes.indexOf(a) - changes.indexOf(b)),
  );
  expect(pageChanges(page, page)).toEqual([]);
  expect(pageChanges(page, '')).toEqual(['- I emptied it.']);
  expect(sharedLines(page, page)).toBeGreaterThan(sharedLines(page, after));
  expect(readEdit(editMessage({ changes }))).toEqual({
    goal: '',
    next: 'Ship it',
    topic: '',
    completed: '',
    open: [],
    decisions: ['Never log tokens'],
    done: ['Write the docs'],
    gone: ['One process'],
  });
  expect(readEdit('I edited nothing')).toBeNull();
});

test('an item that is called as its section is takes nothing else along', () => {
  const after = page.replace('- [ ] Write the docs (list, in progress, e5)', '- [ ] Open');
  const changes = pageChanges(page, after);
  expect(changes).toContain('- Open: Open');
  expect(changes).toContain('- Taken out: Open: Write the docs');
});

const edit = (changes: readonly string[]) => readEdit(editMessage({ changes }))!;

test('an edit of the page changes what its document tells', () => {
  const document = { ...readPage(page)!, edited: '' };
  const edited = withEdit(
    document,
    edit([
      '- Goal: Build it (low priority)',
      '- Done: Login — the form works',
      '- Open: Sum invoices',
      '- Open: New work',
      '- Taken out: Open: Cookies',
      '- Taken out: Decision: Use pnpm',
      '- Done: Asked: Which port?',
    ]),
  );
  expect(edited).toMatchObject({
    goal: 'Build it',
    asked: '',
    priority: 'low',
    topic: document.topic,
    questions: [],
  });
  expect(edited.decisions.map(({ text }) => text)).not.toContain('Use pnpm');
  const told = edited.actions.map(({ text, done, kind }) => `${text}: ${done} ${kind}`);
  expect(told).toContain('Login: true frame, completed');
  expect(told).toContain('Sum invoices: false commit');
  expect(told).toContain('New work: false list');
  expect(told.some((line) => line.startsWith('Cookies'))).toBe(false);
  expect(
    withEdit(emptyDocument, edit(['- Next: x', '- Working on: y', '- Last completed: z'])),
  ).toMatchObject({
    next: 'x',
    topic: 'y',
    completed: 'z',
  });
});

test('an edit ticks, opens and takes out what a goal has', () => {
  const goal = {
    ...newGoal('Ship'),
    milestones: [
      { name: 'Docs', text: 'Docs', status: 'pending' },
      { name: 'Code', text: 'Code', status: 'completed' },
      { name: 'Logo', text: 'Logo', status: 'pending' },
    ],
    decisions: [
      { text: 'SQLite only', locked: true },
      { text: 'No ORM', locked: false },
    ],
    next: ['Write', 'Test'],
  } as unknown as Parameters<typeof editedGoal>[0];
  const after = editedGoal(
    goal,
    edit([
      '- Done: Docs',
      '- Open: Code',
      '- Taken out: Open: Logo',
      '- Taken out: Decision: No ORM',
      '- Done: Write',
    ]),
  )!;
  expect(after.milestones.map(({ text, status }) => `${text} ${status}`)).toEqual([
    'Docs completed',
    'Code pending',
  ]);
  expect(after.decisions.map(({ text }) => text)).toEqual(['SQLite only']);
  expect(after.next).toEqual(['Test']);
  expect(after.description).toBe('Ship');
  expect(editedGoal(goal, edit(['- Goal: Sail (paused)']))).toMatchObject({
    description: 'Sail',
    status: 'paused',
  });
  expect(editedGoal(goal, edit(['- Goal: Sh…']))!.description).toBe('Ship');
  expect(editedGoal(null, edit(['- Goal: Sail']))!.description).toBe('Sail');
  expect(editedGoal(null, edit(['- Next: Sail']))).toBeNull();
});

test.each([
  ['Ship it', { goal: 'Ship it' }],
  ['Ship it (asked in e4)', { goal: 'Ship it', asked: 'e4' }],
  ['Ship it (high priority, paused)', { goal: 'Ship it', priority: 'high', standing: 'paused' }],
  [
    'Ship it (asked in e4, low priority, completed)',
    { goal: 'Ship it', asked: 'e4', priority: 'low', standing: 'completed' },
  ],
  ['Ship it (soon)', { goal: 'Ship it (soon)' }],
  ['', { goal: '' }],
  ['Ship it (asked in e12)', { goal: 'Ship it', asked: 'e12' }],
  ['Ship it (asked in x)', { goal: 'Ship it (asked in x)' }],
  ['Ship it (paused) now', { goal: 'Ship it (paused) now' }],
  ['Ship it (a) (completed)', { goal: 'Ship it (a)', standing: 'completed' }],
  [
    'Ship it (low priority, completed, paused)',
    { goal: 'Ship it', priority: 'low', standing: 'completed' },
  ],
])('the goal of %s', (printed, told) => {
  const plain = { asked: '', priority: 'medium', standing: 'active' };
  expect(readGoal(printed)).toEqual({ ...plain, ...told });
});

test('a backslash goes where it escapes a sign', () => {
  expect(unescaped('\\*a\\* \\b \\\\')).toBe('*a* \\b \\');
});

/** A page as it is written, with its mark. */
const marked = (text: string, more: object = {}): string => {
  const mark = {
    session: 'notes',
    at: 5,
    messages: 7,
    digest: digestOf(contentLines(text)),
    ...more,
  };
  return `${text}\n<!-- flamestack page ${JSON.stringify(mark)} -->\n`;
};

test('a mark says whose page it is, and whether the page is as it was written', () => {
  const told = { session: 'notes', at: 5, messages: 7, isAsWritten: true };
  expect(readPageMark(marked(page))).toEqual(told);
  expect(readPageMark(`${marked(page)}mine`)).toEqual({ ...told, isAsWritten: false });
  expect(readPageMark(marked(page, { at: 1.5, messages: -1 }))).toMatchObject({
    at: 0,
    messages: 0,
  });
  expect(readPageMark(marked(page, { at: '5', messages: 0 }))).toMatchObject({
    at: 0,
    messages: 0,
  });
  expect(readPageMark(`${marked('a')}${marked('b', { session: 'last' })}`)?.session).toBe('last');
  for (const session of ['a'.repeat(65), 'a b', ' a', 'a\n'])
    expect(readPageMark(marked(page, { session }))).toBeNull();
  expect(readPageMark(marked(page, { session: 'a'.repeat(64) }))).not.toBeNull();
  for (const text of ['', page, 'x <!-- flamestack page {} -->', '<!-- flamestack page {x} -->'])
    expect(readPageMark(text)).toBeNull();
  expect(readPage(marked(page))).toMatchObject({ session: 'notes', at: 5, messages: 7, title: '' });
  expect(readPage(marked('mine'))).toMatchObject({
    session: 'notes',
    title: '',
    edited: expect.any(String),
  });
});

test('a masked page is as it was written, if it was', () => {
  const mask = (text: string): string => text.replaceAll('notes', '***');
  const masked = maskedPage(marked(page), mask);
  expect(masked).toContain('# Now: ***\n');
  expect(readPageMark(masked)).toMatchObject({ session: 'notes', isAsWritten: true });
  const edited = maskedPage(`${marked(page)}mine of notes`, mask);
  expect(edited.endsWith('\nmine of ***')).toBe(true);
  expect(readPageMark(edited)).toMatchObject({ session: 'notes', isAsWritten: false });
  expect(maskedPage('notes\r\nmore', mask)).toBe('***\r\nmore');
});

test('lines that pages share are counted without titles', () => {
  const lines = '# Now: a\n> One page\n## Open\n- a\n### b\n- c';
  expect(sharedLines(lines, lines)).toBe(3);
  expect(sharedLines(lines, '- c\n- d\n## Open')).toBe(1);
});

test('of a page without sections and marks, lines are notes', () => {
  const told = (text: string) => linesOfPage(text).map(({ word, text: one }) => `${word}: ${one}`);
  expect(told('mine\n\n## Mine\n* a\n+ [ ] b\n- [X] c\n-d')).toEqual([
    'Note: mine',
    'Note: ## Mine',
    'Note: a',
    'Open: b',
    'Done: c',
    'Note: -d',
  ]);
  expect(told('## Open (two)\n- a\n## Where to look\n- b\n## Failed\n- c')).toEqual([
    'Open: a',
    'Failed: c',
  ]);
  expect(told('## Decisions in force\n- [ ] a')).toEqual(['Decision: a']);
  expect(told('so ## Open\n- a')).toEqual(['Note: so ## Open', 'Note: a']);
  expect(told('- **Waiting for:** read\n- **Mine:** a')).toEqual([
    'Waiting for: read',
    'Note: **Mine:** a',
  ]);
});

test.each([
  ['a (list, e4)', 'a', 'list', 'e4'],
  ['a (list)', 'a', 'list', ''],
  ['a (frame, blocked)', 'a', 'frame, blocked', ''],
  ['a (frame, planned, e4)', 'a', 'frame, planned', 'e4'],
  ['a (milestone, in progress)', 'a', 'milestone, in progress', ''],
  ['a (commit, e12)', 'a', 'commit', 'e12'],
  ['a (locked)', 'a', 'locked', ''],
  ['a (e4)', 'a', '', 'e4'],
  ['a (e4–e12)', 'a', '', 'e4'],
  ['a (frame, done)', 'a (frame, done)', '', ''],
  ['a (x4)', 'a (x4)', '', ''],
  ['a (list) b', 'a (list) b', '', ''],
  ['a — a person, e4', 'a', 'a person', 'e4'],
  ['a — a person', 'a', 'a person', ''],
  ['a — the model, e12', 'a', 'the model', 'e12'],
  ['a — a closed frame', 'a', 'a closed frame', ''],
  ['a — a person, e4 b', 'a — a person, e4 b', '', ''],
  ['“a” — a person, e4', 'a', 'a person', 'e4'],
  ['“a” (e12)', 'a', '', 'e12'],
  ['“a” b', '“a” b', '', ''],
  ['b “a”', 'b “a”', '', ''],
  ['“a” (e12) (list)', 'a', 'list', ''],
  ['“a” (x12) (list)', '“a” (x12)', 'list', ''],
  ['“two words” — the model', 'two words', 'the model', ''],
  ['“” (e4)', '', '', 'e4'],
  ['a (commit, x4)', 'a (commit, x4)', '', ''],
  ['a (e4–x5)', 'a (e4–x5)', '', ''],
  ['a — someone', 'a — someone', '', ''],
  ['“a” to “b”', '“a” to “b”', '', ''],
])('of the line %j, %j is the text', (line, ...[text, mark, entry]) => {
  expect(linesOfPage(`- ${line}`)).toEqual([{ word: 'Note', text, mark, entry }]);
});

test('of many lines that were taken out twelve are told', () => {
  const lines = (count: number): string =>
    ['# Now: a', ...Array.from({ length: count }, (_, n) => `- a${n}`)].join('\n');
  expect(pageChanges(lines(13), lines(1))).toHaveLength(12);
  const all = pageChanges(lines(14), lines(1));
  expect(all).toHaveLength(13);
  expect(all.at(-1)).toBe('- Taken out: 1 lines more');
  expect(pageChanges('', '')).toEqual([]);
  expect(pageChanges('# Now: a', '- b')).toEqual(['- Note: b']);
});

test('a question that was answered or taken out is open no longer; of a goal only what is done is opened', () => {
  const document = { ...readPage(page)!, edited: '' };
  expect(withEdit(document, edit(['- Taken out: Open: Asked: Which port?'])).questions).toEqual([]);
  expect(withEdit(document, edit(['- Done: Asked: Which door?'])).questions).toHaveLength(1);
  const milestones = [
    { text: 'Read', status: 'in_progress' },
    { text: 'Write', status: 'completed' },
  ] as const;
  const goal = { ...newGoal('Ship'), milestones, next: ['Write it', 'Test it'] };
  const after = editedGoal(goal, edit(['- Open: Read', '- Taken out: Open: Write it']))!;
  expect(after.milestones).toEqual(milestones);
  expect(after.next).toEqual(['Test it']);
  const begun = { ...goal, next: ['read', 'Test it'] };
  expect(editedGoal(begun, edit(['- Done: Read']))!.next).toEqual(['Test it']);
});

test.each([
  ['Write the tests', 'Write the tests', true],
  ['write the tests', 'Write the tests', false],
  ['Write “the tests”!', 'Write the tests', true],
  ['Write the tests of all t…', 'Write the tests of all the rooms', true],
  ['Write the tests of…', 'Write the tests of all the rooms', false],
  ['Write the tests of al…', 'Write the tests of all the rooms', true],
  ['Write the tests of a…', 'Write the tests of all the rooms', false],
  ['Write the tests of all t', 'Write the tests of all the rooms', false],
  ['!!', '??', false],
  ['!!', '!!', true],
])('the line %j tells the item %j: %j', (line, text, is) => {
  const document = { ...emptyDocument, actions: [{ text, done: false }] };
  const { actions } = withEdit(document, edit([`- Done: ${line}`]));
  expect(actions.map(({ done }) => done)).toEqual(is ? [true] : [false, true]);
});

test.each([
  ['so # Now: a', ['Note: so # Now: a']],
  ['# Now: a', []],
  ['> One page on where it stands', []],
  ['so > One page on where it stands', ['Note: so > One page on where it stands']],
  ['- **As of:** now', []],
  ['so - **As of:** now', ['Note: so - **As of:** now']],
  ['<!-- flamestack page {', []],
  ['so <!-- flamestack page {', ['Note: so <!-- flamestack page {']],
  ['so - **Goal:** a', ['Note: so - **Goal:** a']],
  ['- [y] a', ['Note: [y] a']],
  ['- [x]a', ['Done: a']],
  ['so - a', ['Note: so - a']],
  ['-', ['Note: -']],
  ['## DONE\n- a', ['Done: a']],
  ['## Open  (2)\n- a\n- [x] b\n- [ ] c', ['Open: a', 'Done: b', 'Open: c']],
  ['## Files\n- a\n## Mine\n- b', ['File: a', 'File: ## Mine', 'File: b']],
])('the lines of the page %j', (text, told) => {
  expect(linesOfPage(text).map(({ word, text: one }) => `${word}: ${one}`)).toEqual(told);
});

test('an edit is a message of a person in words', () => {
  const content = editMessage({ changes: ['- Next: a'] });
  expect(content).toBe('I edited NOW.md by hand; it counts as what I say now.\n- Next: a');
  expect(isEdit({ role: 'user', content })).toBe(true);
  expect(isEdit({ role: 'assistant', content })).toBe(false);
  expect(isEdit({ role: 'user', content: [{ type: 'text', text: content }] as never })).toBe(false);
  expect(isEdit({ role: 'user', content: `So: ${content}` })).toBe(false);
});

test('of what an edit says twice the last counts, and what was taken out of other sections stays told', () => {
  const changes = ['- Goal: a', '- Goal: b', '- Next: c', '- Next: d', '- Taken out: Note: e'];
  expect(edit([...changes, '- Taken out: Done: f', 'Open: g', '- Working on: h'])).toEqual({
    goal: 'b',
    next: 'd',
    topic: 'h',
    completed: '',
    decisions: [],
    open: [],
    done: [],
    gone: ['f'],
  });
});

test('what is ticked changes its kind, and a frame loses what was told of it', () => {
  const items = [
    { text: 'A', done: false, kind: 'frame', detail: 'a', depth: 1 },
    { text: 'B', done: true, kind: 'frame, completed', detail: 'b' },
    { text: 'C', done: false, kind: 'milestone, in progress', entry: 'e3' },
    { text: 'D', done: false },
    { text: 'E', done: true, kind: 'list', detail: 'e' },
    { text: 'F', done: false, kind: 'list' },
  ] as const;
  const { actions } = withEdit(
    { ...emptyDocument, actions: items },
    edit(['- Done: A', '- Open: B', '- Done: C', '- Done: D', '- Done: E', '- Taken out: Open: F']),
  );
  expect(actions).toEqual([
    { text: 'A', done: true, kind: 'frame, completed', depth: 1 },
    { text: 'B', done: false, kind: 'frame, planned' },
    { text: 'C', done: true, kind: 'milestone', entry: 'e3' },
    { text: 'D', done: true },
    { text: 'E', done: true, kind: 'list', detail: 'e' },
  ]);
});

test('a line tells an item with what is told of it, and none by that alone', () => {
  const of = (line: string, detail: string) =>
    withEdit(
      { ...emptyDocument, actions: [{ text: 'A\nb', done: false, detail }] },
      edit([`- Done: ${line}`]),
    ).actions.length;
  expect([of('A b — c', 'c'), of('A b — other', 'c')]).toEqual([1, 1]);
  expect([of('A b — c', ''), of('A b: c', 'c'), of('So A b — c', 'c')]).toEqual([2, 2, 2]);
});

test('what a page lacks is empty, and its marks say what the rest is', () => {
  const lines = [
    '# Now: notes',
    '- so - **Goal:** x',
    '## Decisions in force',
    '- A — a person',
    '- B — the model',
    '- C',
    '- D (locked)',
    '## Open',
    '- [ ] E — one — two (frame)',
    '- [ ] F — one',
    '- [ ] G (frame, planned)',
    '- [ ] H (frame)',
    '## Done',
    '- [x] I (frame, blocked)',
    '## Files',
    '- `…/a…/b.ts`',
    '- `c.ts` — new — d',
    '- d.ts',
    '- so `e.ts`',
    '- `f.ts` so',
    '## Failed',
    '- One',
    '- Two',
  ];
  const text = lines.join('\n');
  expect(readPage(`\n${text}\n`)).toEqual({
    ...emptyDocument,
    title: 'notes',
    decisions: [
      { text: 'A', done: true, kind: 'directive', entry: 'e1' },
      { text: 'B', done: false, kind: 'noted', entry: 'e1' },
      { text: 'C', done: false },
      { text: 'D', done: true },
    ],
    actions: [
      { text: 'E', done: false, kind: 'frame', detail: 'one — two' },
      { text: 'F — one', done: false },
      { text: 'G', done: false, kind: 'frame, planned' },
      { text: 'H', done: false, kind: 'frame', depth: 1 },
      { text: 'I', done: true, kind: 'frame, completed' },
    ],
    files: [
      { path: '…/a…/b.ts', change: '' },
      { path: 'c.ts', change: 'new — d' },
    ],
    status: '- One\n- Two',
    edited: text,
  });
  expect(readPage('so # Now: a')).toBeNull();
  expect(readPage('a\n# Now: a')).toBeNull();
});

test('a mark is a line of its own, of a session that a file may be called by', () => {
  const mark = marked(page).trimEnd().split('\n').at(-1)!;
  expect(readPageMark(mark)).toMatchObject({ session: 'notes', isAsWritten: false });
  expect(readPageMark(`${mark}  `)).not.toBeNull();
  for (const text of [`x ${mark}`, `${mark} x`, `${mark}\n<!-- flamestack page {x} -->`])
    expect(readPageMark(text)).toBeNull();
  expect(readPageMark(marked(page, { session: 'a.b-c_1' }))?.session).toBe('a.b-c_1');
  for (const session of ['', 7, 'a/b', '../a', 'ä'])
    expect(readPageMark(marked(page, { session }))).toBeNull();
});

test('a line with a sign of a title behind is counted', () => {
  const lines = '- a > b\n- a ## b\n##b\n>b';
  expect(sharedLines(lines, lines)).toBe(4);
});
