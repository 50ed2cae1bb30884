import { expect, test } from 'vitest';
import type { ComparableMessage } from '../../../src/core/host-history/comparable-message.ts';
import { movedMessages } from '../../../src/core/host-history/moved-messages.ts';

// A capital letter is what a person said, which may be said twice; a small one is what a host
// inserted, which is certain. `5:A` has index 5 in the list; the log counts from e11.

const message = (hash: string): ComparableMessage => {
  const human = hash !== hash.toLowerCase();
  return { hash, key: hash, role: 'user', human, call: '', head: hash, size: 1 };
};

const words = (text: string): readonly string[] => text.split(' ').filter(Boolean);

const moved = (log: string, list: string, lastCommon: number): string =>
  movedMessages({
    log: words(log).map((word, at) => ({ ...message(word), n: at + 11 })),
    list: words(list).map((word) => {
      const [index, hash] = word.split(':');
      return [Number(index), message(hash!)] as const;
    }),
    lastCommon,
  })
    .map(([index, n]) => `${index}:e${n}`)
    .join(' ');

test.each([
  ['nothing is alike', 'A B', '5:C', 9, ''],
  ['one before the last anchor', 'A B', '0:A', 1, '0:e11'],
  ['one at the last anchor', 'A B', '1:A', 1, ''],
  ['one without any anchor', 'A B', '0:A', -1, ''],
  ['one that is certain', 'A b', '5:b', -1, '5:e12'],
  ['two in a row', 'A B C', '5:A 6:B', -1, ''],
  ['two in a row, of which one is certain', 'A b C', '5:A 6:b', -1, '5:e11 6:e12'],
  ['two in a row around the last anchor', 'A B C', '0:A 1:B', 1, '0:e11'],
  ['three in a row', 'A B C D', '5:A 6:B 7:C', -1, '5:e11 6:e12 7:e13'],
  ['three, but one in the list between', 'A B C D', '5:A 7:B 8:C', -1, ''],
  ['three, but one in the log between', 'A X B C', '5:A 6:B 7:C', -1, ''],
  ['three, but inserted text between', 'A x B C', '5:A 6:B 7:C', -1, '5:e11 6:e13 7:e14'],
  ['three, but much inserted between', 'A x y B C', '5:A 6:B 7:C', -1, '5:e11 6:e14 7:e15'],
  ['inserted text, then some of a person', 'A x X B C', '5:A 6:B 7:C', -1, ''],
  ['all three in another order', 'A B C', '5:C 6:B 7:A', -1, '5:e13 6:e12 7:e11'],
  ['all two in another order', 'A B', '5:B 6:A', -1, ''],
  ['three of four in another order', 'A B C D', '5:C 6:B 7:A', -1, ''],
  ['three in another order and a new one', 'A B C', '5:C 6:B 7:A 8:X', -1, ''],
  ['the one after the last match of two alike', 'A B A C', '5:B 6:A 7:C', -1, '5:e12 6:e13 7:e14'],
  ['the first of two alike, where none is next', 'X A Y A', '0:A', 1, '0:e12'],
  ['the first, where it is next', 'A X A', '0:A', 1, '0:e11'],
  ['one entry for two messages', 'A', '0:A 1:A', 9, '0:e11'],
  ['two entries for two messages', 'A X A', '0:A 1:A', 9, '0:e11 1:e13'],
  ['runs, each by itself', 'A C B x', '0:A 5:B 6:x', 1, '0:e11 5:e13 6:e14'],
  ['runs that go back', 'A x B', '5:B 6:A 7:x', -1, '5:e13 6:e11 7:e12'],
  ['a run and one that stays unknown', 'A C b D', '5:A 6:b', -1, '6:e13'],
])('%s: %s beside %s', (...[, log, list, lastCommon, expected]) => {
  expect(moved(log, list, lastCommon)).toBe(expected);
});
