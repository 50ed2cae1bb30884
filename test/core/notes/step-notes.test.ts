import { expect, test } from 'vitest';
import { stepNotes } from '../../../src/core/notes/step-notes.ts';
import type { Message } from '../../../src/core/messages/message.ts';

/** What the steps of a command and its output are told as; '' for none. */
const told = (command: string, content = 'ok', isError = false): string => {
  const result: Message = { role: 'tool', content, isError };
  const notes = stepNotes({ name: 'bash', arguments: { command } }, result);
  return notes.flatMap(({ lines }) => lines).join('|');
};

test.each([
  ['git checkout -b fix/login', 'began branch fix/login'],
  ['git -C app switch --create fix/login main', 'began branch fix/login'],
  ['git push -u origin fix/login', 'pushed fix/login'],
  ['git push', 'pushed'],
  ['git push origin HEAD', 'pushed'],
  ['git push origin > log', 'pushed'],
  ['git tag -a v1.2.0 -m "First"', 'tagged v1.2.0'],
  ['git merge --no-ff fix/login', 'merged fix/login'],
  ['git tag -m First v1.2.0', 'tagged v1.2.0'],
  ['git merge -m Logins fix/login', 'merged fix/login'],
  ['gh pr merge -R ann/shop 104', 'merged pull request 104'],
  ['gh release create --title First v1.2.0', 'released v1.2.0'],
  ['gh pr merge 104 --squash', 'merged pull request 104'],
  ['gh release create v1.2.0 --notes x', 'released v1.2.0'],
  ['cd app && git checkout -b fix/login && git push', 'began branch fix/login; pushed'],
])('%s is told as “%s”', (command, line) => {
  expect(told(command)).toBe(line);
});

test('where something was pushed to is told as the output says', () => {
  const said = 'To github.com:ann/shop\n   1ef554d..21a1ab8  HEAD -> fix/login\n';
  expect(told('git push origin HEAD', said)).toBe('pushed fix/login');
  const fresh = 'remote: ok\n * [new branch]      fix/login -> fix/login\n';
  expect(told('git push -u origin HEAD', fresh)).toBe('pushed fix/login');
});

test.each([
  [
    'uv add "mcp>=1.2" 2>&1 | tail -40',
    ' + anyio==4.9.0\n + mcp==1.28.1',
    'added mcp>=1.2 1.28.1 (uv add)',
  ],
  ['npm i -D vitest left-pad@1.3.0', 'added 2 packages', 'added vitest, left-pad@1.3.0 (npm i)'],
  ['pnpm add @acme/ui', '+ @acme/ui 2.0.1', 'added @acme/ui 2.0.1 (pnpm add)'],
  [
    'cargo add serde --features derive',
    'Adding serde v1.0.2 to dependencies',
    'added serde 1.0.2 (cargo add)',
  ],
  ['sudo apt-get install -y jq', 'jq is already there', 'added jq (apt-get install)'],
  ['dotnet add package Dapper', 'ok', 'added Dapper (dotnet add package)'],
])('%s is told with the version that was taken', (command, said, line) => {
  expect(told(command, said)).toBe(line);
});

test.each([
  'git checkout main',
  'git push --dry-run',
  'git push origin --delete old',
  'git tag -l "v1*"',
  'git merge --abort',
  'gh pr view 104',
  'npm install',
  'npm ci',
  'pip install -r requirements.txt',
  'pip install -e .',
  'go test ./...',
  'echo git push',
])('%s is no step', (command) => {
  expect(told(command)).toBe('');
});

test('what failed is no step', () => {
  expect(told('git push', 'fatal: no upstream', true)).toBe('');
  expect(told('git push', 'error: failed to push some refs\nerror: rejected')).toBe('');
});
