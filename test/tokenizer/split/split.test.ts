import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wideSigns } from '../../../src/tokenizer/split/scan.ts';
import { toSplit, type Split } from '../../../src/tokenizer/split/split.ts';
import type { Encoding } from '../../../src/tokenizer/tokenizer.ts';
import { hostileText } from '../hostile.ts';
import { cl100k, o200k } from '../vocabularies.ts';
import { draws } from '../../draws.ts';

const encodings: readonly [Encoding, string][] = [
  ['o200k_base', o200k.pattern],
  ['cl100k_base', cl100k.pattern],
];

const o200kSplit = toSplit('o200k_base', o200k.pattern);
const cl100kSplit = toSplit('cl100k_base', cl100k.pattern);

function piecesOf(split: Split, text: string): readonly string[] {
  const pieces: string[] = [];
  split(text, (bytes, start, end) => {
    pieces.push(Buffer.from(bytes.subarray(start, end)).toString());
  });
  return pieces;
}

test.each(encodings)('%s: a text is split as the pattern splits it', (encoding, source) => {
  const split = toSplit(encoding, source);
  const pattern = new RegExp(source, 'gu');
  fc.assert(
    fc.property(hostileText, (text) => {
      const wellFormed = Buffer.from(text).toString();
      expect(piecesOf(split, text)).toEqual(wellFormed.match(pattern) ?? []);
    }),
    { numRuns: draws(4_000) },
  );
});

const sign = fc
  .constantFrom(...wideSigns)
  .chain(([first, last]) => fc.integer({ min: first, max: last }))
  .map((point) => String.fromCodePoint(point));
const beside = fc.constantFrom(...Array.from("aB1 \n/'.é\u0301²中\u2028😀"));

test.each(encodings)(
  '%s: signs beyond ASCII are split as the pattern splits them',
  (encoding, source) => {
    const split = toSplit(encoding, source);
    const pattern = new RegExp(source, 'gu');
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(sign, beside) }), (text) => {
        expect(piecesOf(split, text)).toEqual(text.match(pattern) ?? []);
      }),
      { numRuns: draws(4_000) },
    );
  },
);

test('a long s makes a contraction', () => {
  expect(piecesOf(o200kSplit, "don'ſa")).toEqual(["don'ſ", 'a']);
  expect(piecesOf(cl100kSplit, "don'ſa")).toEqual(['don', "'ſ", 'a']);
});

test("white space is Rust's", () => {
  expect(piecesOf(o200kSplit, 'a\u0085 b')).toEqual(['a', '\u0085', ' b']);
  expect(piecesOf(o200kSplit, '\ufeff\ufeff\n')).toEqual(['\ufeff\ufeff\n']);
  expect(piecesOf(cl100kSplit, ' \ufeffa')).toEqual([' \ufeff', 'a']);
});

test('a shorter text after a longer one is split alone', () => {
  piecesOf(o200kSplit, "a'll");
  expect(piecesOf(o200kSplit, "a'l")).toEqual(['a', "'l"]);
});

test('the pieces of a text that needs a buffer of its own are whole', () => {
  const text = `${'word '.repeat(40_000)}é`;
  expect(piecesOf(o200kSplit, text).join('')).toBe(text);
  expect(piecesOf(o200kSplit, text)).toHaveLength(40_001);
});
