import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reasonIn } from '../../../src/core/outcomes/failure-reason.ts';

test.each([
  [
    'tsc',
    "> app@1.0.0 check\n> tsc\n\nsrc/a.ts(4,2): error TS2339: Property 'x' does not exist.",
    "src/a.ts(4,2): error TS2339: Property 'x' does not exist.",
  ],
  [
    'eslint',
    "/app/src/a.ts\n  1:1  warning  Unexpected any  no-any\n  4:2  error  'x' is not defined  no-undef\n\n2 problems",
    "/app/src/a.ts 4:2 error 'x' is not defined no-undef",
  ],
  [
    'elixir',
    '** (Ecto.NoResultsError) expected at least one result\n    (ecto 3.1) lib/ecto.ex:4\n    lib/a.ex:12: A.get/1',
    '** (Ecto.NoResultsError) expected at least one result lib/a.ex:12: A.get/1',
  ],
  ['a summary before what it sums', 'Found 2 odd things:\nThe lamp is blue.', 'The lamp is blue.'],
  ['a shell', 'begins\nfatal: not a git repository\nends', 'fatal: not a git repository'],
  ['a summary alone', 'Test Suites: one of two', 'Test Suites: one of two'],
  [
    'npm',
    'npm warn Unknown env config "x". This will stop working.\n> app@1 build\nFailed to compile.',
    'Failed to compile.',
  ],
  [
    'biome',
    'src/a.ts:4:2 lint/style/useConst ━━━━━━━\n\n  × This let declares a variable that is never reassigned.',
    'src/a.ts:4:2 lint/style/useConst × This let declares a variable that is never reassigned.',
  ],
  [
    'vitest',
    ' RUN  v4\n FAIL  test/a.test.ts > pool > drains\nAssertionError: expected 1 to be 2\n Tests  1 failed',
    'FAIL test/a.test.ts > pool > drains AssertionError: expected 1 to be 2',
  ],
  [
    'jest',
    'FAIL test/a.test.js\n  ● pool › drains\n\n    expect(received).toBe(expected)\n\n    Expected: 2',
    '● pool › drains expect(received).toBe(expected)',
  ],
  [
    'pytest',
    '>       assert 1 == 2\nE       assert 1 == 2\n\nFAILED tests/a.py::test_b - assert 1 == 2\n1 failed',
    'FAILED tests/a.py::test_b - assert 1 == 2',
  ],
  [
    'cargo',
    'error[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:2\nerror: could not compile `app`',
    'error[E0382]: borrow of moved value: `x` --> src/main.rs:4:2',
  ],
  [
    'go test',
    '--- FAIL: TestOpen (0.01s)\n    a_test.go:12: got 1, want 2\nFAIL',
    '--- FAIL: TestOpen a_test.go:12: got 1, want 2',
  ],
  [
    'mix test',
    '  1) test drains (PoolTest)\n     test/pool_test.exs:4\n     Assertion with == failed\n     code:  assert 1 == 2',
    '1) test drains (PoolTest) Assertion with == failed',
  ],
  [
    'a hook that runs others',
    'Pre-commit validation failed:\n\n[CREDO]\n┃ [F] → Function is too complex.\n┃       lib/a.ex:4:2 #(A.b)\n3 problems',
    '[F] → Function is too complex. lib/a.ex:4:2 #(A.b)',
  ],
  [
    'python',
    'Traceback (most recent call last):\n  File "a.py", line 4\nValueError: no rows',
    'ValueError: no rows',
  ],
  ['a shell', 'total 4\nbash: foo: command not found', 'bash: foo: command not found'],
  ['nothing that it knows', 'It says that it must not be.', 'It says that it must not be.'],
  ['nothing at all', '(no output)\n\nCommand exited with code 1', ''],
])('of %s the line is told that names the cause', (_, output, why) => {
  expect(reasonIn(output)).toBe(why);
});

test('a reason is one line of bounded length, whatever was printed', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom('FAIL a.test.ts > ', '\n', 'x'.repeat(100_000), 'a.ts:1:1: '.repeat(9_000)),
    fc.constantFrom(
      'error: ',
      ' '.repeat(100_000),
      '● › '.repeat(9_000),
      '\u2028',
      '━'.repeat(400),
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      expect(reasonIn(pieces.join(''))).toMatch(
        /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{0,220}$/,
      );
    }),
    { numRuns: 60 },
  );
});
