import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { get_encoding } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { toMerge } from '../../src/tokenizer/merge.ts';
import { toSplit } from '../../src/tokenizer/split/split.ts';
import { loadTokenizer } from '../../src/tokenizer/tiktoken.ts';
import { toRank, type Rank } from '../../src/tokenizer/vocabulary.ts';
import { hostileText } from './hostile.ts';
import { cl100k, o200k } from './vocabularies.ts';

// HOSTILE=40000 and HOSTILE_SEED=… count more strings, and others.
const numRuns = Number(process.env['HOSTILE'] ?? 250);
const seed = Number(process.env['HOSTILE_SEED'] ?? 1);

const root = new URL('../../', import.meta.url);
const corpus = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, root), 'utf8'))
  .join('\n');

const slice = fc
  .tuple(fc.nat(corpus.length - 1), fc.nat(800))
  .map(([start, length]) => corpus.slice(start, start + length));

// Code points of every plane, those among them that no version of Unicode has yet.
const planes: readonly (readonly [number, number])[] = [
  [0x80, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0x1d400, 0x1d7ff],
  [0x20000, 0x2ffff],
  [0x30000, 0x3ffff],
  [0x40000, 0xdffff],
  [0xe0000, 0xe01ef],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
];
const astral = fc
  .array(
    fc.oneof(
      ...planes.map(([min, max]) => fc.integer({ min, max })),
      fc.constantFrom(0x20, 0x0a, 0x27, 0x73, 0x41),
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((points) => String.fromCodePoint(...points));

const anyText = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 1, arbitrary: astral },
  { weight: 2, arbitrary: slice },
);

/** One of each kind that a run may be of. */
const kinds = [
  ['a', 'Q', 'é', 'É', 'ß', 'ǅ', 'ʰ', 'ſ', 'я', 'Я', 'א', 'ع', 'क', 'ไ', 'か', '中', '한', '𝐀'],
  ['\u0301', '\u093f', '\u20dd', '\ufe0f', '1', '٣', 'Ⅷ', '½', '²'],
  ['_', '-', '(', ')', '«', '»', '.', '/', '\\', "'", '"', '+', '=', '$', '^', '~', '©', '|'],
  [' ', '\t', '\n', '\r', '\r\n', '\v', '\u0085', '\u00a0', '\u2028', '\u2029', '\u3000'],
  ['\0', '\u200b', '\u200d', '\ufeff', '\ud800', '\udc00', '\ue000', '\u0378', '<|endoftext|>'],
  ['😀', '👍🏽', '👩‍👩‍👧‍👦', '🇺🇳', 'a\u0301', ' \n', '!\n', "'s", 'aB', '中Q', '1a'],
].flat();

const bytesOf = (text: string): number => Buffer.byteLength(text);

describe.each([
  ['o200k_base', o200k],
  ['cl100k_base', cl100k],
] as const)('%s', (encoding, { pattern, table }) => {
  const reference = get_encoding(encoding);
  const rank = toRank(table);
  const split = toSplit(encoding, pattern);

  test('hostile strings count as tiktoken counts them', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(anyText, (text) => {
        expect(count(text)).toBe(reference.encode_ordinary(text).length);
      }),
      { numRuns, seed },
    );
  });

  test('a character that a later Unicode made a letter is none, as for tiktoken', async () => {
    const { count } = await loadTokenizer(encoding);
    const later = ['\u{32b82}', '\u{323b0}', '\u{10940}', '\u{16ea0}', '\u{1e6c0}', '\ua7ce'];
    for (const letter of later) {
      const text = `"ſABCdef*2d  x\n\n漢字a\n\n${letter}'s"`;
      expect(count(text), letter).toBe(reference.encode_ordinary(text).length);
      expect(count(`A${letter}b ${letter}`)).toBe(
        reference.encode_ordinary(`A${letter}b ${letter}`).length,
      );
    }
  });

  test('a run of any one kind counts as tiktoken counts it', async () => {
    const { count } = await loadTokenizer(encoding);
    for (const kind of kinds)
      for (const length of [7, 130, 500]) {
        const text = kind.repeat(length / kind.length);
        expect(count(text), kind).toBe(reference.encode_ordinary(text).length);
      }
  });

  /** Bytes looked up for a text, besides its own. */
  function work(text: string): number {
    let read = 0;
    const counted: Rank = (bytes, start, end) => {
      read += Math.min(end - start, 128);
      return rank(bytes, start, end);
    };
    const merge = toMerge(counted);
    split(text, (bytes, start, end) => {
      if (counted(bytes, start, end) < 0) merge(bytes, start, end);
    });
    return read;
  }

  test('the work of 25 KiB of any one kind grows as the text does', () => {
    for (const kind of kinds) {
      const [few, many] = [5, 25].map((size) => kind.repeat((size * 1_024) / bytesOf(kind))) as [
        string,
        string,
      ];
      expect(work(many), kind).toBeLessThan(work(few) * 5.25);
    }
  });
});
