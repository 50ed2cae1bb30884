import { expect, test } from 'vitest';
import { hasFailed } from '../../../src/core/outcomes/failures.ts';
import { printedIn } from '../../../src/core/outcomes/printed.ts';

const codex = (command: string, exit: number, output: string): string =>
  `Command: /bin/zsh -lc '${command}'\nChunk ID: 1a2b3c\nWall time: 0.0000 seconds\nProcess exited with code ${exit}\nOriginal token count: 9\nOutput:\n${output}`;

test.each([
  ['nothing', 'b1\n', null, 'b1'],
  ['a number', 'Exit code 1\nno tea', 1, 'no tea'],
  ['a number alone', 'Exit code: 12', 12, ''],
  ['the time', 'Script completed\nWall time 0.1 seconds\nOutput:\n\n{}', null, '{}'],
  [
    'a command within a script',
    'Script completed\nWall time 0.1 seconds\nOutput:\n\nProcess exited with code 101\nOutput:\nno tea',
    101,
    'no tea',
  ],
  ['the command', codex('shop path', 0, '/srv/shop\n'), 0, '/srv/shop'],
  ['a command of several lines', codex('shop <<E\nExit code: 7\nE', 1, 'no tea'), 1, 'no tea'],
  ['the time behind it', 'b1\n\n\nWall time: 0.32 seconds', null, 'b1'],
  [
    'the time behind it, and that it was cut',
    'b1\n\n\nWall time: 0.32 seconds\n\n[Some lines truncated to 768 chars]',
    null,
    'b1',
  ],
  ['the number behind it', 'b1\n<shellId: 3 completed with exit code 0>', null, 'b1'],
  [
    'that the command goes on',
    'b1\n<command with shellId: 7 is still running after 5 seconds. Use stop_bash to stop it.>',
    null,
    'b1',
  ],
  [
    'where all of it is',
    '<persisted-output>\nOutput too large (122.6KB). Full output saved to: /tmp/a.txt\n\nPreview (first 2KB):\nb1',
    null,
    'b1',
  ],
  [
    'how a command in the background ended',
    '<status>failed</status>\n\n<exit_code>2</exit_code>\n\n<stdout>\nb1\n</stdout>\n\n<timestamp>2026-03-02T09:17:00Z</timestamp>',
    2,
    'b1',
  ],
  [
    'how a task ended',
    '<retrieval_status>success</retrieval_status>\n\n<task_id>b7</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\nb1\n</output>',
    0,
    'b1',
  ],
])('a host that says %s around an output', (_, result, ...told) => {
  const { exit, text } = printedIn(result);
  expect([exit, text]).toEqual(told);
});

test('an output may speak of what hosts say', () => {
  const text = 'b1\nWall time: 0.32 seconds\nProcess exited with code 1\nb2';
  expect(printedIn(text)).toEqual({ exit: null, status: '', text });
  expect(printedIn('Command: brew tea\nb1').text).toBe('Command: brew tea\nb1');
});

test('a number that is not 0 says that it failed, and 0 that it did not, whatever it printed', () => {
  const failed = (content: string): boolean => hasFailed({ role: 'tool', content });
  expect(failed(codex('which shop', 1, ''))).toBe(true);
  expect(failed(codex('rg error', 0, 'error: a word in a file'))).toBe(false);
  expect(failed('error: a word in a file')).toBe(true);
});
