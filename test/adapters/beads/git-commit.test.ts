import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commentMade, commitsMade } from '../../../src/adapters/beads/git-commit.ts';
import { draws } from '../../draws.ts';

const line = '[main a1b2c3d] Add bracket tokenizer';
const output = `${line}\n 1 file changed, 2 insertions(+)\n`;
const made = { hash: 'a1b2c3d', subject: 'Add bracket tokenizer' };

const commits = [
  'git commit -m "x"',
  'git commit',
  'cd sub && git commit -am x',
  'cd sub; git add . ; git commit -m x',
  'git add -A\ngit commit -m x',
  'false || git commit -m x',
  '(cd sub && git commit -m x)',
  '{ git commit -m x; }',
  'git -C dir commit -m x',
  'git -c user.name="A B" -c k=v commit -m x',
  'git --git-dir=.git --work-tree . --no-pager commit -m x',
  'git --git-dir .git commit',
  'GIT_AUTHOR_DATE="2026-01-01 10:00" A=b git commit -m x',
  'env A=b git commit -m x',
  '/usr/bin/git commit -m x',
  'sudo -E git commit -m x',
  'timeout 30 git commit -m x',
  'if git commit -m x; then echo ok; fi',
  '! git commit -m x',
  'time git commit -m x',
  'git commit -n -m x',
  'git commit -nm x',
  'git commit --no-verify -m x',
  'git commit -m "--dry-run"',
  'git commit -m --dry-run',
  'git commit -am -z',
  'git commit --message --porcelain',
  'git commit -F - <<< "x --dry-run"',
  'git commit --dry-run --no-dry-run',
  'git commit -- --dry-run',
  'git commit -uno -Szh -m x',
  'git commit --amend --no-edit 2>&1 | tail -3',
  'git commit -m x >/dev/null; git log',
  'git commit -m "$(cat <<\'EOF\'\nIt\'s "done"\n\nBody (with bracket\nEOF\n)"',
  "git commit -F - <<'EOF'\nIt's done\nEOF",
  'cat <<EOF > a\ngit\nEOF\ngit commit -m x',
  "cat <<-\tEOF\n\tit's\n\tEOF\ngit commit -m x",
  'echo "$(git commit -m x)"',
  'out=$(git commit -m x 2>&1)',
  'echo `git commit -m x`',
  "bash -c 'git add . && git commit -m x'",
  'bash -lc "git commit -m \\"x\\""',
  'eval "git commit -m x"',
  'git \\\n  commit \\\n  -m x',
  '\'git\' "commit" -m x',
  'g"i"t com\\mit',
  '# first\ngit commit -m x # then',
  'git commit -m "fix #12; done"',
  'for f in a b; do git commit -m $f; done',
  'echo $((1 << (2 + 3)))\ngit commit -m x',
  'echo "$(cat <<EOF\nx\nEOF)"; git commit -m x',
  'diff <(git status) b; git commit -m x',
];

const others = [
  '',
  'git status',
  'echo git commit',
  'echo "git commit -m x"',
  "echo 'a; git commit -m x'",
  'echo a \\; git commit',
  '# git commit -m x',
  'ls # ; git commit -m x',
  "cat <<'EOF'\ngit commit -m x\nEOF",
  'cat <<EOF > notes\ngit commit -m x\nEOF\nls',
  'cat <<< "git commit"',
  'cat <<A <<B\nA\ngit commit\nB\n',
  'git commit --dry-run -m x',
  'git commit --dry -m x',
  'git commit -am x --dry-run',
  'git commit --short',
  'git commit --porcelain',
  'git commit -z',
  'git commit --help',
  'git commit-tree abc',
  'git commit-graph write',
  'git config alias.ci commit',
  'git ci -m x',
  'git log --grep commit',
  'git help commit',
  'git stash push -m commit',
  'git -C commit status',
  'git -c commit=1 status',
  'gitx commit',
  'mygit commit -m x',
  'grep "git commit" -r .',
  'grep git > commit',
  'git > commit status',
  "printf '%s\\n' 'git commit'",
  'git rebase --continue',
  '"git commit" -m x',
  'x="git commit -m x"',
  'bash script.sh -c',
];

test.each(commits)('%j makes a commit', (command) => {
  expect(commitsMade(command, output)).toEqual([made]);
});

test.each(others)('%j makes none', (command) => {
  expect(commitsMade(command, output)).toEqual([]);
});

test.each([
  ['[main a1b2c3d] Subject', 'Subject'],
  ['[main (root-commit) a1b2c3d] Subject', 'Subject'],
  ['[detached HEAD a1b2c3d] Subject', 'Subject'],
  ['[feature/a-b.c a1b2c3d] [WIP] a ] b', '[WIP] a ] b'],
  ['hook says hello\r\n[main a1b2c3d] Subject\r\n 1 file changed', 'Subject'],
])('%j is git telling of a commit', (said, subject) => {
  expect(commitsMade('git commit', said)).toEqual([{ hash: 'a1b2c3d', subject }]);
});

test.each([
  '',
  'nothing to commit, working tree clean',
  'On branch main\nChanges not staged for commit:',
  'a [main a1b2c3d] Subject',
  '[main] Subject',
  '[main abc] Subject',
  '[main a1b2c3g] Subject',
  '[two words a1b2c3d] Subject',
  '[INFO] [main a1b2c3d]',
])('%j tells of none', (said) => {
  expect(commitsMade('git commit', said)).toEqual([]);
});

test('several commits are told in order', () => {
  const said = `[main 1111111] One\n 1 file changed\n[main 2222222] Two\n`;
  const command = 'git commit -m One a && git commit -m Two b';
  expect(commitsMade(command, said).map(({ subject }) => subject)).toEqual(['One', 'Two']);
});

test('what git really prints is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flamestack-commit-'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'trunk');
  writeFileSync(join(folder, 'a'), '1');
  git('add', 'a');
  const outputs = [
    git('commit', '-m', 'First'),
    git('commit', '--allow-empty', '-m', 'Second'),
    git('commit', '--amend', '--allow-empty', '-m', 'Amended'),
  ];
  git('checkout', '-q', '--detach');
  outputs.push(git('commit', '--allow-empty', '-m', 'Detached'));
  const seen = outputs.flatMap((said) => commitsMade('git commit', said));
  expect(seen.map(({ subject }) => subject)).toEqual(['First', 'Second', 'Amended', 'Detached']);
  expect(git('rev-parse', 'HEAD')).toMatch(new RegExp(`^${seen.at(-1)?.hash}`));
  expect(commitsMade('git commit -q', git('commit', '-q', '--allow-empty', '-m', 'Q'))).toEqual([]);
});

/** Parts of a line, with whether a commit is in them. */
const fitting = (texts: readonly string[]): string[] =>
  texts.filter((text) => /^[^\n#]+$/.test(text));
const part: fc.Arbitrary<readonly [string, boolean]> = fc.oneof(
  fc.constantFrom(...fitting(commits)).map((text) => [text, true] as const),
  fc.constantFrom(...fitting(others)).map((text) => [text, false] as const),
);
const joint = fc.constantFrom(' && ', '; ', ' || ', '\n', ' | ', ' & ', ' ;\n');
const wrap = fc.constantFrom<readonly [(text: string) => string, boolean]>(
  [(text) => text, true],
  [(text) => `(${text})`, true],
  [(text) => `{ ${text}; }`, true],
  [(text) => `x=$(${text}\n)`, true],
  [(text) => `echo "a $(${text}\n) b"`, true],
  [(text) => `bash -c '${text.replaceAll("'", `'\\''`)}'`, true],
  [(text) => `echo '${text.replaceAll("'", `'\\''`)}'`, false],
  [(text) => `cat <<'THE END'\n${text}\nTHE END`, false],
  [(text) => `cat <<'END' > it\n${text}\nEND\n`, false],
);

test('a line of parts makes a commit where a part that is run does', () => {
  const pieces = fc.array(fc.tuple(part, wrap, joint), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(pieces, (all) => {
      let command = '';
      let expected = false;
      for (const [[text, isCommit], [wrapped, isRun], join] of all) {
        // A here-document ends with a line of its own.
        command += `${wrapped(text)}${wrapped('').startsWith('cat') ? '\n' : join}`;
        expected ||= isCommit && isRun;
      }
      expect(commitsMade(command, output).length > 0).toBe(expected);
    }),
    { numRuns: draws(2_000) },
  );
});

test('any text is read, in time that grows with its length', () => {
  const bit = fc.constantFrom(
    ...'git commit -m $( ) ` \' " \\ <<EOF \n ; | & # (( {'.split(' '),
    ' ',
  );
  fc.assert(
    fc.property(fc.array(bit, { maxLength: 60 }), (bits) => {
      commitsMade(bits.join(''), output);
      commentMade(bits.join(' '));
    }),
    { numRuns: draws(2_000) },
  );
  for (const text of ['(', '`', '$(', '"$(', '<<A\n', '"`', "$'", '<(', '\\']) {
    const begun = performance.now();
    commitsMade(text.repeat(100_000), output);
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
});

test.each([
  ['br comments add br-a1b "Checkpoint: done"', 'br-a1b'],
  ['cd x && br --json comments add br-a1b text', 'br-a1b'],
  ['br comments add --message=x br-a1b', 'br-a1b'],
  ['br comments add --message "a b" br-a1b', 'br-a1b'],
  ['br --actor me comments add br-a1b -- -x', 'br-a1b'],
  ["br comments add br-a1b \"$(cat <<'EOF'\nDone: it's in\nEOF\n)\"", 'br-a1b'],
  ['bd comment bd-12.3 text', 'bd-12.3'],
  ['bd comments add bd-12 -f notes.md', 'bd-12'],
  ['br comments add br-1 x; br comments add br-2 y', 'br-2'],
])('%j writes a comment to %s', (command, id) => {
  expect(commentMade(command)).toBe(id);
});

test.each([
  '',
  'br comments br-a1b',
  'br comments list br-a1b',
  'bd comments bd-1',
  'br comment br-a1b text',
  'br comments add --help',
  'br comments add br-a1b --help',
  'br comments add "$ID" text',
  'echo "br comments add br-a1b x"',
  "cat <<'EOF'\nbr comments add br-a1b x\nEOF",
  'br show br-a1b',
  'brew comments add br-a1b x',
])('%j writes none', (command) => {
  expect(commentMade(command)).toBeNull();
});
