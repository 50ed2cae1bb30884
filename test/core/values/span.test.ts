import { expect, test } from 'vitest';
import {
  endsOf,
  isWithin,
  joinedSpans,
  positionsIn,
  rangeLabel,
  sharedSpans,
  toPositionSpans,
  toSpans,
} from '../../../src/core/values/span.ts';

test('positions become spans, neighbors joined, and are the same positions again', () => {
  expect(toPositionSpans([])).toEqual([]);
  expect(toPositionSpans([2, 3, 4, 6, 9, 10])).toEqual([
    [2, 4],
    [6, 6],
    [9, 10],
  ]);
  const spans = toSpans([2, 3, 4, 6]);
  expect(spans.map(rangeLabel)).toEqual(['e2–e4', 'e6']);
  expect(positionsIn(spans)).toEqual([2, 3, 4, 6]);
  expect(endsOf(spans[0]!)).toEqual([2, 4]);
});

test('spans that overlap or follow one another are joined, in any order', () => {
  expect(
    joinedSpans([
      [8, 9],
      [1, 3],
      [4, 4],
      [2, 2],
      [6, 6],
    ]),
  ).toEqual([
    [1, 4],
    [6, 6],
    [8, 9],
  ]);
  expect(
    joinedSpans([
      [1, 9],
      [2, 3],
    ]),
  ).toEqual([[1, 9]]);
});

test('what two lists of spans share lies in both, to the very position', () => {
  expect(
    sharedSpans(
      [
        [1, 4],
        [6, 9],
      ],
      [
        [4, 6],
        [9, 12],
      ],
    ),
  ).toEqual([
    [4, 4],
    [6, 6],
    [9, 9],
  ]);
  expect(sharedSpans([[1, 2]], [[3, 4]])).toEqual([]);
});

test('both ends of a span lie within it', () => {
  expect([2, 3, 4, 5, 6].map((n) => isWithin([3, 5], n))).toEqual([false, true, true, true, false]);
});
