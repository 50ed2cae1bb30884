import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestFirst, positionsBeyond, type Ranking } from '../../../src/core/values/top-k.ts';

const ranking = (values: readonly number[]): Ranking => ({
  values: Float64Array.from(values),
  tie: (a, b) => b - a,
});

/** Members in the order of a plain sort. */
const sorted = (values: readonly number[]): number[] =>
  values.map((_, index) => index).sort((a, b) => values[b]! - values[a]! || b - a);

const values = fc.array(
  fc.integer({ min: -9, max: 9 }).map((n) => n / 3),
  { maxLength: 60 },
);

test('a ranking is gone through like a sorted list, as often as one likes', () => {
  fc.assert(
    fc.property(values, (values) => {
      const ranked = bestFirst(ranking(values));
      expect([...ranked]).toEqual(sorted(values));
      expect([...ranked]).toEqual(sorted(values));
    }),
  );
});

test('a long ranking goes on where its sorted head ends, among equals too', () => {
  for (const different of [3, 1_000, 5_000]) {
    const values = Array.from({ length: 5_000 }, (_, n) => (n * 7_919) % different);
    expect([...bestFirst(ranking(values))]).toEqual(sorted(values));
  }
});

test('beyond the best lies what a sorted list has behind them', () => {
  fc.assert(
    fc.property(values, fc.nat(70), (values, most) => {
      const gone = positionsBeyond(ranking(values), most + 1);
      expect([...gone].sort((a, b) => a - b)).toEqual(
        sorted(values)
          .slice(most + 1)
          .sort((a, b) => a - b),
      );
    }),
  );
});
