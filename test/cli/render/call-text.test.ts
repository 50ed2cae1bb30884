import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src/index.ts';
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
  const { oldText, newText } = edit;
  expect(
    callText({ name: 'edit', arguments: { newText, oldText, path: 'a.ts', all: false } }),
  ).toBe(`edit a.ts\n  all: false\n${told}`);
  const each = told.replaceAll('  ', '    ');
  expect(callText({ name: 'edit', arguments: { path: 'a.ts', edits: [edit, edit] } })).toBe(
    `edit a.ts\n  edits 1:\n${each}\n  edits 2:\n${each}`,
  );
});

test('a list, and what is in an argument, is told by its parts; very deep ones as JSON', () => {
  const todos = [
    { content: 'Read', status: 'done' },
    { content: 'Write', status: 'open' },
  ];
  expect(callText({ name: 'plan', arguments: { todos, by: { tool: 'cli', tags: ['a'] } } })).toBe(
    `plan
  todos 1:
    content: Read
    status: done
  todos 2:
    content: Write
    status: open
  by:
    tool: cli
    tags: ["a"]`,
  );
  let deep: ToolCall['arguments'] = {};
  for (let n = 0; n < 100; n += 1) deep = { deep };
  expect(callText({ name: 'plan', arguments: deep }).split('\n')).toHaveLength(6);
});

test('an argument that stands alone tells most, and what is not the first line is indented', () => {
  expect(callText({ name: 'Skill', arguments: { skill: 'review' } })).toBe('Skill review');
  expect(callText({ name: 'bash', arguments: { command: 'cat <<E\nhello\nE' } })).toBe(
    'bash cat <<E\n    hello\n    E',
  );
  expect(callText({ name: 'apply_patch', arguments: '*** Begin\n+one' })).toBe(
    'apply_patch *** Begin\n    +one',
  );
});

test('arguments that are no object stand as they came', () => {
  expect(callText({ name: 'bash', arguments: '{"command": "npm' })).toBe('bash {"command": "npm');
  expect(callText({ name: 'frame_status', arguments: {} })).toBe('frame_status');
});
