import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, startOfDay, timeOf } from '../../../src/core/values/date.ts';

test('days and times are those of a calendar, back to year 1 and on to 9999', () => {
  const moment = fc.integer({
    min: Date.UTC(1, 0, 1) - 62_135_596_800_000,
    max: 253_402_300_799_999,
  });
  fc.assert(
    fc.property(
      moment.filter((at) => at >= -62_135_596_800_000),
      (at) => {
        const [day, time] = new Date(at).toISOString().split('T');
        expect([dayOf(at), timeOf(at)]).toEqual([day, time!.slice(0, 5)]);
        expect(startOfDay(day!)).toBe(Math.floor(at / 86_400_000) * 86_400_000);
      },
    ),
    { numRuns: 400 },
  );
});

test.each(['1970-01-01', '1999-12-31', '2000-02-29', '2024-02-29', '2024-03-01', '2100-03-01'])(
  'the day %s begins where it begins',
  (day) => {
    expect(startOfDay(day)).toBe(Date.parse(day));
    expect(dayOf(Date.parse(day))).toBe(day);
    expect(dayOf(Date.parse(day) + 86_399_999)).toBe(day);
    expect(dayOf(Date.parse(day) - 1)).not.toBe(day);
  },
);

test.each([
  '2023-02-29',
  '2100-02-29',
  '2024-13-01',
  '2024-00-10',
  '2024-01-32',
  '24-01-01',
  '2024-1-1',
  'x2024-01-01',
  '2024-01-01x',
  '',
])('there is no day "%s"', (day) => expect(startOfDay(day)).toBe(0));
