import { expect, test } from 'vitest';
import { pickSession } from '../../../src/cli/sessions/pick.ts';
import type { SessionSummary } from '../../../src/index.ts';
import { flamestack, folder, scriptFile } from '../call.ts';

const sessions: readonly SessionSummary[] = ['notes-app', 'notes', 'planning'].map((id) => ({
  id,
  created: 0,
  updated: 0,
  began: 0,
  said: 0,
  turns: 1,
  tokens: 1,
  window: 8_192,
  pending: 0,
}));

test.each([
  [undefined, 'notes-app'],
  ['@1', 'notes-app'],
  ['@3', 'planning'],
  ['notes', 'notes'],
  ['notes-', 'notes-app'],
  ['p', 'planning'],
])('%s means %s', (said, id) => {
  expect(pickSession(sessions, said).id).toBe(id);
});

test.each([
  ['@4', 'There is no session @4; the store has only 3'],
  ['@0', 'There is no session @0; the store has only 3'],
  ['x', 'There is no session "x"'],
  ['n', '"n" begins 2 ids: notes-app, notes'],
])('%s means none: %s', (said, message) => {
  expect(() => pickSession(sessions, said)).toThrow(message);
});

test('an empty store has no latest session', () => {
  expect(() => pickSession([])).toThrow('the store has no session');
});

test('ls leaves columns out where it is narrow, and never cuts an id', async () => {
  const store = await folder();
  const id = 'a-session-with-a-long-name-of-its-own';
  await flamestack(`import ${await scriptFile()} --id ${id} --store ${store}`);
  const { out } = await flamestack(`ls --store ${store} --no-color`, { isTTY: true, columns: 50 });
  expect(out).toMatch(/^ +session +used\n@1 {2}a-session-with-a-long-name-of-its-own +now\n$/);
});
