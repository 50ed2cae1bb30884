import { expect, test } from 'vitest';
import { printCode, printText } from '../../../src/core/documents/markdown-text.ts';
import { quoted, short } from '../../../src/core/documents/short-text.ts';

test.each([
  ['# a', '\\# a'],
  ['###### a', '\\###### a'],
  ['####### a', '####### a'],
  ['#a', '#a'],
  ['#', '\\#'],
  ['> a', '\\> a'],
  ['| a', '\\| a'],
  ['- a', '\\- a'],
  ['+', '\\+'],
  ['* a', '\\* a'],
  ['-a', '-a'],
  ['---', '\\---'],
  ['* * *', '\\* * *'],
  ['_ _ _', '\\_ _ _'],
  ['--', '--'],
  ['___a', '___a'],
  ['```', '\\```'],
  ['~~~', '\\~~~'],
  ['~~ a', '~~ a'],
  ['===', '\\==='],
  ['==a', '==a'],
  ['[x] a', '\\[x] a'],
  ['[ ] a', '\\[ ] a'],
  ['[] a', '\\[] a'],
  ['[y] a', '[y] a'],
  ['1. a', '1\\. a'],
  ['12) a', '12\\) a'],
  ['1.', '1\\.'],
  ['1.5 a', '1.5 a'],
  ['1234567890. a', '1234567890. a'],
  ['a # b - c', 'a # b - c'],
  ['a 1. b', 'a 1. b'],
  ['1 a', '1 a'],
  ['123456789. a', '123456789\\. a'],
  ['a > b', 'a > b'],
  ['a ---', 'a ---'],
  ['---  ', '\\---  '],
  ['- - -', '\\- - -'],
  ['-----', '\\-----'],
  ['=', '\\='],
  ['==', '\\=='],
  ['==== ', '\\==== '],
  ['a ==', 'a =='],
  ['[X] a', '\\[X] a'],
  ['a [x] b', 'a [x] b'],
  ['``', '``'],
])('an item that says %j is written %j', (text, printed) => {
  expect(printText(text, 'item')).toBe(printed);
});

test.each([
  ['# a', '\\# a'],
  ['#a', '#a'],
  ['```ts', '\\```ts'],
  ['~~~', '\\~~~'],
  ['> a', '\\> a'],
  ['===', '\\==='],
  ['-', '\\-'],
  ['- a', '- a'],
  ['#', '\\#'],
  ['###### a', '\\###### a'],
  ['####### a', '####### a'],
  ['a # b', 'a # b'],
  ['a > b', 'a > b'],
  ['a --', 'a --'],
  ['---  ', '\\---  '],
  ['--- a', '--- a'],
  ['``', '``'],
  ['~~', '~~'],
  ['1. a', '1. a'],
  ['[x] a', '[x] a'],
])('a line that says %j is written %j', (text, printed) => {
  expect(printText(text, 'lines')).toBe(printed);
});

test('a cell begins with anything, and holds no border', () => {
  expect(printText('# a | b', 'cell')).toBe('# a \\| b');
  expect(printText('a | b', 'item')).toBe('a | b');
});

test.each([
  ['a\\*b', 'a\\\\*b'],
  ['a\\b', 'a\\b'],
  ['a\\', 'a\\\\'],
  ['a &amp; b', 'a \\&amp; b'],
  ['a &#1; b', 'a \\&#1; b'],
  ['a & b', 'a & b'],
  ['a <b> c', 'a \\<b> c'],
  ['a </b> <!-- <?x', 'a \\</b> \\<!-- \\<?x'],
  ['a < b', 'a < b'],
  [' a', '&#32;a'],
  ['  a  b', '&#32; a  b'],
  ['\\', '\\\\'],
  ['a\tb\u2028c\ufeffd\ud800e\u0085', 'a&#9;b&#8232;c&#65279;d&#55296;e&#133;'],
  ['a 🦄 b', 'a 🦄 b'],
])('in any place %j is written %j', (text, printed) => {
  for (const position of ['item', 'cell', 'lines'] as const)
    expect(printText(text, position)).toBe(printed);
});

test('breaks are those of the place', () => {
  expect(printText('a\nb', 'item')).toBe('a\\\n  b');
  expect(printText('a\nb', 'cell')).toBe('a<br>b');
  expect(printText('a\nb', 'lines')).toBe('a\nb');
});

test.each([
  ['a b', '`a b`'],
  ['a*b', '`a*b`'],
  ['', ''],
  [' a', '&#32;a'],
  ['a ', 'a '],
  ['a`b', 'a`b'],
  ['a|b', 'a|b'],
  ['a\tb', 'a&#9;b'],
])('%j as code is %j', (text, printed) => {
  expect(printCode(text, 'item')).toBe(printed);
});

test.each([
  ['Rows are kept.', 20, 'Rows are kept'],
  ['Rows are kept:', 20, 'Rows are kept'],
  ['- Rows\nare kept;', 20, 'Rows are kept'],
  ['Rows are kept,', 20, 'Rows are kept'],
  ['Rows are kept!', 20, 'Rows are kept!'],
  ['Rows of ten.', 12, 'Rows of ten'],
  ['Rows are kept in the store', 12, 'Rows are ke…'],
  ['Rows are kept. In the store', 20, 'Rows are kept…'],
  ['Rows are kept; in the store', 20, 'Rows are kept…'],
  ['Rows are kept: in the store', 20, 'Rows are kept…'],
  ['Rows are kept, in the store', 20, 'Rows are kept…'],
  ['Rows are kept — in the store', 20, 'Rows are kept…'],
  ['Rows, and so on in the store', 20, 'Rows, and so on in…'],
])('%j in %i characters is %j', (text, length, told) => {
  expect(short(text, length).replace(' …', '…')).toBe(told);
});

test('a pause at the half of what is told is too early to end there, one behind it is not', () => {
  expect(short('aaaaaaaaaa, bbbbbbbbbbbbb', 20)).toBe('aaaaaaaaaa, bbbbbbb…');
  expect(short('aaaaaaaaaaa, bbbbbbbbbbbbb', 20)).toBe('aaaaaaaaaaa…');
  expect(short('x'.repeat(200))).toHaveLength(200);
  expect(short('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
});

test('what a person said is quoted once', () => {
  expect(quoted('Use “one” store.', 7)).toBe('“Use "one" store” (e7)');
});
