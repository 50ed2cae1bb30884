import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scans, wideSigns } from '../../../src/tokenizer/split/scan.ts';
import type { Encoding } from '../../../src/tokenizer/tokenizer.ts';
import { asciiText } from '../hostile.ts';
import { cl100k, o200k } from '../vocabularies.ts';
import { draws } from '../../draws.ts';

const encodings: readonly [Encoding, string][] = [
  ['o200k_base', o200k.pattern],
  ['cl100k_base', cl100k.pattern],
];

function scanned(encoding: Encoding, text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = scans[encoding](bytes, start, bytes.length);
    pieces.push(text.slice(start, end));
    if (end === start) break;
    start = end;
  }
  return pieces;
}

test.each(encodings)('%s: the scanner splits ASCII as the pattern does', (encoding, source) => {
  const pattern = new RegExp(source, 'gu');
  fc.assert(
    fc.property(asciiText, (text) => {
      expect(scanned(encoding, text)).toEqual(text.match(pattern) ?? []);
    }),
    { numRuns: draws(4_000) },
  );
});

test('o200k keeps a contraction with its word, cl100k parts them', () => {
  expect(scanned('o200k_base', "don't WE'LL 'tis")).toEqual(["don't", " WE'LL", " '", 'tis']);
  expect(scanned('cl100k_base', "don't WE'LL 'tis")).toEqual([
    'don',
    "'t",
    ' WE',
    "'LL",
    " '",
    'tis',
  ]);
});

test('o200k parts words at a change of case, and takes slashes after signs', () => {
  expect(scanned('o200k_base', 'fooBar!\n/x')).toEqual(['foo', 'Bar', '!\n/', 'x']);
  expect(scanned('cl100k_base', 'fooBar!\n/x')).toEqual(['fooBar', '!\n', '/x']);
});

test('white space ends after its last line end, and leaves its last blank to a word', () => {
  expect(scanned('o200k_base', 'a \n\n   b  ')).toEqual(['a', ' \n\n', '  ', ' b', '  ']);
});

test('a sign beyond ASCII is neither letter, mark, number nor white space', () => {
  for (const [first, last] of wideSigns)
    for (let point = first; point <= last; point += 1)
      expect(String.fromCodePoint(point)).not.toMatch(/[\p{L}\p{M}\p{N}\s\u0085]/u);
});

test.each(encodings)('%s: a run stops right before a byte beyond ASCII', (encoding) => {
  const stops: readonly [string, number][] = [
    ['ab', 2],
    ['  ', 2],
    [' \n ', 3],
    ['!', 1],
    ['', 0],
  ];
  for (const [run, end] of stops) {
    const bytes = new TextEncoder().encode(`${run}é`);
    expect(scans[encoding](bytes, 0, bytes.length)).toBe(end);
  }
});
