import { expect, test } from 'vitest';
import { shownLine, shownValue } from '../../../src/cli/paper/shown.ts';
import { widthOf } from '../../../src/cli/paper/width.ts';

test.each([
  ['a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['a\u{e0041}\u200b\u202e\u00a0\ud800', 'a\\u{e0041}\\u{200b}\\u{202e}\\u{a0}\\u{d800}'],
  [
    '\u2800\u3164\uffa0\u{1d159}\u{13441}\u{16fe4}\ufffc\u0378',
    '\\u{2800}\\u{3164}\\u{ffa0}\\u{1d159}\\u{13441}\\u{16fe4}\\u{fffc}\\u{378}',
  ],
  [`a${' '.repeat(41)}b`, 'a [41 spaces] b'],
])('what cannot be seen has a name: %j', (text, shown) => {
  expect(shownLine(text)).toBe(shown);
});

test('a text in a value goes on behind another sign than the value', () => {
  const value = { a: 'x\n"b": 1', 'c\n': '\n\n', d: String.raw`\n`, e: [] };
  expect(shownValue(value, 80)).toEqual([
    '  | {',
    String.raw`  |   "a": "x\n`,
    String.raw`  : \"b\": 1",`,
    String.raw`  |   "c\n`,
    String.raw`  : ": "\n\n`,
    '  : ",',
    String.raw`  |   "d": "\\n",`,
    '  |   "e": []',
    '  | }',
  ]);
});

test.each(['a', '漢', 'e\u0301', '\u202e', 'x\n', '\n', ' ', '"', '\\'])(
  'both ends of a million times %j are shown, within the width',
  (unit) => {
    const lines = shownValue({ first: unit.repeat(1_000_000), last: 'rm -rf x' }, 80);
    expect(lines.length).toBeLessThanOrEqual(61);
    expect(lines.slice(0, 2).join('\n')).toMatch(/^ {2}\| \{\n {2}\| {3}"first": "/);
    expect(lines.slice(-2)).toEqual(['  |   "last": "rm -rf x"', '  | }']);
    expect(lines.filter((line) => line.startsWith('  [more, of '))).toHaveLength(1);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
  },
);
