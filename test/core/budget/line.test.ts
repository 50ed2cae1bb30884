import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounds, faded, lineThrough, mostOverhead, noSums } from '../../../src/core/budget/line.ts';

const through = (points: readonly (readonly [number, number])[]) =>
  lineThrough(points.reduce((sums, [x, y]) => faded(sums, x, y), noSums));

test('reports on a line through zero give its ratio and no overhead', () => {
  const { ratio, overhead } = through([
    [1_000, 1_200],
    [2_000, 2_400],
    [4_000, 4_800],
  ]);
  expect(ratio).toBeCloseTo(1.2);
  expect(overhead).toBeCloseTo(0);
});

test('many reports with an overhead give nearly both, the ridge holds it lower', () => {
  const points = Array.from(
    { length: 60 },
    (_, at) => [500 + (at % 7) * 900, 1.1 * (500 + (at % 7) * 900) + 300] as const,
  );
  const { ratio, overhead } = through(points);
  expect(ratio).toBeGreaterThan(1.1);
  expect(ratio).toBeLessThan(1.12);
  expect(overhead).toBeGreaterThan(250);
  expect(overhead).toBeLessThan(300);
});

test('the sums fade by a tenth with each report', () => {
  const once = faded(noSums, 10, 20);
  expect(once).toEqual({ weight: 1, estimate: 10, reported: 20, squares: 100, products: 200 });
  const twice = faded(once, 1, 3);
  const expected = { weight: 1.9, estimate: 10, reported: 21, squares: 91, products: 183 };
  for (const [key, value] of Object.entries(expected))
    expect(twice[key as keyof typeof twice]).toBeCloseTo(value);
});

test('no line falls below zero: then it goes through it', () => {
  expect(
    through([
      [1_000, 500],
      [2_000, 2_000],
    ]).overhead,
  ).toBe(0);
  const { ratio } = through([
    [1_000, 500],
    [2_000, 2_000],
  ]);
  expect(ratio).toBeCloseTo((0.9 * 500_000 + 4_000_000) / (0.9 * 1_000_000 + 4_000_000));
});

test('whatever a server reports, ratio and overhead stay within bounds', () => {
  const point = fc.tuple(fc.nat({ max: 200_000 }), fc.nat({ max: 400_000 }));
  fc.assert(
    fc.property(fc.array(point, { maxLength: 12 }), (points) => {
      const { ratio, overhead } = through(points);
      expect(ratio).toBeGreaterThanOrEqual(bounds.least);
      expect(ratio).toBeLessThanOrEqual(bounds.most);
      expect(overhead).toBeGreaterThanOrEqual(0);
      expect(overhead).toBeLessThanOrEqual(mostOverhead);
    }),
  );
  expect(lineThrough(noSums)).toEqual({ ratio: 1, overhead: 0 });
});
