import { expect, test } from 'vitest';
import { learn, uncalibrated, type Calibration } from '../../../src/core/budget/calibration.ts';
import { ceilingAfter, ceilingOf, lifted, raised } from '../../../src/core/budget/ceiling.ts';

const prompt = { estimate: 8_000, epoch: 1 };
const nothing = { tokens: null, window: null, share: 0.85 };

test.each([
  ['nothing', nothing, 6_000],
  ['its count alone', { ...nothing, tokens: 9_000 }, 6_000],
  ['its window', { ...nothing, window: 4_000 }, 3_400],
  ['both', { tokens: 16_000, window: 4_000, share: 0.85 }, 1_700],
  ['a count of what it had left', { tokens: 2_000, window: 4_000, share: 0.85 }, 3_400],
  ['a window that all fits in', { ...nothing, window: 16_000 }, 6_000],
  ['a window that all but a little fits in', { ...nothing, window: 7_990, share: 1 }, 7_600],
])('after a refusal that says %s the next prompt is smaller', (_, said, ceiling) => {
  expect(ceilingAfter(uncalibrated, prompt, said)).toBe(ceiling);
});

test('another refusal lowers the ceiling, and a larger prompt refused later does not lift it', () => {
  const low: Calibration = { ...uncalibrated, ceiling: 5_000 };
  expect(ceilingAfter(low, { ...prompt, estimate: 4_000 }, nothing)).toBe(3_000);
  expect(ceilingAfter(low, { ...prompt, estimate: 12_000 }, nothing)).toBe(5_000);
});

test('answers raise it, until no limit is as large', () => {
  expect(raised(uncalibrated, 8_000)).toBe(uncalibrated);
  expect(raised({ ...uncalibrated, ceiling: 5_000 }, 8_000).ceiling).toBe(5_100);
  expect(raised({ ...uncalibrated, ceiling: 15_900 }, 8_000)).toEqual(uncalibrated);
});

test('without a refusal there is none', () => {
  expect(ceilingOf(uncalibrated)).toBe(Infinity);
  expect(lifted(uncalibrated)).toBe(uncalibrated);
  expect(lifted({ ...uncalibrated, ceiling: 5 })).toEqual(uncalibrated);
});

test('a count of a prompt that was answered tells more than a refusal', () => {
  const after = learn(
    { ...uncalibrated, ceiling: 1_000 },
    { estimate: 900, epoch: 1, reported: 950, window: 8_000 },
  );
  expect(after.ceiling).toBe(undefined);
});
