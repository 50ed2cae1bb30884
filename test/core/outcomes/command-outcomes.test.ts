import { expect, test } from 'vitest';
import { commandOutcomes } from '../../../src/core/outcomes/command-outcomes.ts';
import type { Exchange } from '../../../src/core/outcomes/exchanges.ts';

const outcomes = (command: string, content: string, isError = false): readonly string[] =>
  commandOutcomes([
    {
      n: 1,
      to: 2,
      call: { id: 'k', name: 'bash', arguments: { command } },
      result: { role: 'tool', toolCallId: 'k', content, isError },
    } as unknown as Exchange,
  ]).map((one) => `e${one.n} ${one.command}: ${one.result}`);

test.each([
  ['npm run lint', 'fine', ['e2 npm run lint: worked']],
  [
    'npx vitest run',
    ' Test Files  1 passed (1)\n      Tests  19 passed (19)',
    ['e2 npx vitest run: Tests 19 passed (19)'],
  ],
  [
    'npm test && npm run build',
    '3 tests passed',
    ['e2 npm test: 3 tests passed', 'e2 npm run build: worked'],
  ],
  ['git commit -m test', '1 file changed', []],
  ['grep -rn test src', '3 errors', []],
  ['nl -ba src/check.ts', '1 a', []],
  ['npm install left-pad', 'added 1 package', ['e2 npm install left-pad: worked']],
  ['npm run lint\nnpm test\nnpm run build', '3 tests passed', ['e2 npm test: 3 tests passed']],
  [
    'cargo test -p shop',
    'test result: ok. 200 passed; 0 failed\ntest result: ok. 1 passed; 0 failed',
    ['e2 cargo test -p shop: test result: ok. 200 passed; 0 failed'],
  ],
  ['npm run lint; npm run build', 'fine', ['e2 npm run build: worked']],
  ['npm run lint; ls -la src', 'fine', []],
  [
    'npm test && npm run e2e tests',
    '3 tests passed',
    ['e2 npm test: worked', 'e2 npm run e2e tests: worked'],
  ],
])('%s that worked', (command, said, told) => expect(outcomes(command, said)).toEqual(told));

test.each([
  ['npm test', '2 passed\n1 failed, 2 passed', ['e2 npm test: failed: 1 failed, 2 passed']],
  [
    'npm test',
    '0 failed\nTypeError: x is not a function',
    ['e2 npm test: failed: TypeError: x is not a function'],
  ],
  ['npm test && npm run build', '2 errors', ['e2 npm test && npm run build: failed: 2 errors']],
  ['npm run lint; npm run build', '2 errors', ['e2 npm run build: failed: 2 errors']],
  ['npm run lint; npm test | tail', '1 failed', ['e2 npm test: failed: 1 failed']],
  ['npm run lint; ls -la src', '2 errors', []],
  ['npm test', '', ['e2 npm test: failed']],
  ['npm test', '0 tests, 12 problems', ['e2 npm test: failed: 0 tests, 12 problems']],
  ['npm test', '20 tests, 0 failed', ['e2 npm test: failed: 20 tests, 0 failed']],
  ['npm test', '1 failed\n3 tests passed', ['e2 npm test: failed: 1 failed']],
])('%s that failed with %j', (command, said, told) =>
  expect(outcomes(command, said, true)).toEqual(told),
);

test('a script that worked tells which commands it ran, of which package, where it went', () => {
  const output =
    '> shop@1.0.0 check\n> npm run check --workspaces\n\n> @s/api@1.0.0 check\n> tsc\n';
  const call = { id: 'k', name: 'bash', arguments: { command: 'cd /w/app && npm run check' } };
  const result = { role: 'tool', toolCallId: 'k', content: output } as const;
  expect(commandOutcomes([{ n: 1, to: 2, call, result }])).toEqual([
    {
      n: 2,
      command: 'npm run check',
      result: 'worked',
      place: '/w/app',
      printed: [
        { owner: 'shop', command: 'npm run check --workspaces' },
        { owner: '@s/api', command: 'tsc' },
      ],
    },
  ]);
});

test('a call that a person refused has no outcome', () => {
  const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  expect(outcomes('npm test', refused, true)).toEqual([]);
});

test('a command of more than 80 characters is not told, and a result is at most 110', () => {
  expect(outcomes(`npm test ${'x'.repeat(71)}`, 'ok')).toHaveLength(1);
  expect(outcomes(`npm test ${'x'.repeat(72)}`, 'ok')).toEqual([]);
  const [told] = outcomes('npm test', `3 tests ${'x'.repeat(200)}`);
  expect(told!.length).toBe('e2 npm test: '.length + 110);
});

test.each([
  'src/a.ts(5,1): error TS2345: no overload',
  'npm error Lifecycle script `check` failed with error:',
  'make: *** [all] Error 2',
  'error: could not compile `app`',
])('a pipe hides no failure: %s', (said) => {
  expect(outcomes('npm run check 2>&1 | head -60', `> check\n${said}`)[0]).toContain(': failed');
});

test('a script for one run is told as no way of the work, whatever runs it', () => {
  for (const command of [
    'uv run python3 -c "print(1)"',
    'npx tsx --eval "1 + 1"',
    'CI=1 node a.js 1',
  ])
    expect(outcomes(command, 'fine')).toEqual([]);
  expect(outcomes('pnpm exec drizzle-kit push', 'fine')).toEqual([
    'e2 pnpm exec drizzle-kit push: worked',
  ]);
});

test('a program is told by how the work uses it, without what is said and numbered in it', () => {
  const reply = (n: number, words: string): readonly string[] =>
    outcomes(`gh api repos/acme/shop/pulls/9/comments/${n}/replies -f body="${words}"`, '{}');
  const told = ['e2 gh api repos/acme/shop/pulls/9/comments/…/replies -f body=…: worked'];
  expect(reply(2734651404, 'Fixed in 1a2b3c4.')).toEqual(told);
  expect(reply(2734900785, "Won't fix: it is meant so.")).toEqual(told);
  expect(outcomes('bd close shop-12 --reason done', 'closed')).toEqual([
    'e2 bd close shop-12 --reason done: worked',
  ]);
  expect(outcomes('bd close shop-12 --reason done > log 2>&1', 'closed')).toEqual([
    'e2 bd close shop-12 --reason done: worked',
  ]);
  expect(outcomes('bd close shop-12 --reason done', 'no', true)).toEqual([]);
});

test.each([
  'ls -la src',
  'python3 -c "print(1)" now',
  'git push origin main',
  'bd ready',
  'echo a b c',
])('everybody knows how to give %j', (command) => expect(outcomes(command, 'ok')).toEqual([]));

test('a test in a script is no program', () => {
  expect(outcomes('if ((rc != 1)); then exit 4; fi', 'ok')).toEqual([]);
});
