import { expect, test } from 'vitest';
import { isLongRunning } from '../../../src/core/commands/long-running.ts';

const bash = (command: string) => ({ id: 'c1', name: 'bash', arguments: { command } });

test.each([
  'npm ci',
  'cd app && pnpm install --frozen-lockfile',
  'npm run build:prod',
  'yarn test',
  'pip install -r requirements.txt',
  'cargo build --release',
  'go test ./...',
  'mix deps.get && mix test',
  'python -m pytest -q',
  'docker compose build web',
  'terraform plan',
  'python scripts/train_model.py --epochs 3',
  'sleep 120',
])('what installs, builds, tests, trains or waits runs long: %s', (command) => {
  expect(isLongRunning(bash(command), null)).toBe(true);
});

test.each([
  'ls -la',
  'git status',
  'cat package.json',
  'sleep 2',
  'npm ls',
  'make -v',
  'grep -r test src',
])('what looks does not: %s', (command) => {
  expect(isLongRunning(bash(command), null)).toBe(false);
});

test('a sub-agent runs long; patterns that are told take the place of the usual ones', () => {
  expect(isLongRunning({ id: 'c1', name: 'Task', arguments: { prompt: 'look' } }, null)).toBe(true);
  expect(isLongRunning(bash('npm ci'), ['^deploy'])).toBe(false);
  expect(isLongRunning({ id: 'c1', name: 'Deploy', arguments: {} }, ['^deploy'])).toBe(true);
});
