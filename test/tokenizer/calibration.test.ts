import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bounds,
  calibrated,
  learn,
  uncalibrated,
  type Calibration,
} from '../../src/tokenizer/calibration.ts';

const learned = (...reports: readonly (readonly [number, number?])[]): Calibration =>
  reports.reduce(
    (calibration, [estimate, reported]) => learn(calibration, { estimate, reported }),
    uncalibrated,
  );

const report = fc.record({
  estimate: fc.oneof(fc.nat(100_000), fc.constantFrom(Number.NaN, -1, Infinity)),
  reported: fc.option(fc.oneof(fc.nat(400_000), fc.constantFrom(Number.NaN, -1, Infinity)), {
    nil: undefined,
  }),
});

test('before any report a count stays as it is', () => {
  fc.assert(
    fc.property(fc.nat(), (tokens) => {
      expect(calibrated(tokens, uncalibrated)).toBe(tokens);
    }),
  );
});

test('the first report sets the ratio', () => {
  expect(learned([1_000, 1_250])).toEqual({ ratio: 1.25, samples: 1 });
});

test('the first reports make a mean, later ones a moving average', () => {
  expect(learned([100, 110], [100, 130]).ratio).toBeCloseTo(1.2);
  const settled = learned(...Array.from({ length: 20 }, () => [100, 120] as const));
  expect(settled).toEqual({ ratio: expect.closeTo(1.2), samples: 20 });
  expect(learn(settled, { estimate: 100, reported: 140 }).ratio).toBeCloseTo(1.22);
});

test.each([
  ['a missing one', undefined],
  ['zero', 0],
  ['what is no number', Number.NaN],
  ['one below half of the prediction', 599],
])('%s is no sample', (_, reported) => {
  const before = learned([1_000, 1_200]);
  expect(learn(before, { estimate: 1_000, reported })).toBe(before);
});

test('half of the prediction is a sample still', () => {
  expect(learn(learned([1_000, 1_200]), { estimate: 1_000, reported: 600 }).samples).toBe(2);
});

test('an empty prompt teaches nothing', () => {
  expect(learn(uncalibrated, { estimate: 0, reported: 12 })).toBe(uncalibrated);
});

test('a ratio at a bound stays there', () => {
  expect(learned([1_000, 500], [1_000, 300]).ratio).toBe(bounds.least);
  expect(learned([1_000, 9_000]).ratio).toBe(bounds.most);
});

test('the ratio stays within its bounds, whatever is reported', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 40 }), (reports) => {
      const { ratio, samples } = reports.reduce(learn, uncalibrated);
      expect(ratio).toBeGreaterThanOrEqual(bounds.least);
      expect(ratio).toBeLessThanOrEqual(bounds.most);
      expect(samples).toBeLessThanOrEqual(reports.length);
    }),
  );
});

test('a steady server is met within three per cent after forty reports', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 2.5, noNaN: true }), (truth) => {
      const start = learned([1_000, 1_000]);
      const reports = Array.from({ length: 40 }, () => ({
        estimate: 10_000,
        reported: 10_000 * truth,
      }));
      const { ratio } = reports.reduce(learn, start);
      expect(Math.abs(ratio / truth - 1)).toBeLessThan(0.03);
    }),
  );
});

test('a calibrated count is whole, never negative, and grows with the count', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.double({ min: 0.5, max: 2.5, noNaN: true }),
      (tokens, ratio) => {
        const count = calibrated(tokens, { ratio, samples: 1 });
        expect(Number.isInteger(count)).toBe(true);
        expect(count).toBeGreaterThanOrEqual(tokens * ratio);
        expect(calibrated(tokens + 1, { ratio, samples: 1 })).toBeGreaterThanOrEqual(count);
      },
    ),
  );
});
