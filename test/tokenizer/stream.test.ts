import fc from 'fast-check';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, test } from 'vitest';
import { toMerge } from '../../src/tokenizer/merge.ts';
import { toSplit } from '../../src/tokenizer/split.ts';
import { toStream } from '../../src/tokenizer/stream.ts';
import { loadTokenizer, tokenStream } from '../../src/tokenizer/tiktoken.ts';
import type { Encoding } from '../../src/tokenizer/tokenizer.ts';
import { toRank, type Rank } from '../../src/tokenizer/vocabulary.ts';
import { hostileText } from './hostile.ts';

const ranks = { o200k_base: toRank(o200k.bpe_ranks), cl100k_base: toRank(cl100k.bpe_ranks) };
const splits = {
  o200k_base: toSplit('o200k_base', o200k.pat_str),
  cl100k_base: toSplit('cl100k_base', cl100k.pat_str),
};

const units = [
  'a',
  'Q',
  ' ',
  '\n',
  '_',
  '/',
  '中',
  '😀',
  'é',
  '\ud800',
  '!\n',
  "'s",
  '1',
  '\u0301',
  '\ufeff',
  '\u0085',
  ' \n',
  '中Q',
  'ʰ',
  'ſ',
  '\u200d',
  '/\n',
];
const unit = fc.constantFrom(...units);

/** Long runs of one kind, side by side. */
const runs = fc
  .array(
    fc.tuple(unit, fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 700 }))),
    {
      maxLength: 4,
    },
  )
  .map((list) => list.map(([bit, times]) => bit.repeat(times)).join(''));

/** Bits that arrive as they are: the long ones of one kind, the others in between. */
const kinds = [
  'a',
  'Q',
  ' ',
  '\n',
  '!',
  '/',
  '中',
  '\u0301',
  '\u0085',
  '\u3000',
  "'",
  '\r',
  '\ud83d',
  '\ude00',
];
const bits = fc.array(
  fc
    .tuple(fc.constantFrom(...kinds), fc.constantFrom(1, 1, 2, 3, 5, 300))
    .map(([kind, times]) => kind.repeat(times)),
  { maxLength: 8 },
);

/** A text cut anywhere, surrogate pairs included. */
const deltas = (text: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.tuple(text, fc.array(fc.nat(), { maxLength: 40 })).map(([whole, marks]) => {
    const cuts = marks.map((mark) => mark % (whole.length + 1)).sort((a, b) => a - b);
    return [...cuts, whole.length].map((cut, index) => whole.slice(cuts[index - 1] ?? 0, cut));
  });

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
  test.each([
    ['odd bits, cut anywhere', deltas(hostileText), 3_000],
    ['long runs, cut anywhere', deltas(runs), 400],
    ['long runs and what may join them', bits, 1_000],
  ])('the total of %s is exact after each delta', async (_, given, numRuns) => {
    const { count } = await loadTokenizer(encoding);
    const law = fc.asyncProperty(given, async (parts) => {
      const stream = await tokenStream(encoding);
      let whole = '';
      for (const part of parts) {
        whole += part;
        expect(stream.push(part)).toBe(count(whole));
        expect(stream.total).toBe(count(whole));
      }
    });
    await fc.assert(law, { numRuns });
  });

  test('one unit at a time', async () => {
    const { count } = await loadTokenizer(encoding);
    for (const text of [
      "I'm  here\n\n  😀 don'ſ ABCdef 中文。12345 !!!\n/x",
      'a'.repeat(600),
      'Q\u0301'.repeat(300),
      '\n        \n\t\t\n',
    ]) {
      const stream = await tokenStream(encoding);
      expect(stream.total).toBe(0);
      for (let end = 1; end <= text.length; end += 1)
        expect(stream.push(text[end - 1]!)).toBe(count(text.slice(0, end)));
    }
  });
});

/** How much is read while `text` arrives in bits of `size`: bytes looked up, and units split. */
function work(encoding: Encoding, text: string, size: number): number {
  let read = 0;
  const counted: Rank = (bytes, start, end) => {
    read += Math.min(end - start, 128);
    return ranks[encoding](bytes, start, end);
  };
  const stream = toStream({
    encoding,
    rank: counted,
    piece: toMerge(counted),
    split: (given, visit) => {
      read += given.length;
      splits[encoding](given, visit);
    },
  });
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  return read;
}

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
  test.each([
    'a',
    'Q',
    ' ',
    '\n',
    '_',
    '/',
    '=',
    '中',
    'é',
    'か',
    '한',
    '\u200d',
    '1',
    '\u0301',
    '\u0085',
    '\u3000',
    '\ud800',
    '\udc00',
  ])('eight times as many %j in small bits are eight times the work', (letter) => {
    const [few, many] = [2_048, 16_384].map((size) => work(encoding, letter.repeat(size), 4));
    expect(many).toBeLessThan(few! * 10);
  });

  test.each(['😀', '👩‍👩‍👧‍👦', '😀 ', '| --- |', '} ', 'aB', 'word ', '{"a":1},', '٣'])(
    'eight times as many %j are eight times the work',
    (bit) => {
      const [few, many] = [512, 4_096].map((times) =>
        work(encoding, bit.repeat(times), bit.length),
      );
      expect(many).toBeLessThan(few! * 10);
    },
  );
});

test('pairs of surrogates that arrive in halves cost no more than whole ones', () => {
  const family = '👩‍👩‍👧‍👦';
  const [few, many] = [128, 1_024].map((times) => work('o200k_base', family.repeat(times), 4));
  expect(many).toBeLessThan(few! * 10);
});

test('streams do not know of one another', async () => {
  const [one, other] = await Promise.all([tokenStream(), tokenStream()]);
  one.push('a'.repeat(1_000));
  expect(other.push('word')).toBe(1);
});
