import { expect, test } from 'vitest';
import {
  isClearable,
  released,
  replaceItems,
  toHuman,
  unitsOf,
  widen,
} from '../../../src/core/state/view.ts';
import { certainty, withText } from '../../../src/core/state/state.ts';
import { leftAt, leftWith, positionsOf } from '../../../src/core/state/timeline.ts';
import { entryId, textId } from '../../../src/core/values/id.ts';
import { play } from '../../notation/state.ts';
import { parseView, printView } from '../../notation/view.ts';

test.each([
  ['1t60', true],
  ['1t59', false],
  ['1t300~60', true],
  ['1t300~59', false],
  ['1t300-60', false],
  ['1t300?300', false],
  ['1t300!300', false],
  ['1a300', false],
])('whether a marker could stand for %s: %s', (line, is) =>
  expect(isClearable(parseView(line).items[0]!)).toBe(is),
);

test('a view is released of what holds it, and of nothing else', () => {
  const view = parseView('1u40 2a20');
  expect(released({ ...view, isHeld: true })).toEqual(view);
  expect(released(view)).toEqual(view);
});

test('items are replaced by their position, but for those that close a call', () => {
  const view = parseView('1a40 2t300 1t6!');
  const changed = new Map([
    [1, { shown: 9 }],
    [2, { form: 'cleared', shown: 5 }],
  ] as const);
  const next = replaceItems(view, changed);
  expect(printView(next)).toBe('1a409 2t300-5 1t6!');
  expect(next.tokens).toBe(20);
});

test.each([
  [null, 4, 'e4–e4 1'],
  [[3, 5], 4, 'e3–e5 3'],
  [[3, 5], 2, 'e2–e5 3'],
  [[3, 5], 6, 'e3–e6 3'],
  [[3, 5], 3, 'e3–e5 3'],
  [[3, 5], 5, 'e3–e5 3'],
] as const)('%j and %d are behind one breadcrumb: %s', (range, n, widened) => {
  const before =
    range === null ? null : { from: entryId(range[0]), to: entryId(range[1]), entries: 2 };
  const { from, to, entries } = widen(before, n);
  expect(`${from}–${to} ${entries}`).toBe(widened);
});

test('what stands or falls together is a unit', () => {
  expect(unitsOf(parseView('1u5 2a9 3t4 4t6-2 5u7'))).toEqual([
    { start: 0, end: 1, tokens: 5 },
    { start: 1, end: 4, tokens: 15 },
    { start: 4, end: 5, tokens: 7 },
  ]);
  expect(unitsOf(parseView(''))).toEqual([]);
});

test('what a person said is kept with what is shown of it', () => {
  const [whole, short] = parseView('1u40 2u300~60').items.map(toHuman);
  expect(whole).toEqual({ n: 1, tokens: 40, shown: 40 });
  expect(short).toEqual({ n: 2, tokens: 300, shown: 60, text: textId(2) });
});

test.each([
  [[3], 0, 'm', 'bound'],
  [[3], 2, 'm', 'bound'],
  [[], 0, 'm', 'estimate'],
  [[], 2, null, 'estimate'],
  [[], 2, 'm', 'measured'],
] as const)('with %j uncounted and %d reports of %s a count is %s', (...row) => {
  const [uncounted, samples, model, sure] = row;
  const { state } = play('u5');
  const calibration = { ...state.calibration, samples };
  const options = { ...state.options, model };
  expect(certainty({ ...state, uncounted, calibration, options })).toBe(sure);
});

test('texts are as many as the highest number says', () => {
  const { state } = play('u5');
  expect(withText(state, undefined)).toBe(state);
  expect(withText({ ...state, textCount: 4 }, textId(3)).textCount).toBe(4);
  expect(withText({ ...state, textCount: 4 }, textId(5)).textCount).toBe(5);
});

test('a branch is left behind with the entries on it, or not at all', () => {
  const branch = { id: 7, cause: 'undo' } as const;
  expect(leftWith([], branch)).toEqual([]);
  const left = leftWith([3, 4, 6], branch);
  const runs = [
    [3, 4],
    [6, 6],
  ];
  expect(left).toEqual([{ ...branch, from: 'e3', to: 'e6', entries: 3, runs }]);
  expect([2, 3, 4, 5, 6, 7].filter((n) => leftAt(left, n) !== undefined)).toEqual([3, 4, 6]);
  expect(positionsOf(left[0]!)).toEqual([3, 4, 6]);
});
