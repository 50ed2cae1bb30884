import { expect, test } from 'vitest';
import { remarksIn, remarksOfPlan, wasBefore } from '../../../src/core/file-events/file-remarks.ts';
import type { Line } from '../../../src/core/lines/line.ts';

const line = (text: string, kind: Line['kind'] = 'said'): Line =>
  ({ kind, text, worth: 1 }) as Line;

const remarks = (text: string, kind?: Line['kind']) =>
  remarksIn(line(text, kind)).map((one) => [one.path, one.text, one.worth]);

test.each([
  ['`src/hash.ts` - password hashing', 'src/hash.ts', 'password hashing'],
  ['"src/hash.ts": password hashing', 'src/hash.ts', 'password hashing'],
  ['**src/hash.ts — password hashing', 'src/hash.ts', 'password hashing'],
  ['- src/hash.ts – password hashing', 'src/hash.ts', 'password hashing'],
  ['(src/hash.ts) → password hashing', 'src/hash.ts', 'password hashing'],
  ['The file src/hash.ts = password hashing', 'src/hash.ts', 'password hashing'],
  ['In the new `src/hash.ts` (120 lines): password hashing', 'src/hash.ts', 'password hashing'],
  ['Created src/hash.ts: password hashing', 'src/hash.ts', 'password hashing'],
  ['Create src/hash.ts: password hashing', 'src/hash.ts', 'password hashing'],
  ['Added src/hash.ts: password hashing', 'src/hash.ts', 'password hashing'],
  ['src/hash.ts: 120 | password hashing', 'src/hash.ts', 'password hashing'],
  ['src/hash.ts: 12–14 | password hashing', 'src/hash.ts', 'password hashing'],
])('%j says what a file is', (text, path, what) => {
  expect(remarks(text)).toEqual([[path, what, 3]]);
});

test('what a file is has twelve characters at least, and a hundred and fifty at most', () => {
  expect(remarks('src/a.ts: hashes a key')).toEqual([['src/a.ts', 'hashes a key', 3]]);
  expect(remarks('src/a.ts: hashes keys')).toEqual([]);
  const long = `src/a.ts: ${'hash '.repeat(40)}`;
  expect(remarks(long)[0]![1]).toHaveLength(150);
});

test.each([
  'look into src/hash.ts - password hashing', // the file is not what it speaks of
  'src/hash.ts and password hashing', // no mark
  'src/hash.ts password hashing',
  'src/hash.ts -password hashing', // an option
  'src/hash.ts and src/salt.ts: password hashing', // two files
  'src/hash.ts holds what we need of it:', // what follows is not there
  'password hashing is done elsewhere', // no file
  'Remove the password hashing that is not used (see src/hash.ts)', // an aside
  '`src/hash.ts` | 27-46 | password hashing table', // a row that states nothing
  '27-46 | src/hash.ts: password hashing table',
])('%j says nothing of a file', (text) => {
  expect(remarks(text)).toEqual([]);
});

test('a row says what it states', () => {
  expect(remarks('`src/hash.ts` | 27-46 | passwords are hashed')).toEqual([
    ['src/hash.ts', 'passwords are hashed', 3],
  ]);
  expect(remarks('27-46 | src/hash.ts: passwords are hashed')).toEqual([
    ['src/hash.ts', 'passwords are hashed', 3],
  ]);
});

test('a sentence with four words that states something tells of the file that it names', () => {
  const said = 'Every password is hashed inside src/hash.ts with salt';
  expect(remarks(said)).toEqual([['src/hash.ts', said, 1]]);
  expect(remarks('Keys are hashed inside src/hash.ts')).toEqual([
    ['src/hash.ts', 'Keys are hashed inside src/hash.ts', 1],
  ]);
  expect(remarks('Keys are hashed in src/hash.ts')).toEqual([]); // three words, "in" is too short
  expect(remarks('The password hashing inside src/hash.ts')).toEqual([]); // states nothing
});

test('a sentence longer than three hundred characters tells of no file', () => {
  const said = (length: number): string =>
    `Every password is hashed inside src/hash.ts ${'x'.repeat(length)}`.slice(0, length);
  expect(remarks(said(300))[0]![1]).toHaveLength(150);
  expect(remarks(said(301))).toEqual([]);
});

test.each([
  ['is', 'are', 'was', 'were', 'be', 'has', 'have', 'had', 'does', 'do', 'did', 'can', 'cannot'],
  ['could', 'must', 'should', 'will', 'would', 'may', 'not', 'no', 'never', 'only', 'always'],
  ['because', 'since', 'so', 'instead', 'but', 'need', 'needs', 'use', 'uses', 'call', 'calls'],
  ['run', 'make', 'give', 'get', 'take', 'set', 'keep', 'hold', 'reads', 'writes', 'returns'],
  ['adds', 'removes', 'fails', 'works', 'breaks', 'sends', 'stores', 'checks', 'don’t', "isn't"],
  ['hashed', 'normalizes', 'validates', 'verifies'],
])('a statement holds one of %s, …', (...words) => {
  for (const word of words)
    expect(remarks(`Passwords ${word} hashing inside src/hash.ts there`), word).toHaveLength(1);
});

test('the parts of a line each tell of their file', () => {
  const parts = 'src/a.ts: hashes passwords; src/b.ts: stores all rows · src/c.ts: opens the pool';
  expect(remarks(parts).map(([path]) => path)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
  const sentences =
    'src/a.ts: hashes passwords. `src/b.ts`: stores all rows! Done? (src/c.ts): opens it all';
  expect(remarks(sentences).map(([path, what]) => [path, what])).toEqual([
    ['src/a.ts', 'hashes passwords.'],
    ['src/b.ts', 'stores all rows!'],
    ['src/c.ts', 'opens it all'],
  ]);
});

test('what was said, read or committed tells of files, and nothing else', () => {
  const told = [['src/a.ts', 'hashes passwords', 3]];
  expect(remarks('src/a.ts: hashes passwords', 'read')).toEqual(told);
  expect(remarks('src/a.ts: hashes passwords', 'changed')).toEqual([]);
  expect(remarks('commit: src/a.ts: hashes passwords', 'changed')).toEqual([]);
  expect(remarks('commit: Hash all passwords; src/a.ts: hashes passwords', 'changed')).toEqual(
    told,
  );
});

test('what tells somebody to do something says when it was planned, but where it was committed', () => {
  const told = (kind: Line['kind'], text: string) =>
    remarksIn({ ...line(text, kind), n: 48 }).map((remark) => remark.text);
  expect(told('read', 'src/a.ts - Add the routes of the admin')).toEqual([
    'planned in e48: Add the routes of the admin',
  ]);
  expect(told('said', 'src/a.ts - Adds the routes of the admin')).toEqual([
    'Adds the routes of the admin',
  ]);
  expect(told('done', 'commit: src/a.ts - Add the routes of the admin')).toEqual([
    'commit: src/a.ts - Add the routes of the admin',
  ]);
});

test('what uses a file is not the file', () => {
  expect(remarks('Sources lib/trace.sh, adds the headers of a trace')).toEqual([]);
  expect(remarks('The hook sources lib/trace.sh, adds the headers')).toHaveLength(1);
});

test('an order that turns something off is planned, too', () => {
  const [told] = remarksIn({
    ...line('config/test.exs - disable the export by default', 'read'),
    n: 6,
  });
  expect(told!.text).toBe('planned in e6: disable the export by default');
});

test.each([
  [
    'Files: Modify: `src/hash.ts` — the key is hashed with salt',
    'planned in e6: the key is hashed with salt',
  ],
  ['Step 2: Update: `src/hash.ts` — the key is hashed', 'planned in e6: the key is hashed'],
  ['Found: `src/hash.ts` — the key is hashed with salt', 'the key is hashed with salt'],
])('what stands under an order is planned: %s', (text, told) => {
  expect(remarksIn({ ...line(text), n: 6 }).map((one) => one.text)).toEqual([told]);
});

test.each([
  '`src/hash.ts` — update all the tests',
  '`src/hash.ts` — Fix imports.',
  'It is hashed inside src/hash.ts with salt and a key',
  'The salt is new. This was hashed inside src/hash.ts with a key',
])(
  'what any file may have planned, and a sentence about something else says nothing of one: %s',
  (text) => {
    expect(remarks(text)).toEqual([]);
  },
);

test.each([
  [
    'Summary of changes: File | Change; `src/hash.ts` | Use argon2id for all hashes',
    'Use argon2id for all hashes',
  ],
  ['Summary: `src/hash.ts` — Use argon2id for all hashes', 'Use argon2id for all hashes'],
  ['Key files: File | Purpose; src/hash.ts | Call to hashPassword()', 'Call to hashPassword()'],
  ['I made these changes: `src/hash.ts` — add a salt to each', 'add a salt to each'],
  ['Files changed: `src/old.ts`; `src/hash.ts` — add a salt to each', 'add a salt to each'],
  ['Files changed next: `src/hash.ts` — add a salt to each', 'planned in e6: add a salt to each'],
  [
    'Fixed: a lock. Changes needed: `src/hash.ts` — add a salt to each',
    'planned in e6: add a salt to each',
  ],
  [
    'Plan: File | Change; `src/hash.ts` | Use argon2id for all hashes',
    'planned in e6: Use argon2id for all hashes',
  ],
])('what a summary or a table of what is there tells is not planned: %s', (text, told) => {
  expect(remarksIn({ ...line(text), n: 6 }).map((one) => one.text)).toEqual([told]);
});

test('what was thought, asked or offered, and a call that was refused, says nothing of a file', () => {
  expect(remarks('We could keep all of the keys in src/hash.ts alone')).toEqual([]);
  expect(remarks('asked “Shall every key be hashed in src/hash.ts?”; e7 “yes”')).toEqual([]);
  const refused = 'Edit `src/hash.ts` was refused by the user (as its result says): “not there”';
  expect(remarks(refused)).toEqual([]);
  // What a host would have done is told as it was.
  expect(remarks('The edit of src/hash.ts was refused by a hook that runs first')).toHaveLength(1);
});

const told = (text: string, kind: Line['kind'] = 'said') =>
  remarksIn({ ...line(text, kind), n: 6 }).map((one) => one.text);

test.each([
  ['Files to change: `src/hash.ts` — keys with salt', 'planned in e6: keys with salt'],
  ['Changes needed: …; `src/hash.ts` — keys with salt', 'planned in e6: keys with salt'],
  ['Files changed: `src/hash.ts` — keys with salt', 'keys with salt'],
  [
    'Pending: Run all of the tests against src/hash.ts first',
    'planned in e6: Run all of the tests against src/hash.ts first',
  ],
  [
    'Bugs to fix: The salt is always empty in src/hash.ts',
    'The salt is always empty in src/hash.ts',
  ],
  ['How to add a provider: `src/hash.ts` — keys with salt', 'keys with salt'],
  ['Plan file: `docs/hash.md` — keys with salt', 'keys with salt'],
])('what stands below files that are to be changed is planned: %s', (text, said) => {
  expect(told(text)).toEqual([said]);
});

test.each([
  [
    'Files: Action | File; Modify | `src/hash.ts` | keys are hashed with salt',
    'planned in e6: Modify | `src/hash.ts` | keys are hashed with salt',
  ],
  ['Files: File | Role; `src/hash.ts` | keys are hashed with salt', 'keys are hashed with salt'],
])('a row that says what to do with its file is planned: %s', (text, said) => {
  expect(told(text)).toEqual([said]);
});

test('a place behind a path is none of what it says', () => {
  expect(told('`src/hash.ts:12` - Removed the loop over all keys')).toEqual([
    'Removed the loop over all keys',
  ]);
  expect(told('src/hash.ts:12-14 — Remove the loop over all keys')).toEqual([
    'planned in e6: Remove the loop over all keys',
  ]);
  // A compiler tells places so, too.
  expect(told('src/hash.ts:12:4: error that nobody expects')).toEqual([]);
});

test('what a plan says of a file is planned, but for what it finds there', () => {
  const planned = ['planned in e6: keys with salt'];
  const files = 'Files: `src/hash.ts` — keys with salt';
  expect(told(`docs/plans/login.md: ${files}`, 'read')).toEqual(planned);
  expect(told(`docs/airplanes.md: ${files}`, 'read')).toEqual(['keys with salt']);
  const ofPlan = (text: string) => remarksOfPlan({ ...line(text), n: 6 }).map((one) => one.text);
  expect(ofPlan(files)).toEqual(planned);
  expect(ofPlan('Existing code: `src/hash.ts` — keys with salt')).toEqual(['keys with salt']);
  expect(ofPlan('`src/hash.ts` — Reference for the form of keys')).toEqual([
    'Reference for the form of keys',
  ]);
  expect(ofPlan('By then each key is hashed by src/hash.ts with salt')).toEqual([]);
  expect(told('Files to change: `src/hash.ts` — Existing form of keys')).toEqual([
    'Existing form of keys',
  ]);
  const current = 'Current flow: Each key is hashed by src/hash.ts without salt';
  expect(ofPlan(current)).toEqual(['Each key is hashed by src/hash.ts without salt']);
});

test('what a document has somebody do is a rule of it', () => {
  const rule = 'Run all of the tests against src/hash.ts first';
  expect(told(`Tests to write: ${rule}`)).toEqual([`planned in e6: ${rule}`]);
  expect(told(`Tests to write: ${rule}`, 'read')).toEqual([rule]);
});

test('an order that only makes use of a file is none for it', () => {
  expect(told('Use src/log.ts for all that is printed to people')).toEqual([
    'Use src/log.ts for all that is printed to people',
  ]);
  const ordered = 'Create: The default host of src/log.ts is the one of the tests';
  expect(told(ordered)).toEqual(['The default host of src/log.ts is the one of the tests']);
});

test('what was planned for a file, or wrong with it, is over once it was changed', () => {
  expect(wasBefore({ text: 'planned in e6: Add a salt', n: 6 }, 6)).toBe(true);
  expect(wasBefore({ text: 'planned in e6: Add a salt', n: 6 }, 5)).toBe(false);
  expect(wasBefore({ text: 'The bug is in src/hash.ts at the salt', n: 6 }, 8)).toBe(true);
  expect(wasBefore({ text: 'The bug is in src/hash.ts at the salt', n: 6 }, 5)).toBe(false);
  expect(wasBefore({ text: 'fails with an error where the salt is short', n: 6 }, 8)).toBe(false);
});

test('what a person refused, or was asked, tells of no file', () => {
  const said = 'src/a.ts: hashes passwords with salt';
  expect(remarks(said)).not.toEqual([]);
  expect(remarks(`“${said}” refused in e4: “no”`)).toEqual([]);
  expect(remarks(`asked “Shall it be so that ${said}?”; e4 “yes”`)).toEqual([]);
});
