import { expect, test } from 'vitest';
import { callText } from '../../../src/cli/render/call-text.ts';

test('a call is told by its name and what tells most, its other arguments a line each', () => {
  const given = { timeout: 5_000, command: 'npm test', description: 'Run the tests' };
  expect(callText({ name: 'bash', arguments: given })).toBe(
    'bash npm test\n  timeout: 5000\n  description: Run the tests',
  );
  expect(callText({ name: 'write', arguments: { path: 'a.ts', content: 'one\ntwo' } })).toBe(
    'write a.ts\n  content:\n    one\n    two',
  );
});

test('an edit is told as a diff, and so are several in one call', () => {
  const edit = { oldText: 'port = 1', newText: 'port = 2\nhost = 3' };
  const told = '  - port = 1\n  + port = 2\n  + host = 3';
  expect(callText({ name: 'edit', arguments: { path: 'a.ts', ...edit } })).toBe(
    `edit a.ts\n${told}`,
  );
  expect(callText({ name: 'edit', arguments: { path: 'a.ts', edits: [edit, edit] } })).toBe(
    `edit a.ts\n${told}\n${told}`,
  );
});

test('arguments that are no object stand as they came', () => {
  expect(callText({ name: 'bash', arguments: '{"command": "npm' })).toBe('bash {"command": "npm');
  expect(callText({ name: 'frame_status', arguments: {} })).toBe('frame_status');
});
