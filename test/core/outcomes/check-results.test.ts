import { expect, test } from 'vitest';
import { saysFailed } from '../../../src/core/outcomes/check-results.ts';

const says = (command: string, content: string): boolean =>
  saysFailed({ name: 'bash', arguments: { command } }, { role: 'tool', content });

test.each([
  '2 failed, 14 passed in 6.22s',
  '===== 3 failed, 19 passed, 1 warning in 2.55s =====',
  ' Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 20 passed (21)',
  'Tests:       1 failed, 2 passed, 3 total',
  '  12 passing (8ms)\n  2 failing',
  'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  '20 tests, 1 failure',
  'Found 3 errors in 2 files.',
  'Found 0 warnings and 1 error.',
  'Found 8 errors (5 fixed, 3 remaining).',
  '✖ 3 problems (1 error, 2 warnings)',
  'Tests: 3, Assertions: 5, Failures: 1.',
  'Failed:     1, Passed:    12',
  'FAILED (failures=1)',
  'ℹ fail 2',
  'ok  \tshop/cart\t0.1s\nFAIL\tshop/pay [build failed]',
  '    --- FAIL: TestPay/empty (0.00s)',
  ' FAIL  test/pay.test.ts > pays',
  'FAILED tests/pay.py::test_pays - KeyError: 1',
  './pay.go:4:2: undefined: total',
  'src/pay.ts(5,1): error TS2345: no overload',
  'npm error Lifecycle script `check` failed with error:',
  'npm ERR! code 1',
  'make[1]: *** [all] Error 2',
  'error: could not compile `shop`',
  'error: script "check" exited with code 1',
  '[lint] ERROR task failed',
  'warning: dirty\nerror: no attribute fmt\ngrep: done',
  'fatal: no rules',
  'BUILD FAILED in 3s',
  'not ok - pay :: an empty cart',
])('a check that prints %j failed', (output) => {
  expect(says('npm run check 2>&1 | tail -20', `> check\n${output}\n`)).toBe(true);
});

test.each([
  '0 failed, 14 passed',
  '14 passed, 2 xfailed',
  'Found 0 warnings and 0 errors.',
  'Found 8 errors (8 fixed, 0 remaining).',
  '✖ 2 problems (0 errors, 2 warnings)',
  'Tests: 3, Assertions: 5, Failures: 0.',
  'Failed:     0, Passed:    12',
  'test result: ok. 3 passed; 0 failed',
  '1 expected failure',
  'Retries after 2 errors of the server',
  'deletes 3 failed uploads ✓',
  '[main 1ef554d] Count 2 failed payments',
  'src/pay.ts:4:2: warning: unused',
  'src/pay.ts:4:2: note (a warning)',
  'prints error: no total',
  'error: no total\n2 passed',
  './pay.go:4:2: undefined: total\n  Tests  9 passed (9)',
  '10:02 [ERROR] TypeError: fetch failed',
])('a check that prints %j did not', (output) => {
  expect(says('npm run check 2>&1 | tail -20', `> check\n${output}\n`)).toBe(false);
});

test.each([
  'cat report.txt | head',
  'grep -rn "test" log',
  'test -f a.log && cat a.log',
  'shop ls',
])('of %j, which checks nothing, an output proves nothing', (command) =>
  expect(says(command, '2 failed, 14 passed')).toBe(false),
);

test('a host that says that the check itself ended well is believed', () => {
  const output = (exit: number) => `Exit code: ${exit}\nOutput:\n2 failed, 14 passed`;
  expect(says('npm test', output(0))).toBe(false);
  expect(says('npm test', '2 failed, 14 passed')).toBe(true);
  expect(says('npm test; ls', output(0))).toBe(true);
  expect(says('npm test\nls', output(0))).toBe(true);
  expect(says('npm test | tail', output(0))).toBe(true);
});

test('a check has failed however long its command is', () => {
  const command = `./target/debug/shop test ${'--step pay '.repeat(20)}; echo done`;
  expect(says(command, 'not ok 1 an empty cart\ndone')).toBe(true);
});
