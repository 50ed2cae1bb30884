import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headAndTail } from '../../../src/core/text/truncate.ts';
import { cutOutput } from '../../../src/llm/prompt/cut-output.ts';
import { estimate } from '../../../src/llm/prompt/estimate.ts';

const gap = '[... left out ...]';
const cut = (text: string, target: number): string =>
  cutOutput(text, target, {
    count: estimate,
    cut: (part, room) => headAndTail(part, { target: room, count: estimate, marker: () => gap }),
    gap,
  });

const passing = Array.from({ length: 200 }, (_, at) => `✓ test ${at} passes (3 ms)`);
const sums = 'Tests  1 failed | 400 passed (401)\nTime  12.4 s';

test.each([
  ['✗ refreshes a token', '  expected 200, received 401', '  at auth.test.ts:61'],
  ['not ok 17 - refreshes a token', '  expected: 200', '  got: 401'],
  ['--- FAIL: TestRefresh (0.00s)', '    auth_test.go:61: got 401, want 200', '    exit status 1'],
  ['FAILED tests/test_auth.py::test_refresh', 'E   assert 401 == 200', '1 failed'],
  ['Traceback (most recent call last):', '  File "auth.py", line 61', 'ValueError: no token'],
  ["thread 'main' panicked at src/auth.rs:61:5:", 'no token', 'note: run with a backtrace'],
  ['src/auth.ts(61,5): error TS2345: no token', '  because of this', '  and of that'],
  [
    '** (KeyError) key :token not found',
    '    (app) lib/auth.ex:61: App.Auth.refresh/1',
    '    more',
  ],
  ['error[E0308]: mismatched types', '  --> src/auth.rs:61:5', '   | found u8'],
])('what failed stands among what passed, with what is below it: %s', (...failure) => {
  const text = [...passing, ...failure, ...passing, sums].join('\n');
  const shown = cut(text, 300);
  expect(shown).toContain(failure.join('\n'));
  expect(shown).toContain('✓ test 0 passes');
  expect(shown).toContain(sums);
  expect(estimate(shown)).toBeLessThanOrEqual(300);
});

test('output without a failure keeps its start and end, also where it speaks of errors', () => {
  const source = Array.from({ length: 300 }, (_, at) => `  ${at}→  throw new Error('no ${at}');`);
  source.splice(150, 0, '\t\tisError: true', '  error: none,', 'class AuthError {', '  Error(');
  const text = source.join('\n');
  const marker = (): string => gap;
  expect(cut(text, 200)).toBe(headAndTail(text, { target: 200, count: estimate, marker }));
  expect(cut('Error: none', 200)).toBe('Error: none');
});

test('no output is longer than it may be, nor made slow by what it holds', () => {
  const lines = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('Error: x', 'FAIL a', 'x '.repeat(400), '> '.repeat(99))),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(lines, fc.integer({ min: 20, max: 300 }), (all, target) => {
      expect(estimate(cut(all.join('\n'), target))).toBeLessThanOrEqual(target);
    }),
  );
  expect(cut(`${'> '.repeat(100_000)}\n${'a.'.repeat(100_000)}`, 100)).toContain(gap);
});
