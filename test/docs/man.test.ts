import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { build } from '../cli/pty.ts';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/flamestack.1');
const page = readFileSync(file, 'utf8');

beforeAll(() => build(), 60_000);

test('the man page says what the help says: npm run docs:man', () => {
  const script = join(root, 'scripts/man.mjs');
  expect(page).toBe(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' }));
});

const hasMan = spawnSync('man', ['--version']).status === 0;

test.runIf(hasMan)('it renders without a word of complaint', () => {
  const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-P', 'cat', file], {
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' },
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^NAME\n +flamestack - a long agent session/m);
  expect(stdout).toContain('flamestack config set model llama3.2:3b');
});
