import { expect, test } from 'vitest';
import { isLook } from '../../../src/core/commands/looking.ts';

const run = (command: string): boolean => isLook({ id: 'a', name: 'bash', arguments: { command } });

test.each([
  'ls -la | head -n 3',
  'git log --oneline 2>/dev/null',
  'git -C /shop status',
  'git config --local --list',
  'gh pr view 12 --json body',
  'kubectl get pods 2>&1 | grep pool',
  'node --version',
  'for p in a b; do git show $p; done',
  'sed -n 1,9p pool.ts',
  'find . -name pool.ts',
  'find . -name pool.ts | xargs -n 1 grep size',
  'env | grep POOL',
  'command -v psql',
])('%s only looks around', (command) => expect(run(command)).toBe(true));

test.each([
  'npm test',
  'git commit -m "show it"',
  'git config user.name Ada',
  'git remote add fork pool',
  'sed -i s/a/b/ pool.ts',
  'find . -name pool.ts -delete',
  'echo a > pool.ts',
  'ls && rm pool.ts',
  'for p in a b; do git checkout $p; done',
  'gh pr create --title list',
  'find . -name pool.ts | xargs -0 rm',
  'env CI=1 npm publish',
  'command rm -r pools',
])('%s does something', (command) => expect(run(command)).toBe(false));

test.each([
  ['Read', true],
  ['Grep', true],
  ['WebFetch', true],
  ['mcp__the-list__get_issue', true],
  ['TodoWrite', true],
  ['Write', false],
  ['Edit', false],
  ['Task', false],
  ['mcp__the-list__create_issue', false],
])('the tool %s only looks around: %s', (name, is) => {
  expect(isLook({ id: 'a', name, arguments: { path: 'a.ts' } })).toBe(is);
});
