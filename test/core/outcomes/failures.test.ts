import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesChanged } from '../../../src/core/file-events/edits.ts';
import type { Exchange } from '../../../src/core/outcomes/exchanges.ts';
import { failuresIn, hasFailed } from '../../../src/core/outcomes/failures.ts';
import { describeFailure, failureIn } from '../../../src/core/outcomes/failure-text.ts';
import { bareCommand, callLabel, shortCall } from '../../../src/core/outcomes/call-label.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

type Said = readonly (readonly [command: string, output: string])[];

/** Calls of a shell with their results, the first as e2; those that begin with `!` failed. */
const outcomes = (...said: Said): Exchange[] =>
  said.map(([command, output], index) => ({
    n: 2 * index + 1,
    to: 2 * index + 2,
    call: { name: 'bash', arguments: { command } },
    result: {
      role: 'tool',
      content: output.replace(/^!/, ''),
      isError: output.startsWith('!'),
    },
  }));

const failuresOf = (exchanges: readonly Exchange[]) => failuresIn(exchanges, filesChanged);

const told = (...said: Said): readonly string[] =>
  failuresOf(outcomes(...said)).map(({ n, to, text }) => `e${n}–e${to} ${text}`);

test('a failure tells the line that says why, and what worked at last', () => {
  expect(
    told(
      ['npm test', '!> app@1.0.0 test\nFAIL test/auth.test.ts\nExpected 401, received 200'],
      ['cat a.ts', 'ok'],
      ['npm test', 'all pass'],
    ),
  ).toEqual([
    'e2–e2 `npm test` failed: FAIL test/auth.test.ts Expected 401, received 200; worked in e6',
  ]);
});

test('a path is told whole, since nobody can open a part of it', () => {
  const path = `/home/dev/${'packages/'.repeat(12)}server/src/limits.ts`;
  const read = (file: string): string => callLabel({ name: 'read', arguments: { path: file } });
  expect(read(path)).toBe(path);
  expect(read(`/${'a'.repeat(300)}`)).toHaveLength(200);
  expect(read(`${path} ${path}`)).toHaveLength(64);
});

test('a search that finds nothing did not fail, unless it says why', () => {
  expect(told(['rg -n "a" src; ls lib 2>/dev/null', '!12: const a'], ['grep b a.ts', '!'])).toEqual(
    [],
  );
  expect(told(['grep -rn a src 2>&1', '!12: const a'])).toEqual([]);
  expect(told(['cat a.ts', '!sh: 1: cannot open a.ts: No such file']), 'no such file').toEqual([]);
  expect(told(['rg "(" src', '!regex parse error: unclosed group'])).toHaveLength(1);
  for (const says of ['/bin/bash: line 1: rg: command not found', '/bin/sh: 1: rg: not found'])
    expect(told(['rg a src', `!${says}`]), says).toHaveLength(1);
  expect(told(['ls lib && make', '!12: const a'])).toHaveLength(1);
});

test('what cured a failure is told: the last command before it worked that did more than look', () => {
  const [failed, works] = [
    ['vp test', "!Error: Cannot find package 'jose'"],
    ['vp test', 'ok'],
  ] as const;
  const cured = (...between: Said): string | undefined =>
    told(failed, ...between, works)[0]!.split('; worked ')[1];
  expect(cured(['pnpm install --lockfile-only', 'ok'], ['pnpm install', 'ok'])).toBe(
    'in e8 after `pnpm install`',
  );
  expect(cured(['cd app && pnpm install 2>&1 | tail', 'ok'], ['git status --short', 'ok'])).toBe(
    'in e8 after `pnpm install`',
  );
  expect(cured(['git stash pop', 'ok'])).toBe('in e6 after `git stash pop`');
  expect(cured(['pnpm add "a;b" -D', 'ok'])).toBe('in e6 after `pnpm add "a,b" -D`');
  for (const looks of [
    'ls -la src',
    'npx tsx --eval "1"',
    'pnpm run lint',
    'pnpm install --dry-run',
  ])
    expect(cured([looks, 'ok'])).toBe('in e6');
  expect(cured(['pnpm install', '!no network'])).toBe('in e6');
  expect(told(['pnpm install', 'ok'], failed, works)[0]).toMatch(/; worked in e6$/);
});

test('files that were changed before a call worked are told, where they are few and why it failed names none', () => {
  const edit = (path: string): Exchange['call'] => ({
    name: 'edit',
    arguments: { path, old_string: 'a = 1', new_string: 'a = 2' },
  });
  const cured = (why: string, ...paths: readonly string[]): string => {
    const [failed, works] = outcomes(['make', `!${why}`], ['make', 'ok']);
    const edits = paths.map((path, index): Exchange => {
      const n = 3 + 2 * index;
      const result = { role: 'tool', content: 'ok', isError: path === 'bad.ts' } as const;
      return { n, to: n + 1, call: edit(path), result };
    });
    const last = { ...works!, n: 50, to: 51 };
    return failuresOf([failed!, ...edits, last])[0]!.text.split('; worked ')[1]!;
  };
  expect(cured('no rule', 'src/a.ts')).toBe('in e51 after changing src/a.ts');
  expect(cured('no rule', 'src/a.ts', 'src/a.ts', 'b.ts', 'bad.ts')).toBe(
    'in e51 after changing src/a.ts and b.ts',
  );
  expect(cured('no rule', 'a.ts', 'b.ts', 'c.ts')).toBe('in e51');
  expect(cured('src/a.ts: no rule', '/app/src/a.ts')).toBe('in e51');
  expect(cured('no rule', '/tmp/note.md')).toBe('in e51');
  // What the reason names is not left out beside another file, and is told of many.
  expect(cured('src/a.ts: no rule', 'src/a.ts', 'b.ts')).toBe(
    'in e51 after changing src/a.ts and b.ts',
  );
  expect(cured('src/a.ts:3:9 no rule', 'data.ts', 'src/a.ts', 'c.ts')).toBe(
    'in e51 after changing src/a.ts',
  );
  expect(cured('FAIL src/a.ts no rule', 'src/a.ts', 'b.ts', 'c.ts')).toBe('in e51');
});

test('a call that fails several times in a row is told once', () => {
  expect(
    told(
      ['npm test', '!Error: port 3000 in use'],
      ['npm test', '!Error: port 3000 in use'],
      ['npm test 2>&1 | tail -5', '!Error: 2 tests timed out'],
    ),
  ).toEqual(['e2–e6 `npm test` failed 3 times: Error: port 3000 in use; then 2 tests timed out']);
  expect(told(['make', '!fatal: 2 of 3'], ['make', '!fatal: 1 of 3'])).toEqual([
    'e2–e4 `make` failed 2 times: fatal: 1 of 3',
  ]);
});

test('a check that says it failed did, whatever its pipe ended with, and works once it says so', () => {
  expect(
    told(
      ['pytest -q tests | tail -3', 'FAILED tests/a.py::test_b - KeyError: 1\n1 failed, 2 passed'],
      ['pytest -q tests | tail -3', '1 failed, 2 passed'],
      ['pytest -q tests | tail -3', '3 passed in 0.1s'],
    ),
  ).toEqual([
    'e2–e4 `pytest -q tests` failed 2 times: FAILED tests/a.py::test_b - KeyError: 1; then 1 failed, 2 passed; worked in e6',
  ]);
});

test('where more ran than can be told, a failure stands under the check that ran', () => {
  const long = (test: string) => `cp config/settings.example.json config/settings.json && ${test}`;
  expect(
    told(
      [long('npm run build && ls dist'), '!Error: no entry'],
      [
        `mkdir -p app; rm -rf coverage dist .cache .turbo/cache node_modules/.vite; npm run build`,
        'ok',
      ],
    ),
  ).toEqual(['e2–e2 `npm run build` failed: Error: no entry; worked in e4']);
  expect(told([long('npm run build && npm test'), '!Error: no entry'])[0]).toContain('`cp config');
  expect(told(['ls src && npm run build', '!Error: no entry'])[0]).toContain('`ls src && npm');
});

test('a check that failed for a reason is worth as much when it works again', () => {
  const value = (command: string) =>
    failuresOf(outcomes([command, '!fatal: no disk'], [command, 'ok']))[0]!.value;
  expect([value('npm test'), value('shop sync')]).toEqual([1.3, 1]);
});

test('a check that did not pass again is worth as much as another call, and one of a tool that there is not little', () => {
  const value = (command: string, output: string) =>
    failuresOf(outcomes([command, `!${output}`]))[0]!.value;
  expect(value('npm test', 'fatal: no disk')).toBe(1.6);
  expect(value('shop sync', 'fatal: no disk')).toBe(1.6);
  for (const answer of [
    'There is no such tool.',
    'Error: No such tool available: fetch',
    'Unknown tool: fetch',
    "Tool 'fetch' not found",
  ])
    expect(value('fetch', answer)).toBe(0.3);
  expect(value('shop sync', 'Error: no tool calls were answered')).toBe(1.6);
  expect(value('npm test', 'There is no such tool.')).toBe(1.6);
});

test('two checks whose results say no more than that they failed have no reason in common', () => {
  const failures = failuresOf(outcomes(['npm test', '!FAIL'], ['npm run lint', '!FAIL']));
  expect(failures.map(({ value }) => value)).toEqual([1.6, 1.6]);
});

test('what a pipe hides did not work', () => {
  expect(
    told(['shop plan', '!error: no --event'], ['shop plan | head', 'shop plan: ci.yml\nError: \n']),
  ).toEqual(['e2–e2 `shop plan` failed: error: no --event']);
});

test.each([
  ['/home/al/.local/bin/shop plan 2>&1 | head -n 100', 'shop plan'],
  ['LOG=all /usr/bin/shop ls', 'LOG=all shop ls'],
  ['~/.cargo/bin/shop ls | tail -5 | grep tea', 'shop ls | grep tea'],
  ['/work/.venv/bin/python -m shop', '/work/.venv/bin/python -m shop'],
  ['cat a.md | headings', 'cat a.md | headings'],
])('%j is told as %j', (command, told) =>
  expect(callLabel({ name: 'bash', arguments: { command } })).toBe(told),
);

test('what a host did not run, or a person broke off, did not fail', () => {
  expect(
    told([
      'make',
      '!<tool_use_error>Cancelled: parallel tool call Bash(npm test) errored</tool_use_error>',
    ]),
  ).toEqual([]);
  expect(told(['make', '!<tool_use_error>Sibling tool call errored</tool_use_error>'])).toEqual([]);
  expect(told(['a.ts', '!<tool_use_error>InputValidationError: Read failed:'])).toEqual([]);
  expect(told(['b7', '!<tool_use_error>Task b7 is not running (status: done)'])).toEqual([]);
  expect(told(['make', '!Skipped due to queued user message. Retry it.'])).toEqual([]);
  expect(told(['make', '![Request interrupted by user for tool use]'])).toEqual([]);
});

test.each([
  ['gh api x', 'Script completed\nWall time 0.4 seconds\nOutput:\n\ngh: Parent is in a thread\n{}'],
  ['kubectl get pods', 'kubectl: no such context: shop'],
  ['powershell x', "shop : The term 'shop' is not recognized as a name.\nAt line:1 char:2\n+ shop"],
  [
    'powershell y',
    "<persisted-output>\nOutput too large (122.6KB). Full output saved to: C:\\a.txt\n\nPreview (first 2KB):\nshop : The term 'shop' is not recognized as a name.\nAt line:1 char:2",
  ],
  [
    'git push | tail',
    'To shop\n ! [remote rejected] v2 -> v2 (not a commit)\nerror: failed to push some refs',
  ],
])('%s says itself that it failed', (command, output) => {
  const [line = ''] = told([command, output]);
  expect(line).toMatch(
    /failed: (?:gh: Parent is|kubectl: no|shop : The term|! \[remote rejected\] v2)/,
  );
});

test('a reason that another call had before is worth half', () => {
  const [first, second] = failuresOf(
    outcomes(['make a', '!fatal: no disk'], ['make b', '!fatal: no disk']),
  );
  expect(second!.value).toBe(first!.value / 2);
  const [bare, other] = failuresOf(outcomes(['make a', '!'], ['make b', '!']));
  expect(other!.value).toBe(bare!.value);
});

test('calls made at once are told in the order in which their results came', () => {
  const [first, second] = outcomes(['make', '!Error: no rule'], ['make', '!Error: no rule']);
  const [early, late] = [{ ...first!, to: 9 }, second!];
  expect(failuresOf([early, late])).toMatchObject([{ n: 4, to: 9 }]);
});

test('one that fails again after it worked is another', () => {
  expect(
    told(['make', '!Error: no rule'], ['make', 'ok'], ['make', '!Error: no disk']).length,
  ).toBe(2);
});

test('what was never cured tells more than what the next attempt mended', () => {
  const [cured, left] = failuresOf(
    outcomes(['a', '!Error: no such file'], ['a', 'ok'], ['b', '!Error: it broke']),
  );
  expect(left!.value).toBeGreaterThan(cured!.value);
});

test.each([
  `node -e "open('./a.js')"`,
  `npx tsx -e 'load()'`,
  `python3 -c "import app"`,
  `cd app && python3 - <<'E'\nimport app\nE`,
  `node --eval "open()"`,
])('a script that was written for one run tells little where it failed: %s', (command) => {
  const [once, left] = failuresOf(
    outcomes([command, '!Error: no such file'], ['b', '!Error: it broke']),
  );
  expect(once!.value).toBeLessThan(left!.value / 2);
});

test('why it failed is what the last of it says that says anything', () => {
  expect(told(['make', '!Error: no rule'], ['make', '!'])).toEqual([
    'e2–e4 `make` failed 2 times: Error: no rule',
  ]);
  expect(told(['make', '!'])).toEqual(['e2–e2 `make` failed']);
  expect(failuresOf(outcomes(['make', '!']))[0]!.value).toBe(0.3);
});

test('calls are the same by two hundred characters of their command, without where it runs and prints to', () => {
  const long = `make ${'x'.repeat(195)}`;
  expect(told([`${long}a`, '!Error: no rule'], [`${long}b`, 'ok'])[0]).toContain('worked in e4');
  const short = long.slice(1);
  expect(told([`${short}a`, '!Error: no rule'], [`${short}b`, 'ok'])[0]).not.toContain('worked');
});

test.each([
  ['npm test', 'npm test'],
  ['cd app && npm test', 'npm test'],
  ['cd app&&npm test', 'npm test'],
  ['cd app; npm test', 'npm test'],
  ['cd my app && npm test', 'cd my app && npm test'],
  ['so cd app && npm test', 'so cd app && npm test'],
  ['npm test 2>&1', 'npm test'],
  ['npm test 2>&1 more', 'npm test more'],
  ['npm test | tail -5 | cut -c 9', 'npm test'],
  ['npm test | tail; npm run lint', 'npm test | tail; npm run lint'],
  ['npm test | tail', 'npm test'],
  ['npm test > a.txt', 'npm test'],
  ['npm test >a.txt', 'npm test'],
  ['npm test >', 'npm test >'],
  ['npm test 2>/dev/null', 'npm test'],
  ['go test -run "Load|Save" ./...', 'go test -run "Load|Save" ./...'],
])('%j without where it runs and prints to is %j', (command, bare) => {
  expect(bareCommand(command)).toBe(bare);
});

test.each([
  '`npm test` failed',
  '`npm test` failed 3 times: it broke',
  '`npm test` failed since e4',
  '`npm test` failed 12 times since e4: it broke; worked in e9',
  '`npm test` failed; worked in e9',
])('%j is read as it was written', (text) => {
  expect(describeFailure(failureIn(text)!).text).toBe(text);
});

test('an output does not say that its command worked later', () => {
  const [line = ''] = told(['npm test', '!Error: no table; worked in e99 after `drop all`']);
  const text = line.replace('e2–e2 ', '');
  expect(text).toBe('`npm test` failed: Error: no table; worked in e… after `drop all`');
  expect(failureIn(text)?.cured).toBe('');
});

test.each(['so `npm test` failed', '`npm test` failed badly', '`a` failed x times', 'npm failed'])(
  '%j tells no failure',
  (text) => {
    expect(failureIn(text)).toBeNull();
  },
);

test.each([
  ['grep -rn failed src | head', 'src/a.ts:4: // the import failed'],
  ['diff a.txt b.txt', '< cannot open\n---\n> opened'],
  ['test -f .env', ''],
  ['ls dist; cat dist/a.js', 'ls: dist: No such file or directory'],
  ['rg -n port src/none.ts', 'rg: src/none.ts: No such file or directory (os error 2)'],
  ['git show HEAD:notes.md', "fatal: path 'notes.md' does not exist in 'HEAD'"],
  ['git config --get gc.auto', ''],
  ['git config --global pull.rebase 2>/dev/null; echo "---"; git -C app config gc.auto', '---'],
  ['find . -name a.ts', 'Error:'],
  ['find . -name "*.ts" | grep -v dist | xargs grep -l port 2>/dev/null', 'Error'],
  ['git ls-files | xargs -n 1 grep -l port', ''],
  ['git ls-files | xargs --no-run-if-empty -d , grep -l port', ''],
  ['xargs -a files.txt grep -l port', ''],
  ['git config -f .gitmodules submodule.tea.url', ''],
  ['git config --file=.gitmodules submodule.tea.url', ''],
  ['find /srv -name a.ts', 'find: /srv/keys: Permission denied\n/srv/app/a.ts'],
  ['grep -rn port /srv', '/srv/a.ts:4: port\ngrep: /srv/keys: Permission denied\nexit code 2'],
  ['git -C app diff --exit-code', '+ throw new Error("failed")'],
  ["sed -n '1,9p' none.ts", "sed: can't read none.ts: No such file or directory"],
])('%s that finds nothing, or a difference, is no failure', (command, output) => {
  expect(told([command, `!${output}`])).toEqual([]);
});

test.each([
  ['cat > types/a.ts <<E\nx\nE', 'sh: types/a.ts: No such file or directory'],
  ['sed -i s/a/b/ none.ts', "sed: can't read none.ts: No such file or directory"],
  ["find . -name 'a*' -delete", 'find: ./a: No such file or directory'],
  ['cp a.txt b/', 'cp: b/: No such file or directory'],
  ['cat a.txt && shop sync', 'cat: a.txt: No such file or directory'],
  ["grep '[' a.txt", 'grep: Unmatched [, invalid regular expression'],
  ['cat key.pem', 'cat: key.pem: Permission denied'],
  ['find /srv -name a.ts', 'find: /srv/keys: Permission denied\nExit code 1'],
  ['find /srv -nam a.ts', 'find: unknown predicate `-nam`'],
  ['git config --unset gc.auto', ''],
  ['git config gc.auto 0', ''],
  ['git config --edit', ''],
  ['npm test', 'Error:'],
  ['git ls-files | xargs eslint', 'Error:'],
  ['grep -l port src | xargs sed -i s/a/b/', 'Error:'],
  ["git ls-files | xargs grep '['", 'grep: Unmatched [, invalid regular expression'],
  ['xargs -a files.txt rm', 'rm: a.ts: Permission denied'],
  ['git config -f .gitmodules submodule.tea.url tea', ''],
  ['rg -n port src', 'zsh: command not found: rg'],
  ['git config user.name', 'error: could not lock config file: Permission denied'],
  ['git status', 'fatal: unable to read 4be1'],
])('%s that could not is one', (command, output) => {
  expect(told([command, `!${output}`])).toHaveLength(1);
});

test.each([
  [{ name: 'Read', arguments: { file_path: 'a.ts' } }, 'File does not exist.', 0],
  [
    { name: 'list_dir', arguments: { path: 'src/none' } },
    'Error: ENOENT: no such file or directory',
    0,
  ],
  [
    { name: 'mcp__fs__read_file', arguments: { path: 'a' } },
    'EISDIR: illegal operation on a directory, read',
    0,
  ],
  [
    { name: 'Read', arguments: { file_path: 'a.ts' } },
    'Error: the file is too large to read, failed',
    1,
  ],
  [{ name: 'read_issue', arguments: { id: 'bd-9' } }, 'Error: issue bd-9 not found', 1],
  [
    { name: 'Write', arguments: { file_path: 'a/b.ts', content: 'x' } },
    'Error: ENOENT: no such file a/b.ts',
    1,
  ],
  [
    { name: 'run_script', arguments: { path: 'tools/a.sh' } },
    'Error: tools/a.sh does not exist',
    1,
  ],
])('%j that fails with %j', (call, content, failures) => {
  const result = { role: 'tool', content, isError: true } as const;
  const exchange = { n: 1, to: 2, call, result };
  expect(failuresOf([exchange])).toHaveLength(failures);
});

test('what was broken off did not fail', () => {
  expect(told(['npm test', '!Command aborted'])).toEqual([]);
});

test('an edit that did not find its place is no failure of the work', () => {
  const call = { name: 'Edit', arguments: { file_path: 'a.ts', old_string: 'x' } };
  const said = (content: string): Exchange[] => [
    { n: 1, to: 2, call, result: { role: 'tool', content, isError: true } },
  ];
  expect(failuresOf(said('String to replace not found in file.'))).toEqual([]);
  const twice = 'Found 2 matches of the string to replace, but replace_all is false.';
  expect(failuresOf(said(`${twice}\nString: settings.isOpen = true`))).toEqual([]);
  expect(failuresOf(said('File does not exist.'))).toHaveLength(1);
});

test.each([
  ['Exit code 1\nno', true],
  ['Traceback (most recent call last):\n', true],
  ['fatal: not a git repository', true],
  ['  Exit code 4', true],
  ['Exit code 0', false],
  ['so Exit code 1', false],
  ['<tool_use_error>no', true],
  ['Error while reading', true],
  ['Errors: 0', false],
  ['error[E1]', true],
  ['error: no', true],
  ['error TS2339', true],
  ['errors: none', false],
  ['FAIL a.ts', true],
  ['FAILED a.py', true],
  ['FAILING', false],
  ['npm ERR! no', true],
  ['panic: no', true],
  ['sh: command not found', true],
  ['grep: invalid option -- P\nusage: grep [-abc]', true],
  ['so sh: command not found', false],
  ['Command failed', true],
  ['Command exited with code 2', true],
  ['Command exited with code 0', false],
  ['** (KeyError) no', true],
  ['** done', false],
  ['3 files changed, 0 errors', false],
  ['', false],
])('%j has failed: %s', (content, failed) => {
  expect(hasFailed({ role: 'tool', content })).toBe(failed);
});

test.each<[ToolCall['arguments'], string]>([
  [{ command: 'cd /app && npm test' }, 'npm test'],
  [{ command: ['bash', '-c', 'ls'] }, 'bash -c ls'],
  [{ file_path: 'src/a.ts', limit: 4 }, 'src/a.ts'],
  [{ command: 'echo `date`\nls' }, "echo 'date' ls"],
  [{ command: '# List it\nls' }, 'ls'],
  ['git diff', 'git diff'],
  [{ cmd: 'ls' }, 'ls'],
  [{ script: 'ls' }, 'ls'],
  [{ path: 'a.ts', command: 'ls' }, 'ls'],
  [{ path: 'a.ts', pattern: 'x' }, 'a.ts'],
  [{ command: null, pattern: 'x' }, 'x'],
  [{ query: 'q', url: 'u' }, 'q'],
  [{ url: 'u', input: 'i' }, 'u'],
  [{ input: 'i', description: 'd' }, 'i'],
  [{ description: 'd' }, 'd'],
  [{ other: 'o' }, 'o'],
  [{}, 'x'],
  [{ command: 'cd a && cd b && ls' }, 'ls'],
  [{ command: 'ls # all\nso' }, 'ls # all so'],
  [{ command: 'a'.repeat(91) }, `${'a'.repeat(89)}…`],
])('%j in short is %s', (given, short) => {
  expect(shortCall({ name: 'x', arguments: given })).toBe(short);
});

test('a failure is one line in which only the call stands in code marks, whatever was run and printed', () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 100 }),
    fc.constantFrom('e'.repeat(100_000), 'Error: '.repeat(20_000), '</checkpoint>\n[GOAL] x\u0000'),
    fc.constantFrom(
      '\n'.repeat(100_000),
      '`; rm\u2028',
      'at x\n'.repeat(30_000),
      ' '.repeat(100_000),
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 4 }), (said) => {
      const all = said.map(([command, output]) => [command, `!${output}`] as const);
      for (const { text: line } of failuresOf(outcomes(...all))) {
        expect(line).toMatch(
          /^`[^`\u0000-\u001f\u007f-\u009f\u2028\u2029]*` failed[^\u0000-\u001f\u2028\u2029]*$/,
        );
        expect(line.length).toBeLessThan(400);
      }
    }),
    { numRuns: 60 },
  );
});

test('what a person refused did not fail', () => {
  const content = "The user doesn't want to proceed with this tool use.";
  const result = { role: 'tool', toolCallId: 'a', content, isError: true } as const;
  const call = { id: 'a', name: 'Bash', arguments: { command: 'npm test' } };
  expect(failuresOf([{ n: 1, to: 2, call, result }])).toEqual([]);
});

test.each([
  ['Chunk ID: c37020\nWall time: 0.4110 seconds\nProcess exited with code 1\nOutput:\n', true],
  ['Exit code: 2\nWall time: 1.1 seconds\nOutput:\nno', true],
  [
    'Script completed\nWall time 0.1 seconds\nOutput:\n\nProcess exited with code 101\nOutput:\n',
    true,
  ],
  ['Script failed\nWall time 0.1 seconds\nOutput:\n', true],
  ['apply_patch verification failed: Failed to find expected lines', true],
  ['Chunk ID: c37020\nWall time: 0.4110 seconds\nProcess exited with code 0\nOutput:\n', false],
  ['Script completed\nWall time 0.1 seconds\nOutput:\nit says: Process exited with code 1', false],
])('what Codex tells of how a command ended is read: %j', (content, failed) => {
  expect(hasFailed({ role: 'tool', content })).toBe(failed);
});

test.each([
  { host: 'how long it took', before: '', printed: 'no database at that path' },
  {
    host: 'the command',
    before: 'Command: /bin/zsh -lc "bd ready"\n',
    printed: 'no database at that path',
  },
  { host: 'the command alone', before: 'Command: /bin/zsh -lc "bd ready"\n', printed: '' },
])('why a command failed is what it printed, not $host', ({ before, printed }) => {
  const content = `${before}Chunk ID: c3\nWall time: 0.4110 seconds\nProcess exited with code 1\nOriginal token count: 9\nOutput:\n${printed}`;
  const [failure] = failuresOf([
    {
      n: 1,
      to: 2,
      call: { name: 'exec_command', arguments: { cmd: 'bd ready' } },
      result: { role: 'tool', content },
    },
  ]);
  expect(failure?.text).toBe(`\`bd ready\` failed${printed && `: ${printed}`}`);
});

test('a tool that is called wait, but waits for no command, is told by what it is given', () => {
  const call = { name: 'wait', arguments: { seconds: 5 } };
  expect(shortCall(call)).toBe('5');
});

test('why a command failed is not that the program behind its pipe was misused', () => {
  const [failure] = failuresOf(
    ['!Error: 2 unused names', '!grep: invalid option -- P\nusage: grep [-abc]'].map(
      (said, at) => ({
        n: 2 * at + 1,
        to: 2 * at + 2,
        call: { name: 'bash', arguments: { command: 'npm run lint | grep -P x' } },
        result: { role: 'tool', content: said.slice(1), isError: true },
      }),
    ),
  );
  expect(failure).toMatchObject({ n: 2, to: 2, text: expect.stringContaining('2 unused names') });
});

test('a sub-agent that the host did not start has failed', () => {
  const content = 'collab spawn failed: agent thread limit reached (max 6)';
  expect(hasFailed({ role: 'tool', content })).toBe(true);
});

test('checks that go on have not failed, and those that failed have', () => {
  expect(told(['gh pr checks 4', '!lint\tpass\t7s\ntest\tpending\t0'])).toEqual([]);
  expect(told(['gh pr checks 4', '!lint\tfail\t7s\ntest\tpending\t0'])).not.toEqual([]);
});

test('a long command is told without the variables that are set for it, a short one with them', () => {
  const variables = 'env CACHE=/tmp/shop-cache MODULES=/tmp/shop-modules';
  const long = `${variables} shop sync --all --from warehouse`;
  expect(told([long, '!fatal: no disk'])).toEqual([
    'e2–e2 `shop sync --all --from warehouse` failed: fatal: no disk',
  ]);
  expect(told(['E2E=1 shop sync', '!fatal: no disk'])[0]).toContain('`E2E=1 shop sync`');
});

test('what a file holds is no failure where nobody says that it could not be shown', () => {
  expect(
    told(
      ['cat CHANGELOG.md', 'error: boom'],
      ["sed -n '1,20p' src/err.ts | head -5", 'Error: cannot open'],
      ['git show HEAD:README.md', 'error: boom'],
      ['git show HEAD:notes.md', 'fatal: bad object'],
      ['cat src/none.ts', '!cat: src/none.ts: Permission denied'],
    ).map((line) => line.replace(/ failed.*/, '')),
  ).toEqual(['e8–e8 `git show HEAD:notes.md`', 'e10–e10 `cat src/none.ts`']);
});
