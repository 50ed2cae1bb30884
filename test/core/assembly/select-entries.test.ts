import { expect, test } from 'vitest';
import { allowance, itemsIn, select } from '../../../src/core/assembly/select-entries.ts';
import type { Options } from '../../../src/core/budget/options.ts';
import { play } from '../../notation/state.ts';

// The window is 1,000 tokens without a reserve: unless told, the newest entries may
// keep 300, and 90 of them stay verbatim as a whole.

function selected(line: string, options: Partial<Options> = {}, onlyNewest = false): string {
  const { state } = play(line, options);
  const range = select(state, state.active, onlyNewest);
  return range === null ? 'nothing' : `${range.from}–${range.to}, ${range.tokens} tokens`;
}

test.each([
  ['nothing of what may be kept', 'u20 a300', 'nothing'],
  ['the oldest entries beyond that', 'u20 a100 a100 a100 a100', 'e2–e2, 100 tokens'],
  ['all but the newest unit, whatever its size', 'u20 a100 a900', 'e2–e2, 100 tokens'],
  ['nothing that costs less than twice its tags', 'u20 a79 a300', 'nothing'],
  ['what costs twice its tags', 'u20 a80 a300', 'e2–e2, 80 tokens'],
  ['what lies between human text, which stays', 'u20 a200 u30 a200 a280', 'e2–e4, 400 tokens'],
  ['more, the more people said', 'u20 a200 u250 a100 a100', 'e2–e4, 300 tokens'],
  ['machine text as well', 'u20 m200 a100 a200', 'e2–e2, 200 tokens'],
])('a compression takes %s', (_, line, range) => {
  expect(selected(line)).toBe(range);
});

test.each([
  ['goes as a whole', 'u20 call:read,grep result:read:90 result:grep:90 a290', 'e2–e4, 200 tokens'],
  [
    'stays as a whole',
    'u20 a200 call:read,grep result:read:90 result:grep:90',
    'e2–e2, 200 tokens',
  ],
  ['stays where it waits for results', 'u20 a200 a200 call:read', 'e2–e2, 200 tokens'],
  [
    'ends before a result that comes late',
    'u20 call:read closed a300 result:read:90',
    'e2–e3, 320 tokens',
  ],
])('a unit %s', (_, line, range) => {
  expect(selected(line)).toBe(range);
});

test('beyond what stays verbatim, results count as their markers', () => {
  expect(selected('u20 a200 call:read result:read:180 a40 a100')).toBe('e2–e2, 200 tokens');
  expect(selected('u20 a200 a10 a180 a40 a100')).toBe('e2–e4, 390 tokens');
});

test('preserveRecent moves the cut', () => {
  const line = 'u20 a100 a100 a100 a100';
  expect(selected(line, { preserveRecent: 100 })).toBe('e2–e4, 300 tokens');
  expect(selected(line, { preserveRecent: 200 })).toBe('e2–e3, 200 tokens');
});

test('all but the newest unit are taken where only that is to stay', () => {
  expect(selected('u20 a100 a100 call:read result:read:9', {}, true)).toBe('e2–e3, 200 tokens');
});

test('a closed frame has nothing to select', () => {
  const { state } = play('u20 push:x a900 a900 pop');
  expect([...state.views.keys()].map((frame) => select(state, frame))).toEqual([null]);
  expect(select(state, state.frames.chunks.flat()[1]!.id)).toBeNull();
});

test('the items of a range are all up to its end, human ones too', () => {
  const { state } = play('u20 a100 u5 a100 a300');
  const range = select(state, state.active)!;
  expect(itemsIn(state.views.get(state.active)!, range).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
});

test.each([
  ['a session that begins', 'u20 a300', 'keep 300, whole 90, room 320, factor 1'],
  [
    'a goal that is not shown yet counts as its cap',
    'u20 a300 goal:50',
    'keep 282, whole 84, room 302, factor 0.85',
  ],
  [
    'one that is shown counts as it is',
    'u20 a300 goal:50 epoch',
    'keep 300, whole 90, room 320, factor 0.85',
  ],
  [
    'new frames count as the cap of the tree',
    'u20 a300 plan:x',
    'keep 235, whole 70, room 255, factor 0.7',
  ],
  [
    'so do checkpoints, all of their lengths',
    'u20 a30 checkpoint:400 a90',
    'keep 291, whole 87, room 311, factor 0.85',
  ],
  [
    'human text counts up to its cap',
    'u200 u200 u200 u200 a50',
    'keep 39, whole 11, room 471, factor 0.06',
  ],
])('what may be kept: %s', (_, line, expected) => {
  const { state } = play(line);
  const { keep, whole, room, factor } = allowance(state, state.active);
  expect(`keep ${keep}, whole ${whole}, room ${room}, factor ${factor}`).toBe(expected);
});
