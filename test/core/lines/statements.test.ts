import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isIntent } from '../../../src/core/lines/announcements.ts';
import { statementsOf } from '../../../src/core/lines/statements.ts';
import { statementLines, worthOf } from '../../../src/core/lines/worth.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

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
  [
    '1. stop the server of src/a.ts\n```\nkill 4\n```\n2. start it again on 4310',
    ['stop the server of src/a.ts; …', 'start it again on 4310'],
  ],
  ['The mark is `***NO_CI***` in **all** 4 files.', ['The mark is `***NO_CI***` in all 4 files.']],
  [
    'See the plan in docs/plan.md first. Its item 8 is void.',
    ['See the plan in docs/plan.md first. Its item 8 is void.'],
  ],
  [
    'I look at module m2 and its test. I decided on a retry limit of 5 in src/m2.ts.',
    ['I decided on a retry limit of 5 in src/m2.ts.'],
  ],
  ['I first read `src/a.ts` and its callers.', []],
  [
    'I read in `src/a.ts` that the pool is never drained.',
    ['I read in `src/a.ts` that the pool is never drained.'],
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
    ['Parser: keeps its cache; drops comments; …', '…; Printer: none of `it`'],
  ],
  [
    'The fix is to sort `names()` by:\n1. Reading them once\n2. Checking the default first',
    ['The fix is to sort `names()` by: Reading them once; Checking the default first'],
  ],
  ['## Store\nWhy:\n- The rows of `a.ts` are slow', ['Store: Why: The rows of `a.ts` are slow']],
  [
    '## Store\n### Impact\n- The rows of `a.ts` are slow',
    ['Store: Impact: The rows of `a.ts` are slow'],
  ],
  [
    '**Drop the lock.**\n\n**Rationale:**\n- The rows of `a.ts` are slow',
    ['Drop the lock: Rationale: The rows of `a.ts` are slow'],
  ],
  [
    '## Store\n- `a.ts` has 40 rows\n\n## Notes\n- The rows of `a.ts` are slow',
    ['Store: `a.ts` has 40 rows', 'Notes: The rows of `a.ts` are slow'],
  ],
  ['Not data loss, only two entries of `a.ts` instead of one.', []],
])('%j states %j', (text, stated) => {
  expect(textsOf(text)).toEqual(stated);
});

test('what follows a long list does not go on with its last part', () => {
  const items = ['a', 'b', 'c'].map((name) => `- \`${name}.ts\` ${'keeps its rows '.repeat(9)}`);
  const text = `It checks:\n${items.join('\n')}\n\nThis is what keeps \`a.ts\` right.`;
  expect(textsOf(text).join('\n')).not.toContain('This is');
});

test.each([
  'Let me look at src/auth.ts.',
  'Now I’ll run the tests in test/auth.test.ts.',
  'Okay, let me check line 42 first.',
  'Great!',
  'Done.',
  'Perfect, that works.',
  'Here’s the full picture of what the cache does at night.',
  'The cause is clear from the logs.',
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
  '現在の設定を確認し、CI の対応範囲に合わせて修正します。',
  'lint とテストを実行して、問題がなければコミットします。',
  '22/22 통과했으니 lint와 기존 테스트도 실행합니다.',
  '먼저 기존 export 경로를 확인하겠습니다.',
  'If you want, I can turn this into issues of src/a.ts.',
  'If you’d like me to, I could split src/a.ts.',
  'Please rerun `npm run e2e`, which should pass in src/a.ts now.',
])('an announcement, a greeting or an offer states nothing: %j', (text) => {
  expect(textsOf(text)).toEqual([]);
});

test.each([
  'Still waiting on the other two agents before src/a.ts is merged.',
  'I’ll wait for the run of src/a.ts rather than poll it.',
  'Expected, since src/a.ts has no guard as yet.',
  'The tests of src/a.ts are still running in the background.',
  'Restoring the recompiled files and moving to src/a.ts.',
  'The `os` import is now unused in src/a.go.',
  'The `time` package is missing from the imports of src/a.go.',
  'The diagnostic will clear once src/a.go is saved.',
  'First, gathering the state of src/a.ts so I give you steps.',
  'I’m still resolving the review thread of src/a.ts.',
  'I’m getting a top-level view of src/a.ts.',
  'I’ve got the structural picture of src/a.ts and two of the reviews back.',
  'After that I’ll spin up agents for src/a.ts.',
  'Once the parser is merged, I’ll look at src/a.ts.',
  'While they work, I’m doing my own pass over src/a.ts so I can merge both.',
  'I’m checking src/a.ts first so I can tell what it does instead of guessing.',
  'I’m pulling the lines of src/a.ts rather than only its name.',
])('what only passes states nothing: %j', (text) => {
  expect(textsOf(text)).toEqual([]);
});

test.each([
  'Running the tests twice fails because src/a.ts keeps its lock.',
  'Expected 4 rows in src/a.ts and got 5.',
  'I’m assuming that src/a.ts is the only caller.',
  'I’m getting two errors of src/a.ts.',
  'I’m checking src/a.ts next, because the lock of the pool is never given back.',
  'I’m adding the lock to src/a.ts instead of to each caller.',
])('what is found on the way is stated: %j', (text) => {
  expect(textsOf(text)).toEqual([text]);
});

test.each([
  'I’m fixing that by keying the cache of src/a.ts on both names.',
  'I’ll move the check to the start of `run`, so only one of both calls it.',
  'Let me cut the list without reading it again.',
  'The `timeout` parameter is unused, so that retries of src/a.ts never honour it.',
  'The diagnostics show that the cache of src/a.ts is never flushed.',
  '`check-type-assertions: true` means I need to handle the value `ok`.',
  '挙動を変えない範囲で src/a.ts を修正します。',
])('an announcement that says how, or within what limits, is stated: %j', (text) => {
  expect(textsOf(text)).toEqual([text]);
});

test.each([
  'I’m checking src/a.ts by reading its tests.',
  'I’m running the suite of src/a.ts by hand, so it tells what fails.',
  'Let me verify src/a.ts by running it.',
  'Let me start by creating src/types and the definitions in it.',
])('how something is looked at is not, nor what work starts with: %j', (text) => {
  expect(textsOf(text)).toEqual([]);
});

test.each([
  "Yes, but it's not a general “resolve all paths” system.",
  'Right — a reader per list, so the child needs its own.',
  'You’re right, and I owe you a correction: src/a.ts holds the lock twice.',
  'Got it, so for hasNew=false the lock of src/a.ts is held.',
  'Understood — since both strategies now read src/a.ts, one of them is enough.',
  'Good catch, which means that src/a.ts holds the lock twice.',
])('an answer stays before what goes on from it: %j', (said) => {
  expect(textsOf(said)).toEqual([said]);
  expect(textsOf(said.replace(/^[^,—]+?(?=,| —)/, '**$&**'))).toEqual([said]);
});

test('an answer before what is only announced does not', () => {
  expect(textsOf('Good catch — so let me check src/a.ts.')).toEqual([]);
  expect(textsOf('Good catch, since src/a.ts holds the lock, let me check it.')).toEqual([]);
  expect(textsOf('Yes — let me check src/a.ts.')).toEqual([]);
});

test('a text may begin with what it answers to', () => {
  const said = 'He thanked you and said that the cap of 128 KiB limits his monorepo.';
  expect(textsOf(said)).toEqual([said]);
  expect(textsOf(`Yes. ${said}`)).toEqual([said]);
  expect(textsOf('It works now as of src/a.ts.')).toEqual([]);
});

test.each([
  '`hash()` は一致した行だけを返しますが、空の入力では失敗しました。',
  '警告 2 件を修正しました。',
  '외부 typed consumer가 없으므로 릴리스 노트를 추가합니다.',
  '릴리스 태그 전에 버전을 모두 맞춰야 합니다.',
])('what was done, or must be, is no announcement: %j', (text) => {
  expect(isIntent(text)).toBe(false);
});

test('an announcement that gives its reason states that', () => {
  const said = 'Let me use argon2id instead of bcrypt, because bcrypt truncates at 72 bytes.';
  expect(textsOf(said)).toEqual([said]);
});

test.each([
  "The auth module reads rows one by one; I'll do it in one statement because the log-in path is hot.",
  'The cache of src/rows.ts is shared by all, so I should key it by tenant instead.',
])('so does one behind a statement: %j', (said) => {
  expect(textsOf(said)).toEqual([said]);
});

test('of one behind a statement that only looks nothing stays, whatever its reason', () => {
  const [said, looks] = ['The lock in src/a.ts is held twice', 'let me check why, since it hangs.'];
  expect(textsOf(`${said}, so ${looks}`)).toEqual([`${said}.`]);
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
  for (const one of all) expect(one).toMatch(/^What is left: (?:…; )?(?:Reader|Writer): /);
});

test('what goes on from a list begins a sentence, and its own list stands behind what led to the first', () => {
  const list =
    'The cache is filled by two jobs:\n\n- `nightly` for all users\n- `onSave` for one\n\n';
  const told = 'The cache is filled by two jobs: `nightly` for all users; `onSave` for one';
  expect(textsOf(`${list}They never run at once, as jobs.lock sees to it.`)).toEqual([
    `${told}. They never run at once, as jobs.lock sees to it.`,
  ]);
  expect(textsOf(`${list}They leave out:\n\n- \`guests\`, who save nothing`)).toEqual([
    told,
    'The cache is filled by two jobs: … They leave out: `guests`, who save nothing',
  ]);
});

test.each([
  'Here’s what happens: the cache is filled twice.',
  'Here is the culprit — a lock that nobody gives back.',
  'Here is a race between the two workers of the cache.',
  'Here is a lock that the cache never gives back to a reader.',
  'The cause is clear: the cache is filled twice.',
  'Here’s why the cache is filled twice at night.',
])('what says what was found is told: %j', (said) => {
  expect(textsOf(said)).toEqual([said]);
});

test('what only says that something follows stands before what goes on from it', () => {
  const said =
    'Here’s the order that I’d take. It follows the calls of `load`, so each step runs alone.';
  expect(textsOf(said)).toEqual([said]);
});

test('a list that goes on from a sentence with one word is told with that sentence', () => {
  const said = 'The path of src/a.ts is used nowhere.';
  const items = '- the hook passes the path\n- the store keeps the path';
  const told = `${said} Instead: the hook passes the path; the store keeps the path`;
  expect(textsOf(`${said}\n\nInstead:\n${items}`)).toEqual([told]);
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

test('a choice is told however short it is, a plain sentence is not', () => {
  const said = (text: string): readonly string[] => statementsOf(text).map((one) => one.text);
  for (const choice of [
    'I decided on zod.',
    'Decision: we validate with zod.',
    'We will use zod for validation.',
    'Decided: dates are stored in UTC.',
  ])
    expect(said(choice)).toEqual([choice]);
  expect(said('The zod types look good here.')).toEqual([]);
  expect(said('Should we decide on zod?')).toEqual([]);
});

test('a statement is one printable line, however long and odd the text is', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 60 }),
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

const base = 'The handler reads the whole body of every request';

test.each([
  [base, 0.9],
  [`${base} because it is`, 1.28],
  [`${base} since then`, 1.28],
  [`${base}, it fails`, 1.28],
  [`${base}, it failed`, 1.28],
  [`${base}, failing`, 1.28],
  [`${base}, it works`, 1.28],
  [`${base}, it work`, 1.28],
  [`${base}, it passes`, 1.28],
  [`${base}, it pass`, 0.9],
  [`${base}, it was caused by it`, 1.28],
  [`${base}, the cause`, 1.28],
  [`${base}, actually`, 1.28],
  [`${base}, the actual`, 1.28],
  [`${base}, it can't`, 1.28],
  [`${base}, it can’t`, 1.28],
  [`${base}, it doesn’t`, 1.28],
  [`${base}, it isn't`, 1.28],
  [`${base}, it isn’t`, 1.28],
  [`${base}, it won’t`, 1.28],
  [`${base}, it requires more`, 1.28],
  [`${base}, it require more`, 1.28],
  [`${base}, it needs more`, 1.28],
  [`${base}, it depends on more`, 1.28],
  [`${base}, a tradeoff of it`, 1.28],
  [`${base}, a trade-off of it`, 1.28],
  [`${base}, an end-to-end one`, 0.9],
  [`${base}, a tag-create-late one`, 1.35],
  [`${base}, of a-b.ts`, 1.35],
  [`${base}, a recommendation`, 1.28],
  ['The change of the logging is in place.', 0.45],
  ['The tests of the planner are in and green.', 0.45],
  ['The planner is done and the tree is clean.', 0.45],
  ['The planner is done with all of its rows.', 0.9],
  ['Committed as `1a2b3c4`.', 0.2],
  ['The tests of the planner are running now with no failures so far.', 0.45],
  ['The tests of the planner are nearly done, and most of them are of the pool.', 0.45],
  ['The jobs of the planner remain in progress; the others are green.', 0.45],
  ['If the jobs of the planner are queued, they hold their row.', 0.9],
  ['The jobs of the planner are running as root in a sandbox.', 0.9],
  ['The orders of the planner are queued, and go out at night.', 0.9],
  [`The planner is tested with:\n\n\`\`\`\nrun src/a.ts src/b.ts --all 42\n\`\`\``, 0.9],
  [`${base}, instead of it`, 2.1],
  [`${base}, a decision of it`, 2.1],
  [`${base}, a relay-decision test`, 0.9],
  [`${base}, a decision-tree test`, 0.9],
  [`${base}, a \`name\` in it`, 1.35],
  [`${base}, a \`\` in it`, 0.9],
  [`${base}, at 42 of it`, 1.35],
  [`${base}?`, 1.05],
  [`${base}, rejected`, 2.1],
  [`${base}, reject it`, 0.9],
  [`${base}, reverted`, 2.1],
  [`${base}, revert it`, 0.9],
  [`${base}, as it turns out`, 3],
  [`${base}, as it turn out`, 2.1],
  [`${base}, you're right`, 2.1],
  [`${base}, you’re right`, 2.1],
  [`${base}, the root cause`, 3.5],
  [`${base}, it might`, 0.53],
  [`${base}, i guess so`, 0.53],
  [`${base}, not sure`, 0.9],
  [`${base}, we decided so`, 2.1],
  ['Now the handler reads the whole body of every request', null],
  ['We need to read the whole body of every request because of it', 0.9],
  ['I will read the whole body of every request because of it', 0.9],
  ['src/a.ts, src/b.ts, src/c.ts and src/d.ts and src/e.ts of it', 0.59],
  ['https://example.com/one is at https://example.com/two now', 0.45],
  ['`one` and `two` and `three` and `four` and `five of it`', 1.95],
  ['one two six ten may try fly cry dry shy wry sly', 0.9],
  ['A pool that is never drained at all..', 2.1],
  ['A pool that is never drained at al', null],
  ['A pool that is never drained at a', null],
  ['The guard of it 4', 0.41],
  ['The guard of `it`', 0.41],
  ['The guard of fooBar', 0.41],
  ['The guard of foo_bar', 1.35],
  ['The guard of foo.bar', 1.35],
  ['The guard of it all', null],
  ['Guard of 42', null],
  ['Guard of 4', null],
  ['1234567 890123 456789 0123456 78901234567', null],
  ['now we read the whole body of every request', null],
  ['Done, with all of it as of 42', 0.41],
  ['Done: with all of it as of 42', 0.41],
  ['Thank you, all of it as of 42', 0.41],
  ['Thanks, all of it as of 42', 0.41],
  ['Thanks of a pool as of 42 that is now drained by it', 1.35],
  ['No problem as of 42 in it', null],
  ['Okay as of 42 in it!', null],
  ['Of course as of 42 in it', null],
  ['Here is what 42 is', null],
  ['Here are 42 of it', null],
  ['Do you want me to run 42 of it?', null],
  ['Want me to run 42 of it?', null],
  ['Like me to run 42 of it?', null],
  ['Would you like me to run 42 of it?', null],
  ['Should I run 42 of it now?', null],
  ['Want to run 42 of it now?', null],
  ['What’s your take on 42 of it?', null],
  ['What is your take on 42 of it?', null],
  ['What your take on 42 of it is', 0.41],
  ['Does this look like 42 of it?', null],
  ['Sound good for 42 of it', null],
  ['Sounds good for 42 of it', null],
  ['Any other of the 42 of it?', null],
])('of what “%s” tells the value is %j', (text, value) => {
  const [first] = statementsOf(text);
  expect(first === undefined ? null : Number(first.value.toFixed(2))).toBe(value);
});

test.each<readonly [text: string, ...said: readonly string[]]>([
  [`You’re right, ${base}`, `1.4 ${base}`],
  [`That's right: ${base}`, `1.4 ${base}`],
  [`You are totally right. ${base}`, `0.9 ${base}`],
  [`Really good catch! ${base}`, `0.9 ${base}`],
  [`Great points - ${base}`, `0.9 ${base}`],
  [`Great points -${base}`, `0.9 Great points -${base}`],
  [`Hmmm, ${base}`, `0.9 ${base}`],
  [`Okay, ${base}`, `0.9 ${base}`],
  [`I see the bug: ${base}`, `0.9 ${base}`],
  [`I see, ${base}`, `0.9 ${base}`],
  [`Now I see. ${base}`, `0.9 ${base}`],
  [`I apologise, ${base}`, `1.4 ${base}`],
  [`Sorry, ${base}`, `1.4 ${base}`],
  [`I can see that ${base}`, `0.9 ${base}`],
  [`I can see ${base}`, `0.9 ${base}`],
  [`Done now, ${base}`, `0.9 ${base}`],
  [`Yes, ok, ${base}`, `0.9 ${base}`],
  [`Good ${base}`, `0.9 Good ${base}`],
  [`${base}, so let me check it`, `0.9 ${base}.`],
  [`${base} — now I’ll check it`, `0.9 ${base}.`],
  [`${base}, but i'll check it`, `0.9 ${base}.`],
  [`${base}. I need to check it`, `0.9 ${base}.`],
  [`${base} and then i should check it`, `0.9 ${base} and.`],
  ['The body is read, let me check it'],
  [`While ${base}, let me check it`],
  [`Once the ${base}, let me check it`],
  [`Since ${base}, let me check it`],
  [`Whilst ${base}, let me check it`, `0.9 Whilst ${base}.`],
  [`${base} .  Let me see it all`, `0.9 ${base}.`],
  [`${base}. This is what a pool of it does`, `0.9 ${base}.`],
  [`${base}. It turns out that a pool of it does`, `0.9 ${base}.`],
  [`${base}. So it seems a pool of it does not`, `0.9 ${base}.`],
  [`This is what a pool of it does. ${base}`, `0.9 ${base}`],
  ['Okay, good. It is what a pool of it does'],
  [`${base}. Done. It is what a pool of it does`, `0.9 ${base}.`],
  [
    `${base}. So these are what a pool of it does. They keep 4 sockets open`,
    `0.95 ${base}. So these are what a pool of it does. They keep 4 sockets open`,
  ],
  ['Let me look at it all. It is what a pool of it does'],
  [
    `${base}. The latter is what a pool of it does`,
    `0.72 ${base}. The latter is what a pool of it does`,
  ],
  ['## The pool\nIt is what it does to all of the 42 of it'],
  [`${base}: it is 42`, `1.35 ${base}: it is 42`],
  [
    `${base}:\n${base} twice. And ${base} once`,
    `0.9 ${base}: ${base} twice.`,
    `0.6 And ${base} once`,
  ],
  ['It is so:\n- the pool of the 42 is full', '1.65 the pool of the 42 is full'],
  [
    `${base}.\nIt is so:\n- the pool of the 42 is full`,
    `1.25 ${base}. It is so: the pool of the 42 is full`,
  ],
  ['Let me see:\n- the pool of the 42 is full', '1.65 the pool of the 42 is full'],
  [
    'Causes:\n\n- the pool of the 42 is full\nThe rest of the 42 is full of it',
    '2 Causes: the pool of the 42 is full',
    '0.95 The rest of the 42 is full of it',
  ],
  [
    'The pool is 1st of all these 42. "It" is 2nd of all these. (The) 3rd is all of these. -The 4th is all of these',
    '1.5 The pool is 1st of all these 42.',
    '0.29 "It" is 2nd of all these.',
    '0.29 (The) 3rd is all of these.',
    '0.29 -The 4th is all of these',
  ],
  ['池子从来没有排空过，共有四十个。它保持 40 个打开的套接字。', '0.41 它保持 40 个打开的套接字。'],
  [
    'One is of all 42 of these.  Two are of all 42 of these',
    '0.41 One is of all 42 of these.',
    '0.95 Two are of all 42 of these',
  ],
  [`# Pool\n${base}`, `0.9 Pool: ${base}`],
  [`#Pool\n${base}`, `0.9 ${base}`],
  [`###### Pool\n${base}`, `0.9 Pool: ${base}`],
  [`####### Pool\n${base}`, `0.9 ${base}`],
  [`**Pool**\n${base}`, `0.9 Pool: ${base}`],
  [`**Pool:**\n${base}`, `0.9 Pool: ${base}`],
  [`**Pool**:\n${base}`, `0.9 Pool: ${base}`],
  [`**Pool** it\n${base}`, `0.9 ${base}`],
  [`a **Pool**\n${base}`, `0.9 ${base}`],
  [
    `## Pool\n${base}\nThe printer reads the whole body of every request\n## Lamp\n${base}`,
    `0.9 Pool: ${base}`,
    '0.62 Pool: The printer reads the whole body of every request',
    `0.6 Lamp: ${base}`,
  ],
  [`#   Pool\n${base}`, `0.9 Pool: ${base}`],
  ['| a pool of 42 | | it is |\n', '0.49 a pool of 42 | it is'],
  ['| :--: | --- |'],
  ['a | pool of 42 |', '0.41 a | pool of 42 |'],
  ['| pool of 42 a', '0.41 pool of 42 a'],
  ['| a pool of 42 |\n| it is full of 42 |', '0.49 a pool of 42; it is full of 42'],
  ['|  a pool of 42  |  b pool |', '0.49 a pool of 42 | b pool'],
  [
    '- the pool of 42;\n* the lamp of 42,\n+ the door of 42\n• the roof of 42',
    '1.65 the pool of 42; the lamp of 42; the door of 42; the roof of 42',
  ],
  [
    '1. the pool of 42\n22) the lamp of 42\n1234. the door of 42',
    '1.65 the pool of 42; the lamp of 42',
    '0.33 1234. the door of 42',
  ],
  [
    '[ ] the pool of 42\n[x] the lamp of 42\n[~] the door of 42\n[y] the roof of 42',
    '1.65 the pool of 42; the lamp of 42; the door of 42',
    '0.29 [y] the roof of 42',
  ],
  ['-the pool of 42', '0.41 -the pool of 42'],
  ['-   the pool of 42', '0.49 the pool of 42'],
  ['- let me see the pool of 42\n- the lamp of 42 is on', '0.49 the lamp of 42 is on'],
  [
    '- the pool of 42:\n  - it is full\n  - it is old\n- the lamp of 42:\n  - it is on',
    '1.65 the pool of 42: it is full; it is old; …',
    '0.34 …; the lamp of 42: it is on',
  ],
  [
    '- the pool of 42\n- the rest:\nIt is so of all of the 42 of these',
    '0.4 the pool of 42. It is so of all of the 42 of these',
  ],
  ['- the pool of 42\n- the rest:\n- ', '0.49 the pool of 42'],
  ['- the pool of 42:\n- the lamp of 42', '1.65 the pool of 42: the lamp of 42'],
  [
    '- one of 42\n  - two of 42\n- three of 42:\n  - four of 42\n    - five of 42',
    '0.49 one of 42: two of 42; …',
    '0.38 …; three of 42: four of 42: five of 42',
  ],
  ['  - one of 42:\n- two of 42', '0.49 one of 42: two of 42'],
  ['__The__ pool of **it** is 42, a__b of it', '0.41 The pool of it is 42, ab of it'],
  ['*** The pool of it is 42', '0.41 The pool of it is 42'],
  ['→ The pool of it is 42', '0.41 The pool of it is 42'],
  ['“The pool of it is 42', '0.41 The pool of it is 42'],
  ['`pool` of it is 42', '0.45 `pool` of it is 42'],
  ['~/pool of it is 42', '0.41 ~/pool of it is 42'],
  ['-------'],
  ['=== ***'],
  ['The pool of 42: a __init__.py of it', '0.45 The pool of 42: a init.py of it'],
  [`${base}\n\n\n${base}`, `0.9 ${base}`, `0.6 ${base}`],
  [`${base}\r${base} twice`, `0.9 ${base}`, `0.6 ${base} twice`],
])('%j is told in statements', (text, ...said) => {
  expect(
    statementsOf(text).map((one) => `${Number(one.value.toFixed(2))} ${one.text.trim()}`),
  ).toEqual(said);
});

test.each([
  [
    'Now let me revert my earlier change to `warm()` since the caller locks:',
    'Now let me revert my earlier change to `warm()` since the caller locks.',
  ],
  ['I’ll undo the last edit of `pages.ts`.'],
  ['Given the time spent on it, let me revert to the first layout and note the limit.'],
])('%j tells that own work does not stand any more', (text, told = text) => {
  expect(textsOf(text)).toEqual([told]);
});

test.each([
  'Let me check whether `revert()` keeps the 42 rows.',
  'Let me revert the debug logging and add better checks.',
  'Now I’ll add the undo stack to `pages.ts`:',
])('%j announces other work', (text) => {
  expect(textsOf(text)).toEqual([]);
});

test('a short rest of a list is told with what stands before it', () => {
  const reader = 'the reader waits of it '.repeat(11).trim();
  const rest = (length: number): string => `42 ${'y'.repeat(length - 3)}`;
  const lead = 'The ways in which `pages` is locked are:';
  expect(textsOf(`${lead}\n- ${reader}\n- ${rest(38)}\n- ${rest(38)}`)).toEqual([
    `${lead} ${reader}; ${rest(38)}; ${rest(38)}`,
  ]);
  expect(textsOf(`${lead}\n- ${reader}\n- ${rest(38)}\n- ${rest(39)}`)).toHaveLength(2);
  const long = `All ways in which the ${'very '.repeat(11)}old \`pages\` are locked:`;
  expect(textsOf(`${long}\n- ${reader}\n- ${rest(38)}`)).toHaveLength(2);
});

test('the rest of a list is worth no more than what comes before it, another sentence what it says', () => {
  const reader = '`pages` waits in `warm()` for the lock '.repeat(5).trim();
  const rest =
    '`pages` is read by `warm()` while `trim()` writes 42 rows, and waits for all of them';
  const worths = (text: string): readonly number[] =>
    statementLines(statementsOf(text), 'said', 1).map(({ worth }) => worth);
  const [first = 0, second = 0] = worths(`- ${reader}\n- ${rest}`);
  expect(first).toBeGreaterThan(second);
  const [before = 0, behind = 0] = worths(`${reader}.\n\n${rest}.`);
  expect(before).toBeLessThan(behind);
});

test('what leads to code stands once, with the list that goes on from it', () => {
  const code = '```go\nfunc TestKeys(t *testing.T)\n```';
  expect(
    textsOf(
      `One test covers the cache:\n\n${code}\n\nIt checks that:\n- key 42 is kept\n- key 43 is not`,
    ),
  ).toEqual([
    'One test covers the cache: `func TestKeys(t *testing.T)`. It checks that: key 42 is kept; key 43 is not',
  ]);
  expect(
    textsOf(`One test covers the cache:\n\n${code}\n\nThe others check 42 keys of it.`),
  ).toEqual([
    'One test covers the cache: `func TestKeys(t *testing.T)`',
    'The others check 42 keys of it.',
  ]);
});

test('items are told together up to 260 characters, then under what they belong to', () => {
  const reader = (times: number): string => 'the reader waits of it '.repeat(times).trim();
  expect(textsOf(`- ${reader(7)}\n- 42 ${'y'.repeat(97)}`)).toHaveLength(1);
  expect(textsOf(`- ${reader(7)}\n- 42 ${'y'.repeat(98)}`)).toHaveLength(2);
  expect(textsOf(`- Pool of it:\n  - ${reader(10)}\n  - ${reader(8)}`)).toEqual([
    `Pool of it: ${reader(10)}; …`,
    `Pool of it: …; ${reader(8)}`,
  ]);
  const head = `All of ${'the things '.repeat(12)}are:`;
  expect(textsOf(`${head}\n- ${reader(11)}\n- ${reader(11)}`)).toEqual([
    `${head} ${reader(11)}; …`,
    `${head.slice(0, 79)}…: …; ${reader(11)}`,
  ]);
  expect(textsOf(`- Reader:\n  - ${reader(6)}\n- Writer:\n  - ${reader(4)}`)).toEqual([
    `Reader: ${reader(6)}; …`,
    `…; Writer: ${reader(4)}`,
  ]);
});

test('the escaped mark of a quotation is no word', () => {
  expect(textsOf('&gt; - The `lock` is held twice by it.')).toEqual([
    'The `lock` is held twice by it.',
  ]);
});

test('an item belongs to no head that stands as deep, once others stood deeper under it', () => {
  expect(
    textsOf('- 20 parts, each with:\n  - files of it\n  - steps of it\n- 12 words at the top'),
  ).toEqual(['20 parts, each with: files of it; steps of it; …', '…; 12 words at the top']);
  expect(textsOf('- Reader waits:\n- for the lock of it\n- for the pool of it')).toEqual([
    'Reader waits: for the lock of it; for the pool of it',
  ]);
});

test('items under an announcement of changes are planned, under another what they say', () => {
  const items = '- Consolidate `load` and `read`\n- Drop the cache of `pool`';
  expect(textsOf(`Let me do the refactoring:\n${items}`)).toEqual([
    'Planned: Consolidate `load` and `read`; Drop the cache of `pool`',
  ]);
  expect(textsOf(`Let me list what there is:\n${items}`)).toEqual([
    'Consolidate `load` and `read`; Drop the cache of `pool`',
  ]);
});

test('a sentence goes without the one it speaks of where both are too long', () => {
  const long = (length: number): string =>
    `${base}. It is what a pool of it does ${'x'.repeat(length - 80)}`;
  expect(textsOf(long(420))).toEqual([long(420)]);
  expect(textsOf(long(421))).toEqual([`${base}.`]);
});

test('a sentence goes on behind the point of an abbreviation', () => {
  const said =
    'Still open: whether the server streams the blob vs. A signed URL that `get` fetches.';
  expect(textsOf(said)).toEqual([said]);
});

test.each([
  '"title": "Bump the parser from 1.9.0 to 1.9.1"',
  '<summary>Show a summary of 12 files</summary>',
])('%s states nothing', (text) => {
  expect(statementsOf(text)).toEqual([]);
});

test('an address below an item is of that item', () => {
  const text =
    '## The order\n- Chunks come first, since others need them\n  https://x.org/pull/90\n- Tokens are counted after them\n  https://x.org/pull/91';
  expect(statementsOf(text).map((one) => one.text)).toEqual([
    'The order: Chunks come first, since others need them https://x.org/pull/90; Tokens are counted after them https://x.org/pull/91',
  ]);
});

test('what leads to code does not lead to what comes behind it', () => {
  const text =
    'The comment now reads:\n\n```go\n// keep all\n```\n\nThe second line names `startLine`, which no longer exists.\n\n**The commits:**\n\n```\nabc Fix\n```\n\nMerging can begin, since all of them are green.';
  expect(textsOf(text)).toEqual([
    'The comment now reads: `// keep all`',
    'The second line names `startLine`, which no longer exists.',
    'Merging can begin, since all of them are green.',
  ]);
});

const fence = '```';

test.each([
  ['a command', 'npm run e2e', '`npm run e2e`'],
  ['two', 'cd web\n\n  npm run e2e', '`cd web`; `npm run e2e`'],
  ['one with a quotation of its own', 'echo `date`', 'echo `date`'],
])('short code stands behind what leads to it: %s', (_, code, told) => {
  const text = `The page is tested with:\n\n${fence}sh\n${code}\n${fence}\n\nIt needs Chromium 120.`;
  expect(textsOf(text)).toEqual([`The page is tested with: ${told}. It needs Chromium 120.`]);
});

test.each([
  ['four lines', 'The page is tested with:', 'first\nb\nc\nd'],
  ['a long line', 'The page is tested with:', 'x'.repeat(161)],
  ['code behind a sentence', 'The page is tested.', 'npm run e2e'],
  ['code of an announcement', 'Let me test the page with:', 'npm run e2e'],
  ['code of changes that are planned', 'Let me fix the page with:', 'npm run e2e'],
  ['code of a list', 'The page is tested with:\n\n- one browser\n- another one', 'npm run e2e'],
])('other code is told nowhere: %s', (_, before, code) => {
  const text = `${before}\n\n${fence}\n${code}\n${fence}`;
  for (const one of textsOf(text)) expect(one).not.toContain(code.split('\n')[0]);
});

test.each([
  ['a label', 'Counts of a page\n\n- 3 rows\n- 4 columns', ['Counts of a page: 3 rows; 4 columns']],
  [
    'a name in bold with words behind it',
    '**`rowCount`** (of a page)\n- 3 rows\n- 4 columns',
    ['`rowCount` (of a page): 3 rows; 4 columns'],
  ],
  [
    'a sentence without its point',
    'The page has all that was asked for and 9 more\n\n- 3 rows\n- 4 columns',
    ['The page has all that was asked for and 9 more', '3 rows; 4 columns'],
  ],
  [
    'a sentence',
    'Counted the page of `src/a.ts`.\n\n- 3 rows\n- 4 columns',
    ['Counted the page of `src/a.ts`.', '3 rows; 4 columns'],
  ],
  [
    'a short line above none',
    'Counts of the page `src/a.ts`\n\nNone of its rows is empty, however many it has.',
    ['Counts of the page `src/a.ts`', 'None of its rows is empty, however many it has.'],
  ],
  ['a short line at the end', 'Counts of the page `src/a.ts`', ['Counts of the page `src/a.ts`']],
])('a short line without a verb is the head of the list below it: %s', (_, text, told) => {
  expect(textsOf(text)).toEqual(told);
});

test('what follows a list does not begin with a space where no heading stands above', () => {
  const text = 'The page has:\n- 3 rows\n- 4 columns\n\nThe cause is the cache of `src/a.ts`.';
  for (const one of textsOf(text)) expect(one).toBe(one.trim());
});

test.each([
  'I’m using the publishing workflow to review the final diff and open a pull request.',
  "I'm also checking whether the worker is still running.",
  'I’m reusing the review workflow.',
  '::git-commit{cwd="/work/shop"}',
])('what only announces, or tells the host what to show, states nothing: %s', (text) => {
  expect(statementsOf(text)).toEqual([]);
});

test.each([
  [
    'prose',
    'A writer that loses the race for the single lock of the store waits instead of\nfailing at once, which is what every caller had to handle before.',
    [
      'A writer that loses the race for the single lock of the store waits instead of failing at once, which is what every caller had to handle before.',
    ],
  ],
  [
    'an item',
    '- The proposal is returned as data so that a client of any kind can show it and\n  ask before it writes.\n- Nothing is written without an answer.',
    [
      'The proposal is returned as data so that a client of any kind can show it and ask before it writes.; Nothing is written without an answer.',
    ],
  ],
  [
    'a line that begins with a capital, where its first word had no room',
    'The job never lands on the branch of a person, because one is made anew for each\nGitHub user.',
    [
      'The job never lands on the branch of a person, because one is made anew for each GitHub user.',
    ],
  ],
])('%s that was broken for its width is read as one', (_, text, said) => {
  expect(statementsOf(text).map((one) => one.text)).toEqual(said);
});

test.each([
  'src/auth/hash.ts must hash with argon2id because bcrypt truncates\nsrc/auth/salt.ts must not be changed since tests depend on it',
  'The pool must be closed before the store is, which fails only late.\nno reader may have a table open, or the store cannot be closed.',
  'The next page of notes is asked for by cursor, twenty per page\n[DECISION] Ids of notes must be prefixed, so that nobody mistakes them',
  'description: how the pool must be closed before the store is shut\ntimeout: it must not be longer than ten seconds in any case',
])('lines that stand by themselves stay so: %j', (text) => {
  expect(statementsOf(text)).toHaveLength(2);
});

test('what stands below problems and reasons tells more than what stands below others', () => {
  const below = (heading: string): number =>
    statementsOf(`${heading}\n- the branch misses two commits of main`)[0]!.value;
  expect(below('Two remaining problems:')).toBeGreaterThan(below('Two remaining branches:'));
});

test.each([
  [
    'rules with a word in them',
    '`★ Insight ─────────────`\nThe lock in a.ts is held.\n`──────────`',
  ],
  ['rules of signs', '----------\nThe lock in a.ts is held.\n==========\n*******'],
])('%s only part what they stand between', (_, text) => {
  expect(textsOf(text)).toEqual(['The lock in a.ts is held.']);
});

test('a rule does not hide the words that stand in its line', () => {
  const said = 'The pool in a.ts is drained ───── but its timer outlives the test run.';
  expect(textsOf(said)).toEqual([said]);
});

test('a quotation goes on where its writer broke its lines', () => {
  const quoted =
    '> The pool in `a.ts` is drained before the timer ends, so that no\n> connection outlives the test.';
  expect(textsOf(quoted)).toEqual([
    'The pool in `a.ts` is drained before the timer ends, so that no connection outlives the test.',
  ]);
});

test('items under an announcement that leaves to them what is done are planned', () => {
  const items = '\n1. Create the pool before the routes\n2. Pass it to `serve`';
  const told = 'Create the pool before the routes; Pass it to `serve`';
  for (const lead of ['Now I need to:', "Next, I'll:", "I'm going to:"])
    expect(textsOf(lead + items)).toEqual([`Planned: ${told}`]);
});

test('what is announced beside a statement leaves no conjunction behind', () => {
  expect(textsOf("The first store has no owner (the default), while I'll give one to b.")).toEqual([
    'The first store has no owner (the default).',
  ]);
});

test.each([
  'The LSP will resolve those "unused" warnings once it re-indexes.',
  'The unused import diagnostic in `a.ts` should go away after the next edit.',
  'The host is still building its closure on `db1`; activation has not started.',
  'It is still running in the remote build phase on `db1`.',
  'The LSP is stale in `a.ts`. These imports are used in `b.ts`, which it has not read.',
  'The build on `db1` is still running in its first phase. This takes 40 minutes.',
])('%j passes', (said) => expect(textsOf(said)).toEqual([]));

test.each([
  'The process is still running after the test on `db1` ends.',
  'The linter in `a.ts` rejects a default export.',
])('%j lasts', (said) => expect(textsOf(said)).toEqual([said]));

test('each statement of a paragraph that a label in bold begins has it before it', () => {
  const text =
    '**Item 2 (locks):** They are held while `save` writes.\n\n**Item 6 (one type):** Agreed. The cycle was that `cli` imports `store`. The `cli` types are copied twice.\n\nNone of `store` is public.';
  expect(textsOf(text)).toEqual([
    'Item 2 (locks): They are held while `save` writes.',
    'Item 6 (one type): Agreed.',
    'Item 6 (one type): The cycle was that `cli` imports `store`.',
    'Item 6 (one type): The `cli` types are copied twice.',
    'None of `store` is public.',
  ]);
});

test('what stands below a heading has it before it, and is worth what it would be without it again', () => {
  const [first, next] = statementsOf(
    '## Where time goes\nThe pool in `a.ts` waits.\nThe lock in `b.ts` is held.',
  );
  expect(first!.text).toBe('Where time goes: The pool in `a.ts` waits.');
  expect(next!.text).toBe('Where time goes: The lock in `b.ts` is held.');
  const [alone] = statementsOf('The pool in `a.ts` waits.\nThe lock in `b.ts` is held.').slice(1);
  expect(worthOf(next!.value, next!.text)).toBeCloseTo(worthOf(alone!.value, alone!.text));
});

test('a verdict in bold right below a heading has that before it, and one further below has not', () => {
  const points = [
    '### 1. `Pool.take` leaks',
    '**Status: valid, still there**',
    'The `pool` never gives back what a timeout took.',
    '### 2. `Pool.size` is wrong',
    '**Status: no longer so**',
    'The method went with the old `pool.ts`.',
    '**Measured: twice**',
    'The `pool` of 8 takes as long as that of 16.',
  ];
  expect(textsOf(points.join('\n'))).toEqual([
    '1. `Pool.take` leaks: Status: valid, still there: The `pool` never gives back what a timeout took.',
    '2. `Pool.size` is wrong: Status: no longer so: The method went with the old `pool.ts`.',
    'Measured: twice: The `pool` of 8 takes as long as that of 16.',
  ]);
});

test('a head so long that it is not printed once for several is told with the first alone', () => {
  const head =
    'Where the time of a message goes that is appended to a session in a window of any size at all';
  expect(textsOf(`## ${head}\nKeep \`a.ts\` as it is.\nDrop \`b.ts\` later on.`)).toEqual([
    `${head}: Keep \`a.ts\` as it is.`,
    'Drop `b.ts` later on.',
  ]);
});

test('a list that goes on from a sentence below a heading has it before it once', () => {
  expect(
    textsOf('## Where time goes\nThe pool in `a.ts` waits. This is why:\n- its timer\n- its lock'),
  ).toEqual(['Where time goes: The pool in `a.ts` waits. This is why: its timer; its lock']);
});

test('a point with a number does not go on a list without numbers that stands in the one before it', () => {
  const text =
    '2. Split the code of `sync` into packages.\nRecommended split:\n- the `protocol`\n- the `planner`\n\n3. Log in a structured way, with `slog`.';
  expect(textsOf(text)).toEqual([
    'Split the code of `sync` into packages.',
    'Recommended split: the `protocol`; the `planner`',
    'Log in a structured way, with `slog`.',
  ]);
});

test('a rule ends what stands below a heading, and what is said behind a list is not of its label', () => {
  const steps = '### 11. Run the checks\n\n- `npm run lint` finds nothing\n';
  const question = 'Does the `seed` belong into the plan of the release?';
  expect(textsOf(`${steps}\n---\n\n${question}`)).toEqual([
    '11. Run the checks: `npm run lint` finds nothing',
    question,
  ]);
  const label = '**Unchanged:**\n- `settings.json` uses the commands themselves\n\n';
  const after = 'Commit `settings.json` and use the wrapper on your machine.';
  expect(textsOf(label + after)).toEqual([
    'Unchanged: `settings.json` uses the commands themselves',
    after,
  ]);
  expect(textsOf(`Counts of a page\n---\n\n- 3 rows\n- 4 columns`)).toEqual([
    'Counts of a page: 3 rows; 4 columns',
  ]);
});

test('a point with a number is no head of the next one', () => {
  const steps = '1. Restart your `shell`:\n2. Pull the latest `settings.json`';
  expect(textsOf(steps)).toEqual(['Restart your `shell`; Pull the latest `settings.json`']);
});

test('what leads to long code is told where it says something, with a mark of the code', () => {
  const code = '\n```\none();\ntwo();\nthree();\nfour();\n```\n';
  expect(textsOf(`I'd suggest option 2, as it is simple and knows no language:${code}`)).toEqual([
    "I'd suggest option 2, as it is simple and knows no language: …",
  ]);
  expect(textsOf(`The new form of the handler:${code}`)).toEqual([]);
});

test('work that a sentence speaks of is no announcement', () => {
  const text = 'Moving the pool into `store` makes sense.';
  expect(textsOf(text)).toEqual([text]);
  expect(textsOf('Moving the pool that is in `store` now.')).toEqual([]);
});

test('of what is to be chosen from it is said that one is', () => {
  expect(
    textsOf('I need to either:\n- export `load` from the store\n- write `load` again'),
  ).toEqual(['One of these: export `load` from the store; write `load` again']);
});

test('what answers the question of a heading stands below it', () => {
  const text =
    '## Does this explain the warning?\n\nNot directly, the warning is about `state` files.';
  expect(textsOf(text)).toEqual([
    'Does this explain the warning?: Not directly, the warning is about `state` files.',
  ]);
});

test.each([
  // What follows from a sentence, or stands against it, is told with that.
  [
    'The index locks `pages` twice. So `warm()` waits for itself.',
    'The index locks `pages` twice. So `warm()` waits for itself.',
  ],
  [
    'The store keeps `42` rows. However, `trim()` never runs.',
    'The store keeps `42` rows. However, `trim()` never runs.',
  ],
  // So is it not where it begins with the word alone, or where both are long.
  [
    'The store keeps `42` rows. So far `trim()` never ran.',
    'The store keeps `42` rows.',
    'So far `trim()` never ran.',
  ],
  [
    `The store keeps \`42\` rows${' of tea'.repeat(40)}. So \`trim()\` has to run.`,
    `The store keeps \`42\` rows${' of tea'.repeat(40)}.`,
    'So `trim()` has to run.',
  ],
  // Nor is it told with what is only announced.
  ['Let me look at `warm()`. So `pages` is locked twice.', 'So `pages` is locked twice.'],
  // What seems announced is a part of its sentence.
  [
    'The layout of all pages is known (from a `docs/pages.md` I’ll compare).',
    'The layout of all pages is known (from a `docs/pages.md` I’ll compare).',
  ],
  [
    'The old lock of `pages` lies on a share that won’t let me delete it.',
    'The old lock of `pages` lies on a share that won’t let me delete it.',
  ],
  [
    'The pages of `docs` are all known by now (one is old, so I’ll check it).',
    'The pages of `docs` are all known by now (one is old, so I’ll check it).',
  ],
  [
    'The pages of `docs` are all known by now, so I’ll check one.',
    'The pages of `docs` are all known by now.',
  ],
  // Praise goes, and leaves what it praises where that is said.
  [
    'Good question, and it’s the right instinct to ask. `pages` grows by 42 a day.',
    '`pages` grows by 42 a day.',
  ],
  ['You’re right to ask - `pages` grows by 42 a day.', '`pages` grows by 42 a day.'],
  [
    'You’re right, and it’s a good point to make: `pages` grows by 42 a day.',
    '`pages` grows by 42 a day.',
  ],
  [
    'You’re right, and it’s a good point to make of `pages.ts`: `rows` grow by 42 a day.',
    '`rows` grow by 42 a day.',
  ],
  [
    'Makes sense, and it’s a fair point that `pages.ts` is slow: it grows by 42 a day.',
    'Makes sense, and it’s a fair point that `pages.ts` is slow: it grows by 42 a day.',
  ],
  ['Good catch, and `pages` grows by 42 a day.', 'Good catch, and `pages` grows by 42 a day.'],
  [
    'You’re right to keep `pages` small: it grows by 42 a day.',
    'You’re right to keep `pages` small: it grows by 42 a day.',
  ],
] as const)('%o is told as what it says', (text, ...said) => {
  expect(textsOf(text)).toEqual(said);
});

test('a decision is worth hardly less with a sentence behind it that leans on it', () => {
  const decision = 'We decided to keep the pool in `pool.ts` rather than in `server.ts`.';
  const [alone] = statementsOf(decision);
  const [joined] = statementsOf(`${decision} This is one of many.`);
  expect(joined!.value).toBeGreaterThan(alone!.value * 0.7);
});

test.each([
  ['Line 42 still has the old name of it.', 'Line 42 frees the buffer before `send` reads it.'],
  [
    'I had the two arrows of the sketch wrong.',
    'I had two readers of `pages` at once, which locked it.',
  ],
  ['I forgot the names of the 42 pages.', 'I forgot that the 42 pages are made by a script.'],
  ['Rule 42 stands before 41 — fixing order.', 'Rule 42 stands before 41 — fixing it by sorting.'],
  ['Need to fix the names of the 42 pages.', 'Pages need to fix the names of the 42 parts.'],
])('%o is a slip, %o tells something', (slip, telling) => {
  const valueOf = (text: string): number =>
    statementsOf(`The store keeps 42 rows.\n\n${text}`).at(-1)!.value;
  expect(valueOf(slip)).toBeLessThan(0.75 * valueOf(telling));
});

test('a choice is worth as much among names as elsewhere, and a listing of them is not', () => {
  const valueOf = (text: string): number => statementsOf(text)[0]!.value;
  const choice = valueOf('I decided on a limit of 5 in src/m2.ts.');
  expect(choice).toBeGreaterThanOrEqual(
    valueOf('I decided on a limit that is as high as it was in src/m2.ts.'),
  );
  expect(valueOf('src/m2.ts and src/m3.ts, limit 5')).toBeLessThan(choice / 3);
});
