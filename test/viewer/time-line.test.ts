import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pauseText } from '../../src/viewer/page/session/model/axis/distance.ts';
import { indexAt } from '../../src/viewer/page/session/model/axis/places.ts';
import { timeTicks } from '../../src/viewer/page/session/model/axis/ticks.ts';
import { timeLineOf, type TimeLine } from '../../src/viewer/page/session/model/axis/time-line.ts';
import type { Step } from '../../src/viewer/page/session/model/wire.ts';

// On the axis of time work is readable, however long the nights are.

const minute = 60_000;
const morning = Date.UTC(2026, 2, 2, 9);

/** Steps so many minutes after each other. */
const lineOf = (...gaps: readonly number[]): TimeLine => {
  let at = morning;
  return timeLineOf([0, ...gaps].map((gap) => ({ at: (at += gap * minute) }) as Step));
};

test('a long pause is a break, as wide as any other, that tells how long it was', () => {
  const { places, breaks, stretches } = lineOf(14, 14, 18 * 60, 14, 14, 45, 14, 14);
  expect(breaks.map(({ length }) => pauseText(length))).toEqual(['18 h', '45 min']);
  const [night, noon] = breaks.map(({ from, to }) => to - from);
  expect(night).toBeCloseTo(noon!);
  expect(night).toBeCloseTo(1 / 42);
  expect(places[1]! - places[0]!).toBeCloseTo(places[8]! - places[7]!);
  expect(stretches.map(({ reach }) => reach)).toEqual([28, 28, 28].map((n) => n * minute));
});

test('short pauses, and those that are all that there is, stand at their lengths', () => {
  expect(lineOf(1, 9, 1, 1).breaks).toEqual([]);
  expect(lineOf(600).breaks).toEqual([]);
  expect(lineOf(...Array.from({ length: 60 }, () => 60)).breaks).toEqual([]);
  expect([...lineOf(0, 0).places]).toEqual([0, 0, 0]);
});

test('labels tell real times on both sides of a break, the day where it is another', () => {
  const line = lineOf(14, 12, 18 * 60, 14, 14, 14);
  expect(line.breaks).toHaveLength(1);
  const ticks = timeTicks(line, 5);
  expect(ticks.map(({ text }) => text)).toEqual([
    '03-02 09:00 UTC',
    '09:15',
    '03-03 03:30',
    '03:45',
    '04:00',
  ]);
  for (const { place } of ticks) expect(place).toBeLessThanOrEqual(1);
});

test('steps stand in their order, from 0 to 1, and breaks take a quarter of the axis at most', () => {
  const gaps = fc.array(fc.oneof(fc.integer({ min: -5, max: 30 }), fc.integer({ max: 5_000 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(gaps, (all) => {
      const { places, breaks } = lineOf(...all);
      expect(places).toHaveLength(all.length + 1);
      for (const [index, place] of places.entries()) {
        expect(place).toBeGreaterThanOrEqual(places[index - 1] ?? 0);
        expect(place).toBeLessThanOrEqual(1);
        expect(places[indexAt(places, place)]).toBe(place);
      }
      const wide = breaks.reduce((sum, { from, to }) => sum + to - from, 0);
      expect(wide).toBeLessThanOrEqual(0.25 + 1e-9);
    }),
  );
});
