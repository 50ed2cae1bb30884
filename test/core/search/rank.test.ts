import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inverseFrequency, lengthNorm, saturatedFrequency } from '../../../src/core/search/bm25.ts';
import {
  addTermCounts,
  bestEntries,
  countTerms,
  topMatches,
  weightsOf,
  type SearchedSegment,
} from '../../../src/core/search/rank.ts';

/** A log: segments of entries of pieces, each piece a list of terms by number. */
type Log = readonly (readonly (readonly (readonly number[])[])[])[];

const terms = 4;

/** The segments of a log as they are searched for every term. */
function searched(log: Log): readonly SearchedSegment[] {
  let last = 0;
  return log.map((entries) => {
    const pieces = entries.flat();
    const starts = [0];
    for (const entry of entries) starts.push(starts.at(-1)! + entry.length);
    const first = last + 1;
    last += entries.length;
    const lengths = Uint32Array.from(pieces, (piece) => piece.length);
    const postings = Array.from({ length: terms }, (_, term) => {
      const held = pieces.flatMap((piece, at) => {
        const times = piece.filter((one) => one === term).length;
        return times === 0 ? [] : [[at, times]];
      });
      if (held.length === 0) return undefined;
      return { pieces: held.length, read: () => Uint32Array.from(held.flat()) };
    });
    const said = lengths.reduce((sum, length) => sum + length, 0);
    return {
      segment: { first, last, starts: Uint32Array.from(starts), lengths, terms: said },
      postings,
    };
  });
}

/** The same answer, told the slow way. */
function expected(log: Log, limit: number) {
  const entries = log.flat();
  const pieces = entries.flat();
  const size = { pieces: pieces.length, terms: pieces.flat().length };
  const scoreOf = (piece: readonly number[]): number =>
    Array.from({ length: terms }, (_, term) => {
      const times = piece.filter((one) => one === term).length;
      const holding = pieces.filter((one) => one.includes(term)).length;
      if (times === 0) return 0;
      return (
        inverseFrequency(holding, size) * saturatedFrequency(times, piece.length * lengthNorm(size))
      );
    }).reduce((sum, one) => sum + one, 0);
  const best = entries.map((entry) => Math.max(0, ...entry.map(scoreOf)));
  return best
    .map((own, at) => ({
      n: at + 1,
      own,
      score: own + 0.3 * Math.max(best[at - 1] ?? 0, best[at + 1] ?? 0),
      piece: entries[at]!.findIndex((piece) => Math.abs(scoreOf(piece) - own) < 1e-9),
    }))
    .filter(({ own }) => own > 0)
    .sort((a, b) => (Math.abs(a.score - b.score) < 1e-9 ? b.n - a.n : b.score - a.score))
    .slice(0, limit)
    .map(({ n, piece }) => ({ n, piece }));
}

const piece = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 });
const entry = fc.array(piece, { minLength: 1, maxLength: 3 });
const logs = fc.array(fc.array(entry, { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 3,
});

test('the best entries are those of the formula, told from all pieces', () => {
  fc.assert(
    fc.property(logs, fc.integer({ min: 1, max: 6 }), (log, limit) => {
      const segments = searched(log);
      const count = countTerms(segments, terms);
      const by = { weights: weightsOf(count), extent: count.extent, limit };
      const found = bestEntries(segments, by);
      expect(found.map(({ n, piece }) => ({ n, piece }))).toEqual(expected(log, limit));
    }),
  );
});

test('only entries that may be found are found, and a match beside them still helps', () => {
  const segments = searched([[[[0]], [[0, 0]], [[9]], [[0]]]]);
  const count = countTerms(segments, terms);
  const by = { weights: weightsOf(count), extent: count.extent, limit: 5 };
  const found = bestEntries(segments, { ...by, isMeant: (n) => n !== 2 });
  expect(found.map(({ n }) => n)).toEqual([1, 4]);
  expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
});

test('counts of logs that are searched as one add up', () => {
  const [one, other] = [[[[0, 1]], [[0]]], [[[0, 2, 2]]]].map((log) =>
    countTerms(searched([log]), terms),
  );
  expect(addTermCounts(one!, other!)).toEqual({
    extent: { pieces: 3, terms: 6 },
    holding: [3, 1, 1, 0],
  });
});

test('the best matches come first, the newer one on a tie', () => {
  const matches = [3, 1, 3, 2].map((score, at) => ({ n: at + 1, score, piece: 0 }));
  expect(topMatches(matches, 3).map(({ n }) => n)).toEqual([3, 1, 4]);
  expect(topMatches(matches, 9).map(({ n }) => n)).toEqual([3, 1, 4, 2]);
});
