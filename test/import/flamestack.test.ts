import { expect, test } from 'vitest';
import { flamestack } from '../../src/import/flamestack.ts';
import { jsonl, keysOf, stepsOf, told } from './told.ts';

const header = {
  type: 'flamestack',
  version: 1,
  id: 'notes-app',
  system: 'Be careful.',
  title: 'Notes',
};
const key = expect.stringMatching(/^\d+-[0-9a-f]{12}$/) as string;

test('a session script is a step per line', async () => {
  const message = {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'ls', arguments: {} }],
    meta: { a: 1 },
  };
  const file = jsonl(
    header,
    { type: 'goal', description: 'Ship it' },
    { type: 'append', message, at: 5 },
    { type: 'push', title: 'Auth', criteria: 'works', brief: 'w' },
    { type: 'plan', title: 'Keys', criteria: 'rotate', name: 'keys' },
    { type: 'start', name: 'keys', at: '2026-01-01T00:00:00Z' },
    {
      type: 'pop',
      status: 'completed',
      results: 'r',
      brief: 'b',
      artifacts: ['x'],
      decisions: ['d'],
      drop: true,
    },
    { type: 'pop', status: 'blocked' },
    { type: 'invalidate', name: 'keys', reason: 'moot' },
    { type: 'invalidate', reason: 'moot' },
  );
  expect(await stepsOf(flamestack, file)).toEqual([
    { type: 'session', id: 'notes-app', system: 'Be careful.', title: 'Notes' },
    { type: 'goal', description: 'Ship it', key, line: 2 },
    { type: 'append', message, key, line: 3, at: 5 },
    { type: 'push', title: 'Auth', criteria: 'works', brief: 'w', key, line: 4 },
    { type: 'plan', title: 'Keys', criteria: 'rotate', name: 'keys', key, line: 5 },
    { type: 'start', name: 'keys', key, line: 6, at: Date.UTC(2026, 0) },
    {
      type: 'pop',
      status: 'completed',
      results: 'r',
      brief: 'b',
      artifacts: ['x'],
      decisions: ['d'],
      drop: true,
      key,
      line: 7,
    },
    { type: 'pop', status: 'blocked', key, line: 8 },
    { type: 'invalidate', name: 'keys', reason: 'moot', key, line: 9 },
    { type: 'invalidate', reason: 'moot', key, line: 10 },
  ]);
});

test('a title that is only the id is none', async () => {
  const [step] = await stepsOf(flamestack, jsonl({ ...header, title: header.id }));
  expect(step).not.toHaveProperty('title');
});

test('a bad line is a skip that says what is wrong', async () => {
  const file = jsonl(
    header,
    'oops',
    { type: 'append', message: { role: 'system', content: 'x' } },
    { type: 'append', message: { role: 'user', content: 7 } },
    { type: 'append' },
    { type: 'push', title: 'Auth' },
    { type: 'push', title: ' ', criteria: 'x' },
    { type: 'pop', status: 'done' },
    { type: 'pop', status: 'failed', artifacts: 'x' },
    { type: 'pop', status: 'failed', drop: 1 },
    { type: 'goal', description: 'x', at: 'noon' },
    { type: 'dance' },
    { title: 'x' },
    header,
    { type: 'goal', description: 'still here' },
  );
  expect(await told(flamestack, file)).toEqual([
    'skip 2: not JSON',
    'skip 3: Field "role" of a message cannot be "system"; it takes user, assistant or tool (a system prompt is an option of the session)',
    expect.stringMatching(/^skip 4: Field "content" of a message cannot be 7; it takes a text/),
    'skip 5: Field "message" of a message cannot be undefined',
    'skip 6: has no "criteria"',
    'skip 7: field "title" is not text',
    'skip 8: field "status" is not completed, failed or blocked',
    'skip 9: field "artifacts" is not a list of texts',
    'skip 10: field "drop" is not true or false',
    'skip 11: field "at" is not a time',
    'skip 12: unknown step "dance"',
    'skip 13: has no "type"',
    'skip 14: a second header',
    'goal still here',
  ]);
});

test('a header of another version is a skip, and the lines after it are read', async () => {
  const file = jsonl({ ...header, version: 2 }, { type: 'start', name: 'a' });
  expect(await told(flamestack, file)).toEqual([
    'skip 1: version 2; this reads version 1',
    'start a',
  ]);
});

test('equal lines have keys of their own', async () => {
  const step = { type: 'append', message: { role: 'user', content: 'yes' } };
  const keys = keysOf(await stepsOf(flamestack, jsonl(header, step, step)));
  expect(new Set(keys).size).toBe(2);
});
