import { expect, test } from 'vitest';
import { filesChanged } from '../../../src/core/file-events/edits.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';
import { curesIn, openFailures, withFolder } from '../../../src/core/outcomes/cures.ts';
import { failuresIn } from '../../../src/core/outcomes/failures.ts';
import { callLabel, shortCall } from '../../../src/core/outcomes/call-label.ts';

/** A call of a shell as e11 with its result as e12; output that begins with `!` failed. */
const ran = (command: string, output: string, n = 11) => ({
  n,
  to: n + 1,
  call: { name: 'bash', arguments: { command } } satisfies ToolCall,
  result: {
    role: 'tool' as const,
    content: output.replace(/^!/, ''),
    isError: output.startsWith('!'),
  },
});

const lines = (...texts: readonly string[]) =>
  texts.map((text, index) => ({ n: index + 1, to: index + 1, text }));

const cures = (before: readonly string[], ...after: readonly ReturnType<typeof ran>[]) =>
  curesIn(after, openFailures(lines(...before)), {
    nameOf: shortCall,
    folderOf: String,
    filesOf: filesChanged,
  }).map(({ n, text }) => `e${n} ${text}`);

const failed = '`npm test` failed: 2 tests timed out';

test('what failed before and works now is told once, with why it had failed', () => {
  expect(
    cures([failed], ran('npm test 2>&1 | tail', '# pass 3'), ran('npm test', 'ok', 13)),
  ).toEqual(['e12 `npm test` failed since e1: 2 tests timed out; worked in e12']);
});

test('what says that something is wrong cured nothing', () => {
  expect(cures([failed], ran('npm test | tail', 'npm test\nError: \n'))).toEqual([]);
  expect(cures([failed], ran('npm test | tail', '1 failed, 2 passed'))).toEqual([]);
});

test('what hides how it ended cured nothing, and leaves it to a later run', () => {
  const lint = '`npm run lint` failed: 1 problem';
  const hidden = [
    cures([failed], ran('npm test | head -1', '> shop@1.0.0 test')),
    cures([failed], ran('npm test || true', 'ok')),
    cures([lint], ran('npm run lint | wc -l', '40')),
    cures([lint], ran('npm run lint | grep -c warning', '2')),
  ];
  expect(hidden.flat()).toEqual([]);
  expect(cures([failed], ran('npm test | head -1', '>'), ran('npm test', 'ok', 13))).toHaveLength(
    1,
  );
  expect(cures([lint], ran('npm run lint | tail -3', ''))).toHaveLength(1);
  expect(cures([lint], ran('npm run lint | grep error', ''))).toHaveLength(1);
});

test.each([
  ['2 doctests, 40 tests, 0 failures', 1],
  ['12 examples, 0 failures, 1 pending', 1],
  ['5 runs, 9 assertions, 0 failures, 0 errors, 0 skips', 1],
  ['OK (12 tests, 30 assertions)', 1],
  ['Ran 3 tests in 0.1s\n\nOK', 1],
  ['[INFO] BUILD SUCCESS', 1],
  ['OK, so be it', 0],
  ['OK (0 tests, 0 assertions)', 0],
  ['0 tests, 0 failures', 0],
  ['40 tests, 10 failures', 0],
  ['5 runs, 9 assertions, 0 failures, 2 errors, 0 skips', 0],
])('a count without a word of what passed: %s', (count, told) => {
  const failedTests = '`mix test --seed 0` failed: 3 failures';
  expect(cures([failedTests], ran('mix test --seed 0 | tail -30', count))).toHaveLength(told);
});

test('what fails first among the exchanges is told by its own line', () => {
  const after = [ran('npm test', '!Error: port in use'), ran('npm test', 'ok', 13)];
  expect(cures([failed], ...after)).toEqual([]);
  expect(failuresIn(after, filesChanged)).toHaveLength(1);
});

test.each([
  ['was cured where it failed', [`${failed}; worked in e3`]],
  [
    'was told as cured later',
    [failed, `${failed.replace('failed', 'failed since e1')}; worked in e9`],
  ],
  ['passes as a model says', [failed, 'Done: `npm test` passes again']],
  ['tells no reason', ['`npm test` failed']],
])('what %s is not told again', (_, before) => {
  expect(cures(before, ran('npm test', 'ok'))).toEqual([]);
});

test.each([
  'Failed: `npm test`: "2 tests timed out"; not yet fixed',
  'Failed: `npm test`: "2 tests timed out"; not mended',
  'Failed: `npm test`: "2 tests timed out"; not yet working',
  'Failed: `npm test`: not passing',
  '**Failed**: `npm test`',
  'failed:`npm test`',
  'Failed: `npm test`: "2 tests timed out"',
  'Failed: `npm test`: "2 tests timed out"; not cured yet',
])('what a model told as failed works: %s', (line) => {
  expect(cures([line], ran('npm test', 'ok'))).toEqual([
    'e12 `npm test` failed since e1; worked in e12',
  ]);
});

test.each([
  'Now `npm test` passed',
  '`npm run lint` and `npm test` pass',
  '`npm test` works',
  '`npm test` work',
  '`npm test` worked',
  '`npm test` is cured',
  '`npm test` is fixed',
  '`npm test` is clean',
  '`npm test` is GREEN',
])('%j says that it works', (line) => {
  expect(cures([failed, line], ran('npm test', 'ok'))).toEqual([]);
});

test.each(['`npm test` cleans up', '`npm test` is not yet fixed', 'npm test works', '`npm` works'])(
  '%j does not',
  (line) => {
    expect(cures([failed, line], ran('npm test', 'ok'))).toHaveLength(1);
  },
);

test.each([
  'so Failed: `npm test`',
  'Failed `npm test`',
  'Failed: npm test',
  'Failing: `npm test`',
])('%j tells no failure', (line) => {
  expect(cures([line], ran('npm test', 'ok'))).toEqual([]);
});

test('cures are told in the order in which results came; a call without one cures nothing', () => {
  const other = '`make` failed: no rule';
  const [first, second] = [ran('npm test', 'ok', 20), ran('make', 'ok', 11)];
  expect(cures([failed, other], first, second)).toEqual([
    'e12 `make` failed since e2: no rule; worked in e12',
    'e21 `npm test` failed since e1: 2 tests timed out; worked in e21',
  ]);
  expect(
    curesIn([{ ...first, result: undefined }], openFailures(lines(failed)), {
      nameOf: shortCall,
      folderOf: String,
      filesOf: filesChanged,
    }),
  ).toEqual([]);
});

test('what was changed before these exchanges is among what cured a failure', () => {
  const n = 5;
  const known = { n, what: 'make lint', why: 'agent.go:300:12 error is not checked', place: '' };
  const arguments_ = { path: 'agent_test.go', oldText: 'a', newText: 'b' };
  const edit = { ...ran('', 'ok', 20), call: { name: 'edit', arguments: arguments_ } };
  const worked = (...changed: readonly string[]): string =>
    curesIn([edit, ran('make lint', 'ok', 30)], [{ ...known, changed }], {
      nameOf: shortCall,
      folderOf: String,
      filesOf: filesChanged,
    })[0]!.text.split('; worked ')[1]!;
  expect(worked()).toBe('in e31 after changing agent_test.go');
  expect(worked('agent.go')).toBe('in e31 after changing agent.go and agent_test.go');
  expect(worked('agent.go', 'review.go')).toBe('in e31 after changing agent.go');
  expect(worked('plan.go', 'review.go')).toBe('in e31');
});

test('what failed anew after it was cured is open again', () => {
  const before = [failed, `${failed.replace('failed', 'failed since e1')}; worked in e2`, failed];
  expect(cures(before, ran('npm test', 'ok'))).toEqual([
    'e12 `npm test` failed since e3: 2 tests timed out; worked in e12',
  ]);
});

const passing = ' Test Files  9 passed (9)\n      Tests  40 passed (40)';

test.each<[failed: string, later: string, output: string]>([
  ['npx vitest run a.test.ts', 'npx vitest run', passing],
  ['npm run lint && npm test', 'npm run build && npm run lint && npm test | tail', passing],
  ['make fmt && make lint', 'make lint', ''],
])('%s that failed before is cured by %s', (what, later, output) => {
  const before = [`\`${what}\` failed: 2 of 9`];
  expect(cures(before, ran(later, output))).toEqual([
    `e12 \`${what}\` failed since e1: 2 of 9; worked in e12`,
  ]);
});

test.each<[failed: string, later: string, output: string]>([
  ['`npx vitest run` failed: 2 of 9', 'npx vitest run a.test.ts', passing],
  ['`npx vitest run a.test…` failed: 2 of 9', 'npx vitest run', passing],
  ['`npm run lint` failed in api: 2 errors', 'npm run lint && npm run build', ''],
  ['`npm run lint` failed in api: 2 errors', 'npm run lint', ''],
  ['`npm run lint` failed: 2 errors', 'cd api && npm run lint && npm run build', ''],
  ['Failed: `npm run lint`: 2 errors', 'npm run lint && npm run build', ''],
])('what a line tells, %j, may fail still after %s', (before, later, output) => {
  expect(cures([before], ran(later, output))).toEqual([]);
});

test('a failure names the folder that its call went to, and is cured there', () => {
  const [failure] = failuresIn([ran('cd /w/api && npm run lint', '!2 errors')], filesChanged);
  expect(failure!.text).toBe('`npm run lint` failed in /w/api: 2 errors');
  const folderOf = (folder: string): string => folder.replace('/w/', '');
  const text = withFolder(failure!.text, folderOf);
  expect(text).toBe('`npm run lint` failed in api: 2 errors');
  expect(withFolder(text, () => '')).toBe('`npm run lint` failed: 2 errors');
  expect(withFolder('Done', folderOf)).toBe('Done');
  const later = [ran('cd /w/api && npm run lint', 'ok')];
  expect(
    curesIn(later, openFailures(lines(text)), { nameOf: callLabel, folderOf, filesOf: () => [] }),
  ).toMatchObject([{ text: '`npm run lint` failed in api since e1: 2 errors; worked in e12' }]);
});

test('a cure tells of the folder where it was, the words of a model of all', () => {
  const failedIn = (folder: string) => `\`make\` failed in ${folder}: no rule`;
  const open = (...texts: readonly string[]) =>
    openFailures(lines(failedIn('api'), failedIn('web'), ...texts)).map(({ place }) => place);
  expect(open()).toEqual(['api', 'web']);
  expect(open(`${failedIn('web')}; worked in e9`)).toEqual(['api']);
  expect(open('`make` works')).toEqual([]);
});

test('a cure of a failure that nothing tells any more is worth less than half', () => {
  const worth = (isHidden: boolean): number =>
    curesIn(
      [ran('npm test', 'ok')],
      openFailures(lines(failed)).map((one) => ({ ...one, isHidden })),
      { nameOf: shortCall, folderOf: String, filesOf: filesChanged },
    )[0]!.value;
  expect(worth(true)).toBeLessThan(worth(false) / 2);
});
