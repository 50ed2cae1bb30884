import { expect, test } from 'vitest';
import { decisionsIn } from '../../../src/core/progress/decisions.ts';
import type { Line } from '../../../src/core/lines/line.ts';

const line = (n: number, text: string): Line => ({
  n,
  to: n,
  turn: 1,
  kind: 'said',
  text,
  tokens: 10,
  worth: 1,
  file: '',
});
const texts = (said: readonly string[], lines: readonly string[] = []): readonly string[] =>
  decisionsIn(
    said.map((text, index) => ({ n: index + 1, text })),
    lines.map((text, index) => line(index + 50, text)),
  ).map(({ text }) => text);

test('what a person lays down is a decision, in their words', () => {
  const said = [
    'Never touch data/legacy.csv. The port is 4711.',
    'API streaming is fine',
    'From now on the tests run in band.',
  ];
  expect(texts(said)).toEqual(said);
  expect(decisionsIn([{ n: 4, text: said[0]! }], [])).toEqual([
    { text: said[0], done: true, kind: 'directive', entry: 'e4' },
  ]);
});

test.each([
  'why do you never read the whole file',
  'can we not use a map here?',
  'I do not know what to use',
  'use your head you idiot',
  'wow',
  'That is wrong.',
  '{"error": "the id must not be empty"}',
])('a question, a curse, doubt or what was pasted is none: %s', (text) => {
  expect(texts([text])).toEqual([]);
});

test('an answer to the model is a decision of the person; another request in its place is none', () => {
  expect(
    texts(
      [],
      [
        'asked “Shall the cookies live an hour?”; e7 “yes, an hour”',
        'asked “Which way, (a) or (b)?”; e9 “b”',
        'asked “Shall I go on?”; e11 “move src/a.ts to src/core”',
        'asked “Shall I go on?”; e13 “what did you change?”',
      ],
    ),
  ).toEqual([
    '“yes, an hour” to “Shall the cookies live an hour?”',
    '“b” to “Which way, (a) or (b)?”',
  ]);
});

test('of the model only a choice that it states without doubt is one', () => {
  const chosen = 'We decided to store the hash instead of the token, because logs are read';
  expect(
    texts(
      [],
      [
        chosen,
        'The issue is that parse might return nil in all cases.',
        'You are absolutely right.',
        'I would suggest that we use a queue instead of a lock.',
        'I can see that the app uses titles instead of texts.',
        'Should we keep the old column instead of a new one?',
      ],
    ),
  ).toEqual([chosen]);
});

test('a request for one action, and leave to go on, are none', () => {
  expect(
    texts(
      [
        'ok, create a branch trial',
        'you can look up the old run in /var/log/run.txt, do not read it whole',
        'propose where each of the modules should go.',
      ],
      [
        'asked “Ready to start step 1?”; e11 “ok, looks fine, start it”',
        'asked “Should I continue with step 9, or stop here?”; e12 “i saw it, it is good. continue”',
      ],
    ),
  ).toEqual([]);
});

test('a standing rule is one in the words of a person, also where they ask to be agreed with', () => {
  const rules = [
    'i would only want round-trip tests for the Ledger, anything else is shitty.',
    'if we do e.g. a reload, those watchers should still be there, no?',
    'no, we want to put it in the tray, and on the next click we move it.',
  ];
  expect(
    texts([
      `${rules[0]!}\n\nread src/ledger.ts in full and tell me what you find there, with all that is odd in it. start with the part that reads the rows of the bank, then go on with the part that writes them to the disk of the customer, please`,
      `why does it drop the watchers? ${rules[1]!}`,
      `${rules[2]!} does that make sense?`,
    ]),
  ).toEqual(rules);
});

test('a list of what belongs where is one decision', () => {
  const [layout = '', ...more] = texts([
    `that is odd.\n\nicons -> ui/icons\nmoney -> core/money\nrows.ts, cells.ts -> core/table (possibly others?)\n\nor do you see it otherwise?`,
  ]);
  expect(layout).toBe(
    'icons -> ui/icons; money -> core/money; rows.ts, cells.ts -> core/table (possibly others?)',
  );
  expect(more).toEqual([]);
});

test('pasted output is none, nor are the lines that it wraps into', () => {
  expect(
    texts([
      'this results in\n\n Error: 400 {"type":"error"}\n ids were found. Each\n block must have a result in the next\n message."}\n\nhow come?',
      'Traceback (most recent call last):\n  File "a.py", line 3, in run\n    must always be used',
    ]),
  ).toEqual([]);
});

test('what a person rejects stands no longer', () => {
  const choice = 'We decided to use `queueRow` instead of `appendRow`, because the stream is open';
  const other = 'We decided to store the hash instead of the token, because logs are read';
  const said = (...all: readonly (readonly [number, string])[]): readonly string[] =>
    decisionsIn(
      all.map(([n, text]) => ({ n, text })),
      [line(5, choice), line(6, other)],
    ).map(({ text }) => text);
  expect(said([1, 'fix the import'], [9, 'good'])).toEqual([choice, other]);
  expect(said([1, 'fix the import'], [9, 'no, that is horrible.'])).toEqual([]);
  expect(
    said(
      [1, 'fix it'],
      [7, 'and the tests?'],
      [9, 'wait, this is wrong. why queue and then append to the stream?'],
    ),
  ).toEqual([other]);
  expect(said([7, 'From now on the rows are sorted.'], [9, 'can you revert that?'])).toEqual([
    choice,
    other,
  ]);
});

test.each([
  "alright, there's only one file left to fix up, rows.ts, read it in full",
  'Run the probe once more to verify the text-only reload',
  'this work was done on an older host, so it has gaps that keep it from being valid.',
  'that seems like it should not be possible, are we counting twice',
  'now let us look at how the reader keeps its rows, then we should be good to go',
  'what commands use the cache if it is enabled...',
  "We don't want that.",
  'no, the box should stay as is',
])('a fact, a complaint, one action and what says nothing by itself are none: %s', (text) => {
  expect(texts([text])).toEqual([]);
});

test('a sentence that leans on the one before it is told with it', () => {
  const question = 'does it hold?';
  expect(
    texts([
      `The rows are sent by the worker at night. They should never be read before ${question}`,
      `The rows are read by the worker at night. For example, we should keep them for a week. ${question}`,
      `Sorted how? This should never be done twice. ${question}`,
      `The host answers with the whole page at once. Never cut a page. ${question}`,
      `${'The host answers a page, '.repeat(10)}as it did. Never cut a row. ${question}`,
    ]),
  ).toEqual([
    'The rows are read by the worker at night. For example, we should keep them for a week.',
    'The host answers with the whole page at once. Never cut a page.',
    'Never cut a row.',
  ]);
});

test('what a person shows is not what they say, whether a review, a terminal or a document', () => {
  const rule = 'Never cache an empty page.';
  expect(
    texts([
      `What do you think of this one?\n\nThe watcher only adds watches for the folder. ${rule}`,
      `Check the fix for W14\n\n The dialog is never closed by its parent.\n The card must not follow.\n ${rule}`,
      'On branch main\nChanges not staged for commit:\n  (use "git add <file>..." to update it)',
      '## Rows\nEach row is stored once, so that readers should see one.\n## Files\nNever read a file twice.',
    ]),
  ).toEqual(['Never read a file twice.']);
});

test('what is said again, alone or with more behind it, is told once', () => {
  const said = 'The notes never hold the old format.';
  expect(texts([said, 'ok', `${said} Nor does the code.`])).toEqual([`${said} Nor does the code.`]);
});

test('an answer to a question that says nothing is told only where it says something by itself', () => {
  expect(texts(['no way'], ['asked “What do you think?”; e1 “no way”'])).toEqual([]);
});

test('what a person rejects by name may be three messages back, and no more', () => {
  const choice = 'We decided to use `queueRow` instead of `appendRow`, because the stream is open';
  const objection = 'no, do not use queueRow instead of appendRow.';
  const kept = (between: number): boolean => {
    const turns = Array.from({ length: between }, (_, at) => ({ n: 10 + at, text: 'go on' }));
    const said = [{ n: 1, text: 'fix it' }, ...turns, { n: 90, text: objection }];
    return decisionsIn(said, [line(5, choice)]).some(({ text }) => text.startsWith(choice));
  };
  expect([0, 1, 2, 3, 4].map(kept)).toEqual([false, false, false, true, true]);
});
