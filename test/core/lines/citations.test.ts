import { expect, test } from 'vitest';
import { citationsIn, splitCitations } from '../../../src/core/lines/citations.ts';

test('single entries and ranges are cited, in the order of the text', () => {
  expect(citationsIn('e12, e14–e16 and e20 - e18; e3..e5, we40 e0 e7x')).toEqual([
    [12, 12],
    [14, 16],
    [18, 20],
    [3, 5],
  ]);
});

test.each([
  [
    'Uses SQLite (e12, e14–e16).',
    'Uses SQLite',
    [
      [12, 12],
      [14, 16],
    ],
  ],
  [
    'Uses SQLite [e3 and e4]',
    'Uses SQLite',
    [
      [3, 3],
      [4, 4],
    ],
  ],
  [
    'f(x) is slow (e3; e5)',
    'f(x) is slow',
    [
      [3, 3],
      [5, 5],
    ],
  ],
  ['Uses SQLite (see e12)', 'Uses SQLite (see e12)', []],
  ['(e12)', '(e12)', []],
  ['As e12 says', 'As e12 says', []],
  ['(e12) says so', '(e12) says so', []],
])('%s', (line, text, cited) => expect(splitCitations(line)).toEqual({ text, cited }));
