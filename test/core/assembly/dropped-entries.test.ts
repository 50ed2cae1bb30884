import { expect, test } from 'vitest';
import type { OutMessage } from '../../../src/core/assembly/assembly.ts';
import { droppedEntries } from '../../../src/core/assembly/dropped-entries.ts';
import { entryId } from '../../../src/core/values/id.ts';

/** A system prompt of 10 tokens, what people said of 5, and entries e3, e4, … of these. */
const messagesOf = (...tokens: readonly number[]): readonly OutMessage[] =>
  [
    { role: 'system', content: '', kind: 'made', section: 'system', tokens: 10 },
    {
      role: 'user',
      content: '',
      kind: 'made',
      section: 'human',
      tokens: 5,
      entries: ['e2', 'e1', 'e2'],
    },
    ...tokens.map((n, index) => ({
      role: 'user',
      content: '',
      kind: 'entry',
      section: 'working',
      tokens: n,
      entry: entryId(index + 3),
    })),
  ] as readonly OutMessage[];

const dropped = (reported: number, ratio = 1, overhead = 0): string =>
  droppedEntries(messagesOf(20, 30, 40), { ratio, overhead }, reported)
    .map(({ from, to }) => `${from}–${to}`)
    .join(' ');

test.each([
  ['all of it', 105, ''],
  ['one token less', 104, 'e1–e2'],
  ['all entries', 100, 'e1–e2'],
  ['one token less than these', 99, 'e1–e3'],
  ['two entries', 80, 'e1–e3'],
  ['one token less than two', 79, 'e1–e4'],
  ['one entry', 50, 'e1–e4'],
  ['less than the newest, which stays', 12, 'e1–e4'],
])('of a server that counted %s', (_, reported, entries) => {
  expect(dropped(reported)).toBe(entries);
});

test('a count is read without its overhead, in the ratio of the server', () => {
  expect([dropped(167, 2, 7), dropped(166, 2, 7)]).toEqual(['e1–e3', 'e1–e4']);
  expect([dropped(40, 0.5, 0), dropped(39, 0.5, 0)]).toEqual(['e1–e3', 'e1–e4']);
});

test('a system prompt counts wherever it stands, and nothing is dropped of nothing', () => {
  const [system, human, ...entries] = messagesOf(20, 30);
  const given = [human!, system!, ...entries];
  expect(droppedEntries(given, { ratio: 1, overhead: 0 }, 40)).toEqual([{ from: 'e1', to: 'e3' }]);
  expect(droppedEntries([], { ratio: 1, overhead: 0 }, 0)).toEqual([]);
});

test('entries are told as runs, in their order', () => {
  const [system, , late, early, last] = messagesOf(20, 30, 40);
  const given = [system!, { ...late!, entry: entryId(12) }, early!, last!] as readonly OutMessage[];
  expect(droppedEntries(given, { ratio: 1, overhead: 0 }, 50)).toEqual([
    { from: 'e4', to: 'e4' },
    { from: 'e12', to: 'e12' },
  ]);
});
