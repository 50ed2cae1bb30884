import { expect, test } from 'vitest';
import type { Line } from '../../../src/core/lines/line.ts';
import { artifactPath, harvest } from '../../../src/core/chronicle/harvest.ts';
import { isChoice, isRuling } from '../../../src/core/text/decisions.ts';

const line = (kind: Line['kind'], n: number, text: string): Line => ({
  n,
  to: n,
  turn: 1,
  kind,
  text,
  tokens: 1,
  worth: 1,
  file: '',
});

const nothing = { artifacts: null, decisions: null };
const about = { quotes: [], inView: 0 };

test('files are told once, with their entries and what was brought', () => {
  const lines = [
    { ...line('changed', 3, 'changed src/hash.ts (+ function hash(plain: string))'), to: 5 },
    line('changed', 6, 'changed src/main.ts'),
    line('changed', 9, 'changed src/hash.ts since e3 (+ const cost; limit: 1 → 5)'),
    line('said', 9, 'It works.'),
  ];
  const { artifacts, decisions, harvested } = harvest(nothing, () => lines, about);
  expect(artifacts).toEqual([
    'src/main.ts (e6)',
    'src/hash.ts (e3–e9: + function hash(plain: string); + const cost; limit: 1 → 5)',
  ]);
  expect(artifacts.map(artifactPath)).toEqual(['src/main.ts', 'src/hash.ts']);
  expect([decisions, harvested]).toEqual([[], ['artifacts']]);
});

test('decisions are what the model chose and people laid down, in their words', () => {
  const lines = [
    line('said', 2, 'We decided on argon2id, since bcrypt cuts at 72 bytes.'),
    line('said', 4, 'The issue is that the cache is never cleared.'),
    line('said', 7, '[DECISION] Ids are prefixed - LOCKED'),
    line('read', 8, 'We decided to drop Node 18.'),
  ];
  const quotes = [
    { n: 3, text: 'Use pnpm, not npm.', rank: 0, at: 0 },
    { n: 6, text: 'why do you always do that?', rank: 0, at: 0 },
  ];
  expect(harvest(nothing, () => lines, { ...about, quotes }).decisions).toEqual([
    'We decided on argon2id, since bcrypt cuts at 72 bytes. (e2)',
    '“Use pnpm, not npm.” (e3)',
    'Ids are prefixed (e7)',
  ]);
});

test('checks that failed last are told, whatever was reported', () => {
  const lines = [
    line('failed', 3, '`npm test` failed 2 times: 1 failed; worked in e5'),
    line('failed', 7, '`npm run build` failed 4 times: Cannot find module'),
    line('failed', 9, '`ls dist` failed: No such file or directory'),
    line('said', 10, 'The tests pass.'),
  ];
  expect(harvest(nothing, () => lines, about).failing).toEqual([
    '`npm run build` failed 4 times: Cannot find module (e7)',
  ]);
  expect(harvest(nothing, () => lines.slice(0, 1), about)).not.toHaveProperty('failing');
  // What came after a failure that is out of view is not known.
  const later = harvest(nothing, () => lines, { ...about, inView: 8 });
  expect(later).not.toHaveProperty('failing');
});

test('what is given stays, an empty list too, and nothing is read where both are', () => {
  const given = { artifacts: ['a.ts'], decisions: [] };
  const never = (): never => expect.fail('read for nothing');
  expect(harvest(given, never, about)).toEqual(given);
});

test.each([
  ["Let's use SQLite instead of Postgres.", true],
  ['I went with a cursor over (created_at, id).', true],
  ['The parser now uses a stack instead of recursion.', true],
  ['The parser uses a stack instead of recursion.', false],
  ['Should we use SQLite instead of Postgres?', false],
  ['We still have to decide on a format.', false],
  ['The root cause was a missing lock.', false],
  ['It turns out that the test never ran.', false],
  ["We haven't decided on a format.", false],
])('the model chose: %s %j', (said, isOne) => {
  expect(isChoice(said)).toBe(isOne);
});

test.each([
  ['Never log note bodies.', true],
  ['use argon2id, 64 MB', true],
  ['From now on ids are prefixed.', true],
  ['why do you always go 100 lines at a time', false],
  ["I don't know what you mean", false],
  ['Can you use a table?', false],
])('a person laid down: %s %j', (said, isOne) => {
  expect(isRuling(said)).toBe(isOne);
});

test('of a frame whose lists are given nothing is read', () => {
  const read = (): never => {
    throw new Error('read');
  };
  expect(harvest({ artifacts: ['a.ts'], decisions: [] }, read, about)).toEqual({
    artifacts: ['a.ts'],
    decisions: [],
  });
  const chosen = [line('said', 2, 'We decided on argon2id, since bcrypt cuts at 72 bytes.')];
  expect(harvest({ artifacts: ['a.ts'], decisions: null }, () => chosen, about)).toMatchObject({
    artifacts: ['a.ts'],
    harvested: ['decisions'],
  });
  expect(harvest(nothing, () => [], about)).toEqual({ artifacts: [], decisions: [] });
});

test.each([
  ...'test tests build check lint compile tsc mypy pytest jest vitest eslint ruff clippy dialyzer credo rspec verify validate'.split(
    ' ',
  ),
  'go vet',
  'cargo vet',
  'npm run TEST',
])('%s checks the work', (command) => {
  const failed = (text: string) =>
    harvest(nothing, () => [line('failed', 7, text)], about).failing ?? [];
  expect(failed(`\`${command}\` failed: no`)).toHaveLength(1);
  expect(failed(`\`${command}\` failed: no; worked in e9`)).toEqual([]);
  expect(failed(`\`${command.replace(/ ?(\w)(\w*)$/, ' x$1$2x')}\` failed: no`)).toEqual([]);
});

test('of checks the last two are told, of those in view; nothing else that says so', () => {
  const all = [3, 5, 7].map((n) => ({ ...line('failed', n, '`npm test` failed: no'), to: n + 1 }));
  const of = (inView: number) => harvest(nothing, () => all, { ...about, inView }).failing;
  expect(of(0)).toEqual(['`npm test` failed: no (e6)', '`npm test` failed: no (e8)']);
  expect(of(7)).toEqual(['`npm test` failed: no (e8)']);
  expect(of(8)).toBeUndefined();
  const said = [line('said', 3, '`npm test` failed: no')];
  expect(harvest(nothing, () => said, about).failing).toBeUndefined();
});

test('of many files and decisions the newest stay, each once', () => {
  const many = Array.from({ length: 26 }, (_, n) => line('changed', n + 1, `changed f${n}.ts`));
  const chosen = Array.from({ length: 10 }, (_, n) =>
    line('said', n + 30, `We decided to use store ${n} for it.`),
  );
  const found = harvest(nothing, () => [...many, ...chosen, ...chosen], about);
  expect([found.artifacts.length, found.artifacts[0]]).toEqual([24, 'f2.ts (e3)']);
  expect([found.decisions.length, found.decisions[0]]).toEqual([
    8,
    'We decided to use store 2 for it. (e32)',
  ]);
});

test('what was asked and answered is no choice of the model, nor is what people said at length', () => {
  const asked = line(
    'said',
    4,
    'asked “We decided to use tabs?”; e5 “yes, we decided to use tabs”',
  );
  const quotes = [
    { n: 3, text: `Use pnpm ${'and '.repeat(48)}` },
    { n: 6, text: 'Use pnpm,\nnot npm.' },
  ];
  expect(harvest(nothing, () => [asked], { ...about, quotes }).decisions).toEqual([
    '“Use pnpm, not npm.” (e6)',
  ]);
});

test.each([
  ['a.ts (e4)', 'a.ts'],
  ['a.ts (e4–e12)', 'a.ts'],
  ['a.ts (e4–e12: + class A (x))', 'a.ts'],
  ['a.ts (e4) and', 'a.ts (e4) and'],
  ['a (e4).ts', 'a (e4).ts'],
  ['a.ts', 'a.ts'],
])('the file of %j is %j', (artifact, path) => {
  expect(artifactPath(artifact)).toBe(path);
});
