import { expect, test } from 'vitest';
import { fading } from '../../../src/core/values/fading.ts';

test('what is left is a power, whichever was asked for before', () => {
  const left = fading(0.95);
  expect([3, 0, 7, 3].map(left)).toEqual([3, 0, 7, 3].map((steps) => 0.95 ** steps));
});
