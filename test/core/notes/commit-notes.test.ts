import { expect, test } from 'vitest';
import { commitNotes } from '../../../src/core/notes/commit-notes.ts';
import type { HostNote } from '../../../src/core/notes/host-note.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';

interface Answer {
  readonly said?: string;
  readonly isError?: boolean;
}

/** The commits and pull requests of a call and its answer. */
const notesOf = (
  name: string,
  given: ToolCall['arguments'],
  { said = 'ok', isError }: Answer = {},
): readonly HostNote[] =>
  commitNotes({ name, arguments: given }, { role: 'tool', content: said, isError });

test.each([
  ['git commit -F- <<EOF\nPiped\nEOF', ['Piped']],
  ['git commit --file - <<EOF\nPiped\nEOF', ['Piped']],
  ['git commit --file=- <<EOF\nPiped\nEOF', ['Piped']],
  ['git commit --message "Fix it"', ['Fix it']],
  ['git commit -m"Fix it"', ['Fix it']],
  ['git commit -vsm "Fix it"', ['Fix it']],
  ['GIT_EDITOR=true git commit -m "Fix it"', ['Fix it']],
  ['git --git-dir .git --work-tree . commit -m "Fix it"', ['Fix it']],
  ['git --no-pager commit -m "Fix it"', ['Fix it']],
  ['git commit -m "$MESSAGE" -m "Fix it"', ['Fix it']],
  ['git commit -m "${MESSAGE}" -m "Fix $it"', ['Fix $it']],
  ['git commit -m "Fix it\n\nSigned-off-by: X <x@y.z>\nGenerated with [A Tool](b)"', ['Fix it']],
  ['git commit -m "Fix it\n\nAssisted-by: A Model with A Tool"', ['Fix it']],
  [`git commit -m "${'x'.repeat(50)}\nand more"`, [`${'x'.repeat(50)} and more`]],
  [`git commit -m "${'x'.repeat(49)}\nand more"`, ['x'.repeat(49), 'and more']],
  [`git commit -m "${'x'.repeat(50)}\nAnd more"`, ['x'.repeat(50), 'And more']],
])('the message of %j is told, however it is given', (command, lines) => {
  expect(notesOf('Bash', { command })).toEqual([{ kind: 'commit', lines }]);
});

test.each([
  'git commit -F notes.txt',
  'git commit -m',
  'git push -m "Fix it"',
  'git -C commit -m "Fix it"',
  'hub commit -m "Fix it"',
  'gh pr view --title "Fix it"',
  'gh pr create --body "Fix it"',
])('%j tells neither a commit nor a request', (command) => {
  expect(notesOf('bash', { command })).toEqual([]);
});

test.each([
  ['no changes added to commit', []],
  ['error: pathspec', []],
  ['husky: failed', []],
  ['pre-commit: failed', []],
  ['exit code: 1', []],
  ['exited with code 2', []],
  ['"exit_code": 3', []],
  ['exit code 0', ['Fix it']],
  ['it had an error: none', ['Fix it']],
  ['[main 1a2b3c4] Other\nfatal: no', []],
  ['[main 1a2b3c4] Fix it\nfatal: no', ['Fix it (1a2b3c4)']],
  ['see [main 1a2b3c4] Fix it\nfatal: no', []],
])('an answer of %j tells of a commit %j', (said, lines) => {
  const notes = notesOf('bash', { command: 'git commit -m "Fix it"' }, { said });
  expect(notes.flatMap((note) => note.lines)).toEqual(lines);
});

test('a pull request that a tool of a forge opened is told with what it says', () => {
  const said = '{"url":"https://git.acme.org/team/shop/-/merge_requests/7"}';
  const open = (name: string, given: ToolCall['arguments'], answer: Answer = { said }) =>
    notesOf(name, given, answer).flatMap(({ kind, lines }) => [kind, ...lines]);
  const address = 'https://git.acme.org/team/shop/-/merge_requests/7';
  const told = ['pull request', 'Add search', address, 'Why'];
  const given = { title: 'Add search', body: 'Why' };
  expect(open('mcp__github__create_pull_request', given)).toEqual(told);
  expect(open('create_pull_request', given)).toEqual(told);
  expect(open('create_pull_request', { title: "$'" })).toEqual([]);
  expect(open('create_pull_request', { title: 'Add search', body: 4 })).toEqual([
    'pull request',
    'Add search',
    address,
  ]);
  expect(open('create_pull_request', given, { said: 'ok' })).toEqual([
    'pull request',
    'Add search',
    'Why',
  ]);
  expect(open('recreate_pull_request', given)).toEqual([]);
  expect(open('create_pull_request_review', given)).toEqual([]);
  expect(open('create_pull_request', { title: ' ', body: 'Why' })).toEqual([]);
  expect(open('create_pull_request', { body: 'Why' })).toEqual([]);
  expect(open('create_pull_request', given, { said, isError: true })).toEqual([]);
});
