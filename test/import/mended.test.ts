import { expect, test } from 'vitest';
import { openStore, type Store } from '../../src/index.ts';
import { jsonl } from './told.ts';

// A session file with a broken line, that is mended and imported again: nothing is lost, and what came late is told.

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A line of Claude Code; those of one `id` make an answer. */
const record = (n: number, content: string | Block[], id?: string) => {
  const role = id === undefined ? 'user' : 'assistant';
  return {
    type: role,
    uuid: `u${n}`,
    parentUuid: n === 1 ? null : `u${n - 1}`,
    sessionId: 's',
    timestamp: new Date(Date.UTC(2026, 2, 1, 9, 0, n)).toISOString(),
    message: { role, content, ...(id !== undefined && { id }) },
  };
};
const say = (text: string): Block[] => [{ type: 'text', text }];

const lines = [
  record(1, 'Where are the tests?'),
  record(2, say('In test/.'), 'm1'),
  record(3, 'Which of them fails?'),
  record(4, say('None.'), 'm2'),
  record(5, 'Then release it.'),
  record(6, say('It is released.'), 'm3'),
].map((line) => jsonl(line).trim());

const broken = (...places: readonly number[]): readonly string[] =>
  lines.map((line, at) => (places.includes(at + 1) ? line.slice(0, 30) : line));

const take = (store: Store, told: readonly string[]) =>
  store.import([Buffer.from(told.join('\n'))], { format: 'claude-code' });

async function said(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { id, content } of (await store.open('s')).log())
    if (typeof content === 'string') found.push(`${id} ${content}`);
  return found;
}

test('what a mended line says comes last, and where it belongs is told', async () => {
  await using store = await openStore(':memory:');
  expect((await take(store, broken(3, 4))).late).toBeUndefined();
  const { appended, late } = await take(store, lines);
  expect(appended).toBe(2);
  expect(late).toEqual([
    { entry: 'e5', line: 3, after: 'e2', before: 'e3' },
    { entry: 'e6', line: 4, after: 'e5', before: 'e3' },
  ]);
  expect(await said(store)).toEqual([
    'e1 Where are the tests?',
    'e2 In test/.',
    'e3 Then release it.',
    'e4 It is released.',
    'e5 Which of them fails?',
    'e6 None.',
  ]);
  expect((await take(store, lines)).late).toBeUndefined();
});

test('what comes before all others has none that it follows, and what goes on is not late', async () => {
  await using store = await openStore(':memory:');
  await take(store, broken(1).slice(0, 4));
  const { appended, late } = await take(store, lines);
  expect(appended).toBe(3);
  expect(late).toEqual([{ entry: 'e4', line: 1, before: 'e1' }]);
});

test('a line in the middle of an answer is not lost, and is late where somebody spoke since', async () => {
  const answer = [
    record(1, 'Where are the tests?'),
    record(2, say('They are'), 'm1'),
    record(3, say('in a folder:'), 'm1'),
    record(4, say('test/.'), 'm1'),
    record(5, 'Thanks.'),
  ].map((line) => jsonl(line).trim());
  await using store = await openStore(':memory:');
  await take(
    store,
    answer.map((line, at) => (at === 2 ? line.slice(0, 30) : line)),
  );
  const { late } = await take(store, answer);
  expect(await said(store)).toEqual([
    'e1 Where are the tests?',
    'e2 They are\ntest/.',
    'e3 Thanks.',
    'e4 in a folder:',
  ]);
  expect(late).toEqual([{ entry: 'e4', line: 2, after: 'e2', before: 'e3' }]);
  expect((await take(store, answer)).appended).toBe(0);
});
