import { expect, test } from 'vitest';
import { full } from '../../../src/cli/paper/glyph.ts';
import { table } from '../../../src/cli/paper/table.ts';

const columns = [
  { title: 'n', align: 'right' },
  { title: 'title', gives: true },
  { title: 'id' },
] as const;
const rows = [
  ['7', '日本語の題', 'a'],
  ['1,000', 'é', 'b'],
  ['12', 'Fix the login form', ''],
];
const endless = { longest: Number.POSITIVE_INFINITY, glyphs: full };

test('cells stand under their titles, whatever their characters take', () => {
  expect(table(columns, rows, endless)).toEqual([
    '    n  title               id',
    '    7  日本語の題          a',
    '1,000  é                   b',
    '   12  Fix the login form',
  ]);
});

test('one column gives way where lines are too long', () => {
  expect(table(columns, rows, { ...endless, longest: 21 })).toEqual([
    '    n  title       id',
    '    7  日本語の題  a',
    '1,000  é           b',
    '   12  Fix the l…',
  ]);
});

test('a table without rows has its titles, and one without columns no line', () => {
  expect(table(columns, [], endless)).toEqual(['n  title  id']);
  expect(table([], [], endless)).toEqual([]);
});
