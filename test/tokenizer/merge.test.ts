import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortPiece, toMerge } from '../../src/tokenizer/merge.ts';
import { vocabulary } from '../../src/tokenizer/vocabularies/o200k-base.ts';
import { toRank, type Rank } from '../../src/tokenizer/vocabulary.ts';
import { draws } from '../draws.ts';

const rank = toRank(vocabulary().table);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Byte-pair merging as it is defined: the leftmost pair of lowest rank, until there is none. */
function defined(bytes: Uint8Array): number {
  const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  for (;;) {
    const ranks = cuts.slice(2).map((end, part) => rank(bytes, cuts[part]!, end));
    const joined = ranks.filter((found) => found >= 0);
    if (joined.length === 0) return cuts.length - 1;
    cuts.splice(ranks.indexOf(Math.min(...joined)) + 1, 1);
  }
}

const piece = fc
  .array(fc.constantFrom('a', 'b', 'e', 'th', 'in', 'tion', 'Q', '    ', '\n', '中', '😀', 'é'), {
    minLength: 1,
    maxLength: 120,
    size: 'max',
  })
  .map((parts) => bytesOf(parts.join('')));

test('a piece of any length is merged as defined', () => {
  const merge = toMerge(rank);
  fc.assert(
    fc.property(piece, (bytes) => {
      expect(merge(bytes, 0, bytes.length)).toBe(defined(bytes));
    }),
    { numRuns: draws(400) },
  );
});

test('the way changes at the longest short piece, the count does not', () => {
  const merge = toMerge(rank);
  for (const letter of ['a', ' ', 'é', '=']) {
    for (let length = shortPiece - 3; length <= shortPiece + 3; length += 1) {
      const bytes = bytesOf(letter.repeat(length)).subarray(0, length);
      expect(merge(bytes, 0, length)).toBe(defined(bytes));
    }
  }
});

test('a piece in the middle of a buffer is merged alone', () => {
  const merge = toMerge(rank);
  for (const length of [5, shortPiece * 2]) {
    const bytes = bytesOf('a'.repeat(length * 3));
    expect(merge(bytes, length, 2 * length)).toBe(merge(bytes, 0, length));
  }
});

test.each(['a', ' ', 'Q', '\n', '_', '中'])(
  'ten times as many %j are ten times the look-ups',
  (unit) => {
    const work = (size: number): number => {
      let bytesRead = 0;
      const counted: Rank = (bytes, start, end) => {
        bytesRead += Math.min(end - start, 128);
        return rank(bytes, start, end);
      };
      const bytes = bytesOf(unit.repeat(size));
      toMerge(counted)(bytes, 0, bytes.length);
      return bytesRead;
    };
    expect(work(102_400)).toBeLessThan(work(10_240) * 10.5);
  },
);
