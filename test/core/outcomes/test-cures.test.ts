import { expect, test } from 'vitest';
import { filesChanged } from '../../../src/core/file-events/edits.ts';
import { failuresIn } from '../../../src/core/outcomes/failures.ts';

/** Calls of a shell with their outputs; those that begin with `!` failed. */
type Said = readonly (readonly [command: string, output: string])[];

/** The results in which the calls that failed worked; 0 for none. */
const cured = (...said: Said): readonly number[] =>
  failuresIn(
    said.map(([command, output], index) => ({
      n: 2 * index + 1,
      to: 2 * index + 2,
      call: { name: 'bash', arguments: { command } },
      result: {
        role: 'tool',
        content: output.replace(/^!/, ''),
        isError: output.startsWith('!'),
      },
    })),
    filesChanged,
  ).map(({ text }) => Number(/; worked in e(\d+)/.exec(text)?.[1] ?? 0));

const vitest = {
  failed:
    '! FAIL  test/a.test.ts > logs in\nAssertionError: expected 401 to be 200\n Test Files  1 failed (1)\n      Tests  1 failed (1)',
  passed: ' Test Files  12 passed (12)\n      Tests  80 passed (80)',
  script:
    '\n> shop@1.0.0 test\n> vitest run\n\n Test Files  12 passed (12)\n      Tests  80 passed (80)',
};
/** What a script prints that runs commands, of which one fails. */
const script = (...commands: readonly string[]): string =>
  `!> shop@1.0.0 test\n${commands.map((one) => (/^[\n>]/.test(one) ? one : `> ${one}`)).join('\n')}\n\nFAIL test/a.test.ts`;

const cargo = {
  failed: '!test parses ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored',
  passed: 'test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
};
const go = { failed: '!--- FAIL: TestB (0.00s)\nFAIL', passed: 'ok  \tshop/auth\t0.02s' };
const eslint = "!src/a.ts\n  4:2  error  'x' is never used  no-unused-vars";
const pytest = {
  failed: '!FAILED tests/a.py::test_b - KeyError: 1\n=== 1 failed in 0.10s ===',
  passed: '=== 9 passed in 0.40s ===',
};

test.each<[failed: string, output: string, later: string, passes: string]>([
  ['npx vitest run test/a.test.ts', vitest.failed, 'npx vitest run', vitest.passed],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm test', vitest.script],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm test 2>&1 | tail -8', vitest.passed],
  [
    'npx vitest run test/a.test.ts',
    vitest.failed,
    'npm test | grep -E "passed|failed"',
    vitest.passed,
  ],
  ['npx vitest run ./test/a.test.ts -t in', vitest.failed, 'CI=1 vitest run test/', vitest.passed],
  ['cd app && npx vitest run test/a.test.ts', vitest.failed, 'cd app && npm test', vitest.script],
  ['npm test -- test/a.test.ts', vitest.failed, 'npm run test', vitest.passed],
  ['cargo test parses', cargo.failed, 'cargo test', cargo.passed],
  ['cargo test -p core parses', cargo.failed, 'cargo test -p core 2>&1 | tail -3', cargo.passed],
  ['pytest tests/a.py::test_b -x', pytest.failed, 'python -m pytest -q tests', pytest.passed],
  ['uv run pytest -k b', pytest.failed, 'uv run pytest', pytest.passed],
  [
    'go test ./auth -run TestA',
    '!--- FAIL: TestA (0.00s)\nFAIL',
    'go test ./...',
    'ok  \tshop/auth\t0.02s',
  ],
  ['node --test a.test.js', '!# fail 1', 'npm test', '# pass 3\n# fail 0'],
  // What shows all of an output, and a wider name.
  ['npx vitest run -t "logs in"', vitest.failed, 'npx vitest run -t logs | head -9', vitest.passed],
  ['go test ./auth -run "TestA|TestB"', go.failed, 'go test ./auth -run Test', go.passed],
  ['go test ./auth -run TestB', go.failed, 'go test ./... -run "TestA|TestB"', go.passed],
  // A chain that runs it, too, and the one of a chain that failed.
  ['npm run lint', eslint, 'npm run lint && npm test 2>&1 | tail -20', vitest.script],
  ['npm run lint && npm test', eslint, 'npm run build && npm run lint && npm test', vitest.script],
  ['make fmt && make lint', eslint, 'make lint', ''],
  ['cargo fmt --all && cargo clippy', eslint, 'cargo clippy', ''],
  ['npm run lint', eslint, 'npm run lint | tail -5', '0 errors'],
  ['make lint | grep unused', eslint, 'make lint', ''],
  // A script and the program that it prints, and what is a part of another.
  ['npx eslint src/a.ts', eslint, 'npx eslint src', ''],
  ['npx eslint src', eslint, 'npm run lint', '> shop@1.0.0 lint\n> eslint src'],
  [
    'go build ./auth',
    '!auth/a.go:4:2: undefined: x',
    'make test',
    `[test] $ go test ./...\n${go.passed}`,
  ],
  ['go build ./...', '!auth/a.go:4:2: undefined: x', 'go test ./...', go.passed],
  ['mise run lint:js', eslint, 'mise run lint', '[lint:js] $ eslint src\n[lint:css] $ stylelint'],
  // A script that failed, and all that it prints; or what counted failures.
  ['npm test', script('rimraf out', 'vitest run'), 'npm test', vitest.script],
  ['npm test', script('vitest run'), 'npx vitest run', vitest.passed],
  ['npm test', script('ls out && vitest run'), 'npx vitest run', vitest.passed],
  [
    'npm test',
    script('npm run unit', '\n> shop@1.0.0 unit', 'vitest run'),
    'vitest run',
    vitest.passed,
  ],
  ['npm test', vitest.failed, 'npx vitest run', vitest.passed],
])('%s (%j) works once %s passes', (...row) => {
  const [failed, output, later, passes] = row;
  expect(cured([failed, output], ['ls src', 'a.ts'], [later, passes])).toEqual([6]);
});

test.each<[failed: string, output: string, later: string, passes: string]>([
  // Another folder, another package, another runner.
  ['npx vitest run test/a.test.ts', vitest.failed, 'cd app && npm test', vitest.script],
  ['cd a && npx vitest run test/a.test.ts', vitest.failed, 'cd ../b && npm test', vitest.script],
  ['cargo test -p core parses', cargo.failed, 'cargo test -p cli', cargo.passed],
  ['cargo test parses', cargo.failed, 'cargo test -p cli', cargo.passed],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm --prefix app test', vitest.script],
  ['npx vitest run test/a.test.ts', vitest.failed, 'pnpm --filter app test', vitest.script],
  ['pytest tests/a.py', pytest.failed, 'npm test', vitest.script],
  ['npx jest test/a.test.ts', vitest.failed, 'npm test', vitest.script],
  ['go test ./auth', '!FAIL', 'go test', 'ok  \tshop\t0.02s'],
  // What does not run the test that failed.
  ['npx vitest run test/a.test.ts', vitest.failed, 'npx vitest run test/b.test.ts', vitest.passed],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npx vitest run -t out', vitest.passed],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm run test:unit', vitest.passed],
  [
    'npx vitest run test/a.test.ts',
    vitest.failed,
    'npm test',
    vitest.script.replace('run', 'run test/unit'),
  ],
  [
    'npx vitest run test/a.test.ts',
    vitest.failed,
    'npm test',
    vitest.script.replace('vitest run', 'node run.js'),
  ],
  ['npx vitest run --config e2e.ts a.test.ts', vitest.failed, 'npm test', vitest.script],
  ['pytest -m slow', pytest.failed, 'pytest', pytest.passed],
  ['pytest tests/a.py', pytest.failed, 'pytest --ignore tests/a.py', pytest.passed],
  ['pytest tests/ab.py', pytest.failed, 'pytest tests/a', pytest.passed],
  ['npx vitest run', vitest.failed, 'npx vitest run test/b.test.ts', vitest.passed],
  // What does not say that all of it passed.
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm test', 'ok'],
  [
    'npx vitest run test/a.test.ts',
    vitest.failed,
    'npm test | tail -3',
    '      Tests  80 passed (80)',
  ],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm test | head -2', vitest.passed],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm test | grep passed', vitest.passed],
  ['npx vitest run test/a.test.ts', vitest.failed, 'npm test | tail', `${vitest.passed}\nerror: 1`],
  // What may have failed for another reason.
  ['npm run build && npx vitest run a.test.ts', vitest.failed, 'npx vitest run', vitest.passed],
  // Not the whole of it.
  ['npm run lint && npm test', eslint, 'npm run lint', ''],
  ['npm run lint', eslint, 'npm run lint:css', ''],
  ['npx eslint src', eslint, 'npx eslint src/a.ts', ''],
  ['go build ./...', '!a.go:4:2: undefined: x', 'go test ./auth', go.passed],
  ['go test ./...', go.failed, 'go build ./...', ''],
  ['go test ./auth -run TestA', go.failed, 'go test ./auth -run "TestAb|TestB"', go.passed],
  ['go test ./auth -run TestA', go.failed, 'go test ./auth -run "TestA$"', go.passed],
  ['go test -tags=e2e ./auth', go.failed, 'go test ./...', go.passed],
  ['make lint', eslint, 'make test', `[test] $ go test ./…\n${go.passed}`],
  // A part of what a script that failed runs.
  ['npm test', script('tsc && vitest run'), 'npx tsc', ''],
  ['npm run check', script('eslint src', 'vitest run'), 'npx eslint src', ''],
  ['npm test', script('vitest run && node e2e.js'), 'npx vitest run', vitest.passed],
  ['npm test', script('vitest run', 'node e2e.js --all --wi…'), 'npx vitest run', vitest.passed],
  ['npm test', `!${vitest.passed}\nTimeoutError: page`, 'npx vitest run', vitest.passed],
  // What hides how it ended.
  ['npx eslint src', eslint, 'npm run lint', '> shop@1.0.0 lint\n> eslint src || true'],
  ['npm run lint', eslint, 'npm run lint; echo done', ''],
  ['npm run lint', eslint, 'npm run lint && npm test || true', vitest.script],
  ['npm run lint', eslint, 'npm run lint:css || npm run lint && npm test', vitest.script],
  ['npm run build', eslint, 'npm run build; npm run lint', ''],
  ['npm run build', eslint, 'npm run build | head -3; npm run lint', '0 errors'],
  ['npm run build && npm run lint', eslint, 'npm run lint & npm run build', ''],
  ['npx vitest run -t "logs in"', vitest.failed, 'npx vitest run -t logs | head -2', vitest.passed],
  // Another folder.
  ['cd app && make lint && make test', eslint, 'make lint && make test && make e2e', ''],
])('%s (%j) may fail still after %s (%j)', (...row) => {
  const [failed, output, later, passes] = row;
  expect(cured([failed, output], [later, passes])[0]).toBe(0);
});

test('a shell that stays in the folder that it went to is in another place', () => {
  const [failed, passed] = [
    ['npx vitest run test/a.test.ts', vitest.failed],
    ['npm test', vitest.script],
  ] as const;
  expect(cured(failed, ['cd packages/b', ''], passed)).toEqual([0]);
  expect(cured(failed, ['cd packages/b', ''], ['cd ..', ''], passed)).toEqual([0]);
  expect(
    cured(['cd /shop && npx vitest run a', vitest.failed], ['cd /shop && npm test', vitest.script]),
  ).toEqual([4]);
});

test.each<[failed: string, later: string, output: string]>([
  ['cd api && npm test', 'cd web && npm test', vitest.script],
  ['cd /r/api; npm test', 'cd /r/web; npm test', vitest.script],
  ['npm test -w api', 'npm test -w web', vitest.script],
  ['npm test', 'npm test | head -1', '> app@1.0.0 test'],
  ['npm test', 'npm test | grep "✓"', ' ✓ test/a.test.ts (1 test) 9ms'],
  ['npm test', 'npm test || true', ''],
  ['npm run lint', 'npm run lint | wc -l', '40'],
])('%s is not run again by %s', (failed, later, output) => {
  expect(cured([failed, vitest.failed], [later, output])[0]).toBe(0);
});

test.each<[failed: string, later: string, output: string]>([
  ['cd api && npm test', 'cd api && npm test', ''],
  ['cd api && npm test', 'npm test', vitest.script],
  ['npm test 2>&1 | tail -5', 'npm test 2>&1 | tail -5', vitest.passed],
  ['npm test -w api', 'npm test -w api', vitest.script],
])('%s is run again by %s', (failed, later, output) => {
  expect(cured([failed, vitest.failed], [later, output])).toEqual([4]);
});
