import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksOf, type Reach } from '../../src/viewer/page/session/model/axis/ticks.ts';

// What stands below the axis is what is there, not what happened last before it.

const hour = 3_600_000;
const texts = (reach: Reach, room: number): readonly string[] =>
  ticksOf(reach, room).map(({ text }) => text);

test('times stand at round hours, each where it is, the day where it begins', () => {
  const from = Date.UTC(2026, 2, 2, 9, 1);
  const ticks = ticksOf({ axis: 'time', from, reach: 33 * hour }, 6);
  expect(ticks.map(({ text }) => text)).toEqual([
    '03-02 12:00 UTC',
    '18:00',
    '03-03 00:00',
    '06:00',
    '12:00',
    '18:00',
  ]);
  for (const [index, { place }] of ticks.entries())
    expect(place * 33 * hour).toBeCloseTo((2 + 59 / 60 + 6 * index) * hour, 0);
  expect(texts({ axis: 'time', from, reach: 40_000 }, 4)).toEqual([
    '03-02 09:01:00 UTC',
    '09:01:10',
    '09:01:20',
    '09:01:30',
    '09:01:40',
  ]);
  expect(texts({ axis: 'time', from, reach: 90 * 24 * hour }, 3)).toEqual(['2026-04-09']);
});

test('turns and tokens are round, too; the beginning stands where there is room before them', () => {
  expect(texts({ axis: 'turns', from: 1, reach: 30.9 }, 7)).toEqual(
    [1, 5, 10, 15, 20, 25, 30].map((n) => `turn ${n}`),
  );
  expect(texts({ axis: 'tokens', from: 0, reach: 78_811 }, 4)).toEqual([
    '0',
    '20,000',
    '40,000',
    '60,000',
  ]);
});

test('two sessions are told by how far each place is from their beginnings', () => {
  const from = 1;
  expect(texts({ axis: 'time', from, reach: 5 * hour, isDistance: true }, 5)).toEqual([
    '0 s',
    '1 h',
    '2 h',
    '3 h',
    '4 h',
    '5 h',
  ]);
  expect(texts({ axis: 'turns', from, reach: 4, isDistance: true }, 2)).toEqual([
    'turn 2',
    'turn 4',
  ]);
});

const reaches: fc.Arbitrary<Reach> = fc.record({
  axis: fc.constantFrom('turns', 'time', 'tokens'),
  from: fc.integer({ min: 0, max: 4e12 }),
  reach: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 1e15, noNaN: true })),
});

test('whatever an axis reaches over, no label stands twice, and all in order within it', () => {
  fc.assert(
    fc.property(reaches, fc.integer({ min: 1, max: 12 }), (reach, room) => {
      const ticks = ticksOf(reach, room);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(room + 2);
      const places = ticks.map(({ place }) => place);
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
      expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...places)).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});
