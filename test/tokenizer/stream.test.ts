import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMerge } from '../../src/tokenizer/merge.ts';
import { toSplit, type Split } from '../../src/tokenizer/split/split.ts';
import { toStream } from '../../src/tokenizer/stream.ts';
import { loadTokenizer, tokenStream } from '../../src/tokenizer/tiktoken.ts';
import type { Encoding } from '../../src/tokenizer/tokenizer.ts';
import { toRank, type Rank } from '../../src/tokenizer/vocabulary.ts';
import { draws } from '../draws.ts';
import { hostileText } from './hostile.ts';
import { cl100k, o200k } from './vocabularies.ts';

const ranks = { o200k_base: toRank(o200k.table), cl100k_base: toRank(cl100k.table) };
const splits = {
  o200k_base: toSplit('o200k_base', o200k.pattern),
  cl100k_base: toSplit('cl100k_base', cl100k.pattern),
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

/** Words that are one or several by what comes after them. */
const joins = fc
  .array(
    fc.constantFrom('中', 'Q', 'a', '𝐚', '𝐀', '𝟘', 'ʰ', '\u0301', "'", 's', 'é', '1', ' ', '\n'),
    {
      maxLength: 20,
    },
  )
  .map((list) => list.join(''));

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
        stream.push(part);
        const total = count(whole);
        expect([stream.total, stream.total]).toEqual([total, total]);
      }
    });
    await fc.assert(law, { numRuns: draws(numRuns) });
  });

  test('no piece is settled that a longer text splits otherwise', () => {
    const given = deltas(fc.oneof(hostileText, joins));
    const split = splits[encoding];
    const law = fc.property(given, (parts) => {
      const stream = toStream({ split, rank: ranks[encoding], piece: () => 1 });
      let whole = '';
      for (const part of parts) {
        whole += part;
        stream.push(part);
        let pieces = 0;
        split(whole, () => {
          pieces += 1;
        });
        expect(stream.total).toBe(pieces);
      }
    });
    fc.assert(law, { numRuns: draws(5_000) });
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
      for (let end = 1; end <= text.length; end += 1) {
        stream.push(text[end - 1]!);
        expect(stream.total).toBe(count(text.slice(0, end)));
      }
    }
  });
});

/** What it takes to count `text`, asked after each `size` units: bytes looked up, and units split. */
function work(
  encoding: Encoding,
  text: string,
  size: number,
): { readonly bytes: number; readonly units: number } {
  let bytes = 0;
  let units = 0;
  const counted: Rank = (piece, start, end) => {
    bytes += Math.min(end - start, 128);
    return ranks[encoding](piece, start, end);
  };
  const stream = toStream({
    rank: counted,
    piece: toMerge(counted),
    split: (given, visit) => {
      units += given.length;
      splits[encoding](given, visit);
    },
  });
  let tokens = 0;
  for (let at = 0; at < text.length; at += size) {
    stream.push(text.slice(at, at + size));
    tokens = stream.total;
  }
  expect(tokens).toBeGreaterThan(0);
  return { bytes, units };
}

/** Runs that are one long piece, or two that become one, in one encoding at least. */
const longUnits = [
  ['a', 'Q', ' ', '\n', '_', '/', '=', '中', 'é', 'か', '한', '\u200d', '\u0301', '\u0085'],
  ['\u3000', '\ud800', '\udc00', '😀', '👩‍👩‍👧‍👦', ' \n', '/\n', '中Q', 'aB', ' \u3000'],
].flat();

/** Texts of short pieces. */
const shortUnits = ['1', '٣', '!\n', '😀 ', '| --- |', '} ', 'word ', '{"a":1},', "it's ", '字。'];

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
  test('four times as much of one kind in small bits is four times the look-ups', () => {
    const law = fc.property(fc.constantFrom(...longUnits, ...shortUnits), (unit) => {
      const least = 1_280 / unit.length;
      const [few, many] = [least, least * 4].map((times) => work(encoding, unit.repeat(times), 4));
      expect(many!.bytes).toBeLessThan(few!.bytes * 5);
    });
    fc.assert(law, { numRuns: draws(120) });
  });

  test.each(shortUnits)('of %j no more than a few pieces are split again', (unit) => {
    const text = unit.repeat(256);
    expect(work(encoding, text, 4).units).toBeLessThan(text.length * 8);
  });

  test('what is not asked is not counted', () => {
    let splitted = 0;
    const piece = toMerge(ranks[encoding]);
    const split: Split = (text, visit) => {
      splitted += text.length;
      splits[encoding](text, visit);
    };
    const stream = toStream({ rank: ranks[encoding], piece, split });
    for (let times = 0; times < 1_000; times += 1) stream.push(' \n');
    expect(splitted).toBe(0);
    expect(stream.total).toBe(stream.total);
    expect(splitted).toBe(2_000);
  });
});

test('streams do not know of one another', async () => {
  const [one, other] = await Promise.all([tokenStream(), tokenStream()]);
  one.push('a'.repeat(1_000));
  other.push('word');
  expect(other.total).toBe(1);
});
