import { expect, test } from 'vitest';
import { when } from '../../../src/cli/paper/size.ts';

test('a day is told to its last moment, in whatever order days come', () => {
  const now = new Date(2026, 5, 1).getTime();
  const moments = [
    new Date(2026, 0, 1),
    new Date(2026, 0, 1, 23, 59, 59, 999),
    new Date(2026, 0, 2),
    new Date(2025, 11, 31, 23, 59),
    new Date(2026, 2, 29, 23, 59),
    new Date(2026, 2, 30),
    new Date(2026, 0, 1, 12),
  ].map((date) => when(date.getTime(), now));
  expect(moments).toEqual([
    '2026-01-01',
    '2026-01-01',
    '2026-01-02',
    '2025-12-31',
    '2026-03-29',
    '2026-03-30',
    '2026-01-01',
  ]);
});
