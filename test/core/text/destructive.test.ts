import { expect, test } from 'vitest';
import { isDestructive, toPatterns } from '../../../src/core/text/destructive.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';

const shell = (command: string): ToolCall => ({ name: 'bash', arguments: { command } });

test.each([
  'rm -rf build',
  'cd x && rm -v -r y',
  'rm --recursive --force dist',
  'git reset --hard HEAD~1',
  'git push origin main --force-with-lease',
  'git push -f',
  'git clean -fdx',
  'psql -c "DROP TABLE users"',
  'sqlite3 a.db "delete from notes"',
  'find . -name "*.log" -delete',
  'dd if=/dev/zero of=/dev/sda',
  'npm publish',
])('%s cannot be taken back', (command) => {
  expect(isDestructive(shell(command), null)).toBe(true);
});

test.each([
  'ls -rf',
  'rm notes.txt',
  'npm run format',
  'git push origin main',
  'git status',
  'git reset HEAD a.ts',
  'echo from the drop down table',
  'grep -rf words .',
])('%s can', (command) => {
  expect(isDestructive(shell(command), null)).toBe(false);
});

test('the name of a tool counts, arguments as text too, and keys do not', () => {
  expect(isDestructive({ name: 'delete_file', arguments: { path: 'a.ts' } }, null)).toBe(true);
  expect(isDestructive({ name: 'bash', arguments: 'rm -rf {' }, null)).toBe(true);
  expect(isDestructive({ name: 'list', arguments: { 'rm -rf': false } }, null)).toBe(false);
});

test('patterns take the place of the usual ones, and a list without any finds nothing', () => {
  const call = shell('rm -rf build');
  expect(isDestructive(call, toPatterns(['^BASH rm']))).toBe(true);
  expect(isDestructive(call, toPatterns([/^deploy/]))).toBe(false);
  expect(isDestructive(call, [])).toBe(false);
  expect(toPatterns(null)).toBeNull();
});

test('a hostile call takes no time', () => {
  const flags = '-a '.repeat(100_000);
  expect(isDestructive(shell(`rm ${flags}`), null)).toBe(false);
});
