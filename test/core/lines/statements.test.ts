import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statementsOf } from '../../../src/core/lines/statements.ts';

const textsOf = (text: string): readonly string[] => statementsOf(text).map((one) => one.text);

test.each([
  ['The guard in auth.ts was inverted.', ['The guard in auth.ts was inverted.']],
  [
    'bcrypt truncates at 72 bytes. So long passphrases collide, as e12 shows.',
    ['bcrypt truncates at 72 bytes.', 'So long passphrases collide, as e12 shows.'],
  ],
  [
    'The causes are:\n- the pool is never drained\n- the timer outlives the test',
    ['The causes are: the pool is never drained; the timer outlives the test'],
  ],
  [
    '## Verdict\n\nKeep the old parser, it is faster on 4 of 5 inputs.',
    ['Verdict: Keep the old parser, it is faster on 4 of 5 inputs.'],
  ],
  [
    '**Root cause**\nThe index has no `tenant` column.',
    ['Root cause: The index has no `tenant` column.'],
  ],
  ['| file | lines |\n|---|---:|\n| src/a.ts | 120 |', ['file | lines; src/a.ts | 120']],
  [
    '```\nconst a = 1 because of it;\n```\nThe lock in a.ts is held twice.',
    ['The lock in a.ts is held twice.'],
  ],
  [
    'The pool is never drained. It keeps 40 sockets open.',
    ['The pool is never drained. It keeps 40 sockets open.'],
  ],
  ['Great, the lock in a.ts is held twice.', ['the lock in a.ts is held twice.']],
  [
    'You’re absolutely right — the lock in a.ts is held twice.',
    ['the lock in a.ts is held twice.'],
  ],
  [
    'The lock in src/a.ts is held twice, so let me check its callers.',
    ['The lock in src/a.ts is held twice.'],
  ],
  [
    '## Remaining\n\nWhat is left needs no new table in any of the stores.\n\n- WP4: tests\n- WP5: docs of the cache',
    [
      'Remaining: What is left needs no new table in any of the stores.',
      'Remaining: WP4: tests; WP5: docs of the cache',
    ],
  ],
  [
    '- Parser:\n  - keeps its cache\n  - drops comments\n- Printer: none of `it`',
    ['Parser: keeps its cache; drops comments; Printer: none of `it`'],
  ],
])('%j states %j', (text, stated) => {
  expect(textsOf(text)).toEqual(stated);
});

test.each([
  'Let me look at src/auth.ts.',
  'Now I’ll run the tests in test/auth.test.ts.',
  'Okay, let me check line 42 first.',
  'Great!',
  'Done.',
  'Perfect, that works.',
  'Would you like me to commit these 3 files?',
  'Sounds good.',
  'Now update src/auth.ts.',
  'Good instinct — let’s see if there is a precedent in src/a.ts.',
  'While the analysis of src/a.ts runs for a while, let me read the plan.',
  'Good instinct, let’s see what is in src/a.ts rather than trust the summary.',
  'Let me check src/a.ts. It must hold the lock twice.',
  'You’re right — those never made it into docs/plan.md.',
  'Let me verify where `rawData` lands rather than trust the summary.',
  '',
  '***',
])('an announcement, a greeting or an offer states nothing: %j', (text) => {
  expect(textsOf(text)).toEqual([]);
});

test('an announcement that gives its reason states that', () => {
  const said = 'Let me use argon2id instead of bcrypt, because bcrypt truncates at 72 bytes.';
  expect(textsOf(said)).toEqual([said]);
});

test('a long list keeps its head, and an item the one it belongs to', () => {
  const items = (name: string): string =>
    Array.from(
      { length: 4 },
      (_, n) => `  - the ${name} of part ${n} waits for the lock of the pool`,
    ).join('\n');
  const all = textsOf(
    `What is left:\n- Reader:\n${items('reader')}\n- Writer:\n${items('writer')}`,
  );
  expect(all.length).toBeGreaterThan(1);
  for (const one of all) expect(one).toMatch(/^What is left: (?:Reader|Writer): /);
});

test('what corrects or concludes tells more than what only says', () => {
  const [plain, cause, turned] = statementsOf(
    [
      'Some first words about the state of this.',
      'The handler reads the body in src/api.ts.',
      'The root cause is the handler in src/api.ts.',
      'It turns out that the handler in src/api.ts was wrong.',
    ].join('\n'),
  )
    .slice(1)
    .map(({ value }) => value);
  expect(cause).toBeGreaterThan(plain!);
  expect(turned).toBeGreaterThan(plain!);
});

test('a statement is one printable line, however long and odd the text is', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '\n- ',
      '\r\n',
      '\u2028',
      '| a |',
      '## ',
      '**x**',
      ': ',
      '. The ',
      '`',
      '```\n',
      '\u0000',
    ),
    fc.lorem({ maxCount: 20 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      for (const { text, value } of statementsOf(pieces.join(''))) {
        expect(text).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{12,420}$/);
        expect(value).toBeGreaterThan(0);
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['one word of 100,000 letters', 'a'.repeat(100_000)],
  ['one line of 100,000 letters and spaces', 'The lock 1 '.repeat(10_000)],
  ['100,000 open brackets', '[('.repeat(50_000)],
  ['100,000 bars', '|'.repeat(100_000)],
  ['100,000 stars', '*'.repeat(100_000)],
  ['a list of 20,000 items', '- it fails 1\n'.repeat(20_000)],
  ['100,000 spaces before a word', `${' '.repeat(100_000)}The lock is held twice.`],
])('%s are read at once', (_, text) => {
  const statements = statementsOf(text);
  expect(statements.length).toBeLessThanOrEqual(400);
  for (const one of statements) expect(one.text.length).toBeLessThanOrEqual(420);
});

test('of very many statements the first and the last ones stay', () => {
  const text = Array.from({ length: 900 }, (_, n) => `The rule number ${n} is in force.`).join(
    '\n',
  );
  const all = textsOf(text);
  expect(all).toHaveLength(400);
  expect(all[0]).toContain('number 0 ');
  expect(all.at(-1)).toContain('number 899 ');
});
