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
  ['NOTES', 'notes'],
  ['Notes-', 'notes-app'],
])('%s means %s', (said, id) => {
  expect(pickSession(sessions, said).id).toBe(id);
});

test.each([
  ['@4', 'There is no session @4; the store has only 3'],
  ['@0', 'There is no session @0; the store has only 3'],
  ['x', 'There is no session "x"'],
  ['@a', /There is no session "@a"$/],
  ['n', '"n" begins 2 ids: notes-app, notes'],
  ['N', '"N" begins 2 ids: notes-app, notes'],
  ['plamning', 'There is no session "plamning"; near it: @3 planning'],
  ['plamming', /There is no session "plamming"$/],
])('%s means none: %s', (said, message) => {
  expect(() => pickSession(sessions, said)).toThrow(message);
});

test('titles that begin alike are told by the words in which they differ', () => {
  const begun = 'Implement the following plan for the release: ';
  const titled = ['Filter what is read', 'Sort what is read', 'Sort'.repeat(20)].map(
    (rest, at) => ({ id: `s${at}`, title: begun + rest }),
  );
  expect(() => pickSession(titled, 'implement plan')).toThrow(
    'The words of "implement plan" are in 3 titles: @1 Implement the f… Filter what is read, @2 Implement the f… Sort what is read, @3 Implement the f… SortSortSortSortSortSortSortSo…',
  );
});

test('an empty store has no latest session', () => {
  expect(() => pickSession([])).toThrow('the store has no session');
});

test('ls cuts a long id to what names it alone on a terminal, and to nothing in a pipe', async () => {
  const store = await folder();
  const ids = ['a-session-with-a-long-name', 'a-session-with-another-name'];
  for (const id of ids)
    await flamestack(`import ${await scriptFile()} --id ${id} --store ${store}`);
  const { out } = await flamestack(`ls --store ${store} --no-color`, { isTTY: true, columns: 60 });
  expect(out).toMatch(/ a-session-with-an\n.* a-session-with-a-\n$/);
  for (const id of ids) expect((await flamestack(`ls --store ${store}`)).out).toContain(` ${id}\n`);
});
