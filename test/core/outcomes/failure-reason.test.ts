import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reasonIn } from '../../../src/core/outcomes/failure-reason.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

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
  [
    'git push',
    'remote: done\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs',
    '! [rejected] main -> main (fetch first)',
  ],
  [
    'PowerShell',
    "+ CategoryInfo : ObjectNotFound: (shop:String)\nshop : The term 'shop' is not recognized",
    "shop : The term 'shop' is not recognized",
  ],
  [
    'a shell of Windows',
    '      0 [main] bash (359) child_copy: cygheap read copy failed\nBusy: 4 of 4',
    'Busy: 4 of 4',
  ],
  [
    'one line alone that is long',
    `It was denied. ${'a '.repeat(300)}`,
    `It was denied. ${'a '.repeat(102)}…`,
  ],
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
    'pytest, which says more of another test',
    'FAILED tests/a.py::test_a - assert False\nFAILED tests/a.py::test_b - KeyError: 1\n2 failed',
    'FAILED tests/a.py::test_b - KeyError: 1; also test_a',
  ],
  [
    'pytest, which says no more of any',
    'FAILED tests/a.py::test_a - assert False\nFAILED tests/a.py::test_b - assert False\n2 failed',
    'FAILED tests/a.py::test_a - assert False; also test_b',
  ],
  [
    'ruff',
    'E501 Line too long (102 > 100)\n   --> src/a.py:4:101\n    |\n4 | x\n\nFound 1 error.',
    'E501 Line too long (102 > 100) --> src/a.py:4:101',
  ],
  [
    'a program that is not there, before what fails for it',
    '/tmp/shell: line 12: exec: fmtx: not found\nchecking\nerror: Path a.nix is not tracked',
    'exec: fmtx: not found; error: Path a.nix is not tracked',
  ],
  [
    'cargo',
    'error[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:2\nerror: could not compile `app`',
    'error[E0382]: borrow of moved value: `x` --> src/main.rs:4:2',
  ],
  [
    'a go test that tells its steps',
    '=== RUN   TestOpen\n    a_test.go:12: got 1, want 2\n--- FAIL: TestOpen (0.01s)\n=== RUN   TestShut\n    a_test.go:40: got 3\n--- FAIL: TestShut (0.00s)',
    'a_test.go:12: got 1, want 2 --- FAIL: TestOpen; also TestShut',
  ],
  [
    'cargo test',
    "test db::opens ... FAILED\nthread 'db::opens' panicked at src/db.rs:4:2:\nerror: test failed, to rerun pass `--lib`",
    "test db::opens ... FAILED thread 'db::opens' panicked at src/db.rs:4:2:",
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
  [
    'python, which warned of another',
    "ModuleNotFoundError: No module named 'hack'\nRemainder of file ignored\nTraceback (most recent call last):\n  File \"a.py\", line 4\nKeyError: 'PORT'",
    "KeyError: 'PORT'",
  ],
  ['a shell', 'total 4\nbash: foo: command not found', 'bash: foo: command not found'],
  ['nothing that it knows', 'It says that it must not be.', 'It says that it must not be.'],
  ['nothing at all', '(no output)\n\nCommand exited with code 1', ''],
])('of %s the line is told that names the cause', (_, output, why) => {
  expect(reasonIn(output)).toBe(why);
});

/** Nothing that a tool prints of a cause, but words that tell one. */
const decoy = 'It must not be here.';

test.each([
  'src/a.ts(4,2): error TS1: no x',
  'src/a.ts(4,2) : error C1: no x',
  'a.c:4:2: fatal error: no x',
  'a.py:4: error: no x',
  'src/a.ts:4:2 - error TS1: no x',
  './a.go:4:2: no x',
  'a.py:4:2: F401 no x',
  'src/a.ts:4:2 lint/style/x',
  'src/a.ts:4:2 parse no x',
  'src/a.ts:4:2 format no x',
  'src/a.ts:4:2 assist/x',
  '4:2 error no x',
  'error[E0382]: no x',
  'error: no x here',
  '** (KeyError) no x',
  '** (Ecto.KeyError) no x',
  'FAILED tests/a.py::test_b',
  'ERROR tests/a.py::test_b',
  'E assert 1 == 2',
  'E AssertionError: no x',
  'E Error no x',
  'FAIL test/a.ts > drains',
  '● pool › drains',
  '× pool > drains',
  '✗ pool > drains',
  '✕ pool > drains',
  'FAIL test/a.test.ts',
  '❯ test/a.spec.ts',
  '× test/a.test.mts',
  '--- FAIL: TestOpen',
  "thread 'main' panicked at src/a.rs",
  "thread 'main' (4) panicked at src/a.rs",
  '1) test drains',
  '1234) property drains',
  '12) doctest drains',
  '[F] → too complex',
  '[C] ↗ too complex',
  '[R] ↑ too complex',
  '[W] ↓ too complex',
  '[D] ⬆ too complex',
  'lib/a.ex:4:no_return',
  'lib/a.exs:4:12:no_return',
  'a.sh:4: no such thing is defined: undefined',
  'a.rb:4: it got x',
  'TypeError: no x',
  'Uncaught TypeError: no x',
  'Foo.KeyException: no x',
  'TypeError [ERR_X]: no x',
  'fatal: no x',
  'error: aborting as x',
  'Error: no x',
  'panic: no x',
  'sh: foo: command not found',
  'ls: a: No such file or directory',
  'sh: a: Permission denied',
  'bash: permission denied',
  'npm ERR! missing script: x',
  'npm error missing script: x',
])('%j names a cause', (line) => {
  expect(reasonIn(`${decoy}\n${line}`)).toBe(line);
});

test.each([
  'a b.ts(4,2): error TS1: no x',
  'src/a.ts(4): error',
  'src/a.ts: error',
  'src/a.ts:4:2 warning',
  'a.ts:4:2: warning: x',
  'a.ts:4:2: note: x',
  'a.ts:4:2: info: x',
  'a.ts:4:2: 4',
  'x src/a.ts:4:2: x',
  'src/a.ts:4:2 linted',
  'x src/a.ts:4:2 lint/x',
  '4:2 warning no x',
  'x 4:2 error',
  'errors: no',
  'an error[E0382]: x',
  'error: could not compile:',
  '** (Mix) x',
  '** (exit) x',
  '** (EXIT from x) x',
  '** (key error) x',
  'x ** (KeyError) x',
  'FAILED tests/a.py',
  'x FAILED a.py::b',
  'E asserts',
  'E an Error',
  'EError x',
  'FAIL a b > drains',
  '● pool drains',
  'x ● pool › drains',
  'FAIL test/a.ts',
  'x × a.test.ts',
  '× a b.test.ts',
  '--- FAIL',
  'x --- FAIL: TestOpen',
  "thread 'main' began",
  "a thread 'main' panicked at x",
  '1) tests drain',
  '12345) test drains',
  'x 1) test drains',
  '[X] → too complex',
  '[F] too complex',
  'x [F] → complex',
  'lib/a.ex:4',
  'lib/a.exx:4:no_return',
  'lib/a.ex:4:no return',
  'a.sh:4: well done',
  'x a.sh:4: got x',
  'typeError: x',
  'a TypeError: x',
  'TypeError:',
  'TypeErrors: x',
  'TypeError [ERR X]: x',
  'fatal: x:',
  'it is fatal: no x',
  'fatal no x',
  'npm ERR! code E1 is x',
  'npm ERR! path /a/b/c/d',
  'npm ERR! A complete log is',
  'npm error errno 4 4 4 4 4',
  'npm error syscall spawn x',
  'npm error command failed',
  'npm error Lifecycle x x x',
  'npm error workspace a b c',
  'npm error location /a/b/c',
  'npm error short',
  'an npm error of no name',
  'Error',
])('%j names none', (line) => {
  expect(reasonIn(`${decoy}\n${line}`)).toBe(decoy);
});

test.each([
  ['src/a.ts:4:2 lint/x', '× must be', true],
  ['src/a.ts:4:2 lint/x', '✖ must be', true],
  ['src/a.ts:4:2 lint/x', 'x must be', true],
  ['src/a.ts:4:2 lint/x', '! must be', true],
  ['src/a.ts:4:2 lint/x', '- must be', false],
  ['src/a.ts:4:2 lint/x', 'so × must be', false],
  ['error[E1]: no x', '└─ lib/a.ex:4', true],
  ['error[E1]: no x', 'so --> lib/a.ex:4', false],
  ['** (KeyError) no x', 'lib/a.exs:4: A.b', true],
  ['** (KeyError) no x', '(a 1.0) lib/a.ex:4', false],
  ['FAIL a.ts > b', 'TypeError: no', true],
  ['FAIL a.ts > b', 'Error: no', true],
  ['FAIL a.ts > b', 'Expected 4', true],
  ['FAIL a.ts > b', 'expect(a)', true],
  ['FAIL a.ts > b', 'expects a', false],
  ['FAIL a.ts > b', 'An Error: no', false],
  ['FAIL a.test.ts', '→ no', true],
  ['FAIL a.test.ts', 'so Expected 4', false],
  ['FAIL a.test.ts', 'TypeError: no', true],
  ['FAIL a.test.ts', 'expect(a)', true],
  ['--- FAIL: TestOpen', 'a_test.go:4: got 1', true],
  ['--- FAIL: TestOpen', 'a.go:4: got 1', false],
  ["thread 'a' panicked at x", 'went wrong', true],
  ["thread 'a' panicked at x", 'wrong', false],
  ["thread 'a' panicked at x", 'note: run it', false],
  ['1) test a b', 'Assertion with ==', true],
  ['1) test a b', 'Expected 4', true],
  ['1) test a b', 'code: a', true],
  ['1) test a b', 'match (=) failed', true],
  ['1) test a b', 'left: 4', false],
  ['[F] → complex', '┃ lib/a.exs:4', true],
  ['[F] → complex', 'lib/a.ex:4', true],
  ['[F] → complex', 'in lib/a.ex:4', false],
  ['lib/a.ex:4:no_return', 'Function a/1 has', true],
  ['lib/a.ex:4:no_return', 'Function', false],
])('behind %j the line %j says more: %j', (line, next, is) => {
  const why = is ? `${line} ${next.replace('┃ ', '')}` : line;
  expect(reasonIn(`${decoy}\n${line}\n\n${next}`)).toBe(why);
});

test('what says more stands within fourteen lines of a cause, or before it', () => {
  const after = (lines: number): string =>
    reasonIn(`error[E1]: no x\n${'so\n'.repeat(lines)}--> src/a.rs:4`);
  expect([after(13), after(14)]).toEqual(['error[E1]: no x --> src/a.rs:4', 'error[E1]: no x']);
  const before = (line: string): string => reasonIn(`${line}\nso\n4:2 error no x`);
  expect(before('/app/a.ts')).toBe('/app/a.ts 4:2 error no x');
  expect(before('~/a-b@c/a.ts')).toBe('~/a-b@c/a.ts 4:2 error no x');
  for (const line of ['a.ts:', 'see a.ts', 'a', 'a.lengthiest'])
    expect(before(line)).toBe('4:2 error no x');
  expect(reasonIn('a.ts\nb.ts\n4:2 error no x\nc.ts')).toBe('b.ts 4:2 error no x');
});

test.each([
  ['× a > b ━━━━', '× a > b'],
  ['× a > b ══', '× a > b ══'],
  ['× a > b 12ms', '× a > b'],
  ['× a > b 1.5 s', '× a > b'],
  ['× a > b (12 ms)', '× a > b'],
  ['× a > b 12ms more', '× a > b 12ms more'],
  ['× a > b2ms', '× a > b2ms'],
  ['┃ [F] → complex', '[F] → complex'],
  ['┃[F] → complex', '[F] → complex'],
])('of %j is told %j', (line, told) => {
  expect(reasonIn(line)).toBe(told);
});

test.each([
  'It is an error',
  'A KeyError was',
  'A NoRowException was',
  'It did fail',
  'It has failed',
  'It fails now',
  'A failure was',
  'A panic was',
  'It cannot be',
  "It can't be",
  'It can’t be',
  'It was not found',
  'It is undefined',
  'It was denied',
  'It was refused',
  'It is invalid',
  'It was expected',
  'It was unexpected',
  'It is missing',
  'There is no such',
  'It is unknown',
  'It must be',
  'It is forbidden',
  'It timed out',
  'It had a time out',
  'It is a conflict',
])('%j tells why', (line) => {
  expect(reasonIn(`The lamp is blue.\n${line}`)).toBe(line);
});

test.each([
  'The mustard is blue',
  'It is failsafe',
  'It is not there',
  'A terrorist was',
  'It is in time',
])('%j tells nothing of it', (line) => {
  expect(reasonIn(`${line}\nThe lamp is blue.`)).toBe('The lamp is blue.');
});

test('where no line tells why, the last one does that is no praise', () => {
  const said = 'Warning: old client\npong from shop\ndirect way not there\nAll 3 passed';
  expect(reasonIn(said)).toBe('direct way not there');
});

test.each([
  'if it must {',
  'it must be;',
  'so throw new It must',
  '(must) => it',
  'at must (a.ts:4)',
  'import must from a',
  'const must = it',
  'return must it',
  'if (must) it',
  'if(must) it',
  '// it must be',
  '* it must be',
  '4 | it must be',
  '4→ it must be',
  '> app@1.0.0 must',
  '> > it must be',
  'Exit code 12',
  'Traceback (most must be',
  'npm ERR! code must',
  'npm error path must',
  'npm error A complete log must',
  'npm warn it must',
  'npm WARN it must',
  'npm notice it must',
  '(no output)',
  'Command exited with code 12',
  'It must be:',
  'Found 4 errors',
  'Found 12 problems',
  '4 errors',
  '12 problems',
  '1 test must',
  'Tests: it must',
  'Test: it must',
  'Test Files must',
  'Test Suites must',
  'must',
  `It must ${'x'.repeat(500)}`,
])('%j frames, echoes or sums up', (line) => {
  expect(reasonIn(`${line}\nThe lamp is blue.`)).toBe('The lamp is blue.');
});

test.each([
  'it must be; so',
  'so at must (a.ts:4)',
  '** it must be',
  'so Exit code 1 must',
  'Exit code must be',
  'an npm warn must',
  'It must be: so',
  'so Found 4 errors must',
  'so it must throw newt',
  'Testing must be',
  '(no output) must',
  `It must ${'x'.repeat(200)}`,
])('%j does not', (line) => {
  expect(reasonIn(`The lamp is blue.\n${line}`)).toBe(line);
});

test('lines end where a string of JSON says so, too', () => {
  expect(reasonIn('The lamp is blue\\nIt must be\\n\\nso it is')).toBe('It must be');
  expect(reasonIn('<tool_use_error>It must be</tool_use_error>')).toBe('It must be');
});

test('a reason is one line of bounded length, whatever was printed', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 100 }),
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

test('a line is told of 7 to 499 characters', () => {
  const told = (line: string): string => reasonIn(`${line}\nThe lamp is blue.`);
  expect([told('It must'), told('I must')]).toEqual(['It must', 'The lamp is blue.']);
  const long = (more: number): string => told(`It must ${'x'.repeat(more)}`);
  expect(long(491)).toBe(`It must ${'x'.repeat(211)}…`);
  expect(long(492)).toBe('The lamp is blue.');
});

test('what tells why comes before what says anything, and that before what sums up', () => {
  expect(reasonIn('Found 4 errors\nThe lamp is blue.\nIt must be.')).toBe('It must be.');
  expect(reasonIn('Found 4 errors\nThe lamp is blue.')).toBe('The lamp is blue.');
  expect(reasonIn('const a = 4\nFound 4 errors\nTests: 4')).toBe('Found 4 errors');
  expect(reasonIn('const a = 4\nshort')).toBe('');
});

test('a surer form comes before a line above it, and echoed source is no cause', () => {
  expect(reasonIn('TypeError: no x\nFAILED a.py::b')).toBe('FAILED a.py::b');
  expect(reasonIn('TypeError: {\nTypeError: no x')).toBe('TypeError: no x');
  expect(reasonIn('error: no x;\nIt must be.')).toBe('It must be.');
});

test('a test of TAP that failed tells, one that passed does not, whatever their names', () => {
  const said = [
    '[test:unix] ok 1 a failure is told',
    '[test:unix] not ok 2 the rows are sorted',
    "[test:unix] #   `assert_output 1' failed",
    'not ok 3 a row is read # TODO later',
    '[test:unix] not ok 4 - the pool is closed',
    'not ok - a row is kept',
  ];
  expect(reasonIn(said.join('\n'))).toBe(
    "[test:unix] not ok 2 the rows are sorted [test:unix] # `assert_output 1' failed; also the pool is closed, a row is kept",
  );
  expect(reasonIn(`${said[0]!}\nThe disk is full now.`)).toBe('The disk is full now.');
});

test.each([
  ['cargo', (name: string) => `test ${name} ... FAILED`],
  ['go', (name: string) => `--- FAIL: ${name}`],
  ['vitest', (name: string) => `FAIL test/a.test.ts > ${name}`],
  ['pytest', (name: string) => `FAILED tests/a.py::${name} - KeyError: 1`],
])('of several tests of %s that failed three more are named, and how many', (_, line) => {
  const reason = reasonIn(['one', 'two', 'six', 'ten', 'odd', 'two'].map(line).join('\n'));
  expect(reason).toBe(`${line('one')}; also two, six, ten and 1 more`);
});

test('a test that vitest names twice is one', () => {
  const said = '× test/a.test.ts > pool > adds rows 5ms\n\nFAIL  test/a.test.ts > pool > adds rows';
  expect(reasonIn(said)).not.toContain('also');
});

test('of a test that failed in a part of it the whole is no other', () => {
  const said = '--- FAIL: TestA/one (0.01s)\n--- FAIL: TestA (0.02s)';
  expect(reasonIn(said)).toBe('--- FAIL: TestA/one');
});
