import { expect, test } from 'vitest';
import {
  allowance,
  itemsIn,
  select,
  selectToRecent,
} from '../../../src/core/assembly/select-entries.ts';
import type { Options } from '../../../src/core/budget/options.ts';
import { play } from '../../notation/state.ts';

// The window is 1,000 tokens without a reserve. Of the 700 that are used after a
// compression, 140 are for its checkpoint: beside 20 of human text, the newest
// entries may keep 540, and 270 of them stay verbatim as a whole.

function selected(line: string, options: Partial<Options> = {}, onlyNewest = false): string {
  const { state } = play(line, options);
  const range = select(state, state.active, onlyNewest);
  return range === null ? 'nothing' : `${range.from}–${range.to}, ${range.tokens} tokens`;
}

test.each([
  ['nothing of what may be kept', 'u20 a300', 'nothing'],
  ['the oldest entries beyond that', 'u20 a100 a200 a200 a200', 'e2–e3, 300 tokens'],
  ['all but the newest unit, whatever its size', 'u20 a100 a900', 'e2–e2, 100 tokens'],
  ['nothing that costs less than twice its tags', 'u20 a79 a540', 'nothing'],
  ['what costs twice its tags', 'u20 a80 a540', 'e2–e2, 80 tokens'],
  ['what lies between human text, which stays', 'u20 a200 u30 a200 a400', 'e2–e4, 400 tokens'],
  ['more, the more people said', 'u20 a200 u250 a200 a200', 'e2–e4, 400 tokens'],
  [
    'more, where the sections may become so large that no room would be left',
    'u20 a200 a60 a510',
    'e2–e3, 260 tokens',
  ],
  ['machine text as well', 'u20 m200 a200 a200', 'e2–e2, 200 tokens'],
])('a compression takes %s', (_, line, range) => {
  expect(selected(line)).toBe(range);
});

test.each([
  ['goes as a whole', 'u20 call:read,grep result:read:90 result:grep:90 a520', 'e2–e4, 200 tokens'],
  [
    'stays as a whole',
    'u20 a400 call:read,grep result:read:90 result:grep:90',
    'e2–e2, 400 tokens',
  ],
  ['stays where it waits for results', 'u20 a200 a580 call:read', 'e2–e3, 780 tokens'],
  [
    'ends before a result that comes late',
    'u20 call:read closed a500 result:read:90',
    'e2–e3, 520 tokens',
  ],
])('a unit %s', (_, line, range) => {
  expect(selected(line)).toBe(range);
});

test('beyond what stays verbatim, results count as their markers', () => {
  expect(selected('u20 a300 call:read result:read:380 a150 a150')).toBe('e2–e2, 300 tokens');
  expect(selected('u20 a300 a10 a380 a150 a150')).toBe('e2–e4, 690 tokens');
});

test('preserveRecent moves the cut', () => {
  const line = 'u20 a100 a100 a100 a100';
  expect(selected(line, { preserveRecent: 100 })).toBe('e2–e4, 300 tokens');
  expect(selected(line, { preserveRecent: 200 })).toBe('e2–e3, 200 tokens');
});

test('the cut comes as close as it can to what may be kept, below or above', () => {
  const line = 'u20 a100 a60 a100';
  expect(selected(line, { preserveRecent: 140 })).toBe('e2–e2, 100 tokens');
  expect(selected(line, { preserveRecent: 120 })).toBe('e2–e3, 160 tokens');
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
  const { state } = play('u20 a100 u5 a100 a500');
  const range = select(state, state.active)!;
  expect(itemsIn(state.views.get(state.active)!, range).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
});

test.each([
  ['a session that begins', 'u20 a300', 'keep 540, whole 270, room 560, factor 1'],
  [
    'a goal that is not shown yet counts as its cap',
    'u20 a300 goal:50',
    'keep 440, whole 220, room 460, factor 1',
  ],
  [
    'one that is shown counts as it is',
    'u20 a300 goal:50 epoch',
    'keep 482, whole 241, room 502, factor 1',
  ],
  [
    'new frames count as the cap of the tree',
    'u20 a300 plan:x',
    'keep 300, whole 150, room 320, factor 1',
  ],
  [
    'checkpoints and what left count as they are shown, with a checkpoint to come',
    'u20 a30 checkpoint:90 told:40 epoch a90',
    'keep 355, whole 177, room 375, factor 1',
  ],
  [
    'but no more than all their lengths and caps',
    'u20 a30 checkpoint:800 epoch a90',
    'keep 178, whole 89, room 198, factor 0.7',
  ],
  [
    'human text that must stand takes from the entries, and nothing from the sections',
    'u450 u450 a50',
    'keep -273, whole -137, room 659, factor 0',
  ],
  [
    'human text counts up to its cap',
    'u200 u200 u200 u200 a50',
    'keep 158, whole 79, room 590, factor 0.7',
  ],
])('what may be kept: %s', (_, line, expected) => {
  const { state } = play(line);
  const { keep, whole, room, factor } = allowance(state, state.active);
  expect(`keep ${keep}, whole ${whole}, room ${room}, factor ${factor}`).toBe(expected);
});

test.each<readonly [string, Partial<Options>, readonly string[], string | null]>([
  ['u20 a300', {}, ['540 270 560 1'], null],
  ['u20 a100 a100', { preserveRecent: 150 }, ['150 150 170 1'], null],
  ['u20 a100 a100', { preserveRecent: 900 }, ['540 540 560 1'], null],
  ['u20 goal:40 a100 epoch', {}, ['492 246 512 1'], null],
  ['u20 goal:40 a100', {}, ['440 220 460 1'], null],
  ['u20 a100 a100', { system: 'Be so very careful' }, ['537 268 557 1'], null],
  ['u20 u250 a100 u30 a100', {}, ['310 155 560 1'], null],
  ['u20 u250 a100 checkpoint:40 a90 epoch u30 a100', {}, ['242 121 492 1'], null],
  ['u20 u250 a100 u20 checkpoint:40 offloaded:e2 a90 epoch u30 a100', {}, ['402 201 492 1'], null],
  ['u20 push:x a100 pop:90 epoch a100', {}, ['439 219 459 1'], null],
  ['u20 push:x a100 pop:90 a100', {}, ['300 150 320 1'], null],
  [
    'u20 push:x u5 a100 push:y u6 a100',
    {},
    ['295 147 320 1', '295 147 320 1', '289 144 320 1'],
    null,
  ],
  ['u700 a100 u200', {}, ['-273 -137 659 0'], 'e2–e2 100'],
  [
    'u20 a100 checkpoint:40 a90 checkpoint:60 a60 checkpoint:30 a9 checkpoint:50 epoch a9',
    {},
    ['314 157 334 1'],
    null,
  ],
  ['u20 a100 told:40,30 epoch a9', {}, ['442 221 462 1'], null],
])(
  'what each frame of “%s” may keep, what of it whole, with human text, and under which factor',
  (...row) => {
    const [line, options, allowances, recent] = row;
    const { state } = play(line, options);
    const printed = [...state.views.keys()].map((frame) => {
      const { keep, whole, room, factor } = allowance(state, frame);
      return `${keep} ${whole} ${room} ${factor}`;
    });
    expect(printed).toEqual(allowances);
    const range = selectToRecent(state, state.active);
    expect(range === null ? null : `${range.from}–${range.to} ${range.tokens}`).toBe(recent);
  },
);

test.each([
  ['u20 a100 a290 a290', '540 270 560 1', 'e2–e3 2 390', 'e2–e3 2 390'],
  [
    'u20 a100 call:read result:read:380 a100 call:read result:read:160',
    '540 270 560 1',
    null,
    'e2–e5 4 590',
  ],
  ['u20 a100 u40 a200 u60 a200 a200', '440 220 560 1', 'e2–e4 2 300', 'e2–e6 3 500'],
  ['u20 u100 u100 a200 a200 a200', '340 170 560 1', 'e4–e4 1 200', 'e4–e5 2 400'],
  ['u300 a100 u100 a200 a200', '158 79 590 0.7', 'e2–e4 2 300', 'e2–e4 2 300'],
  ['u20 a300 m100 call:read result:read:10 a380', '540 270 560 1', 'e2–e2 1 300', 'e2–e5 4 420'],
  [
    'u20 a200 goal:30 a300 push:x u30 a200 a300 a200',
    '185 92 235 0.85',
    'e5–e6 2 500',
    'e5–e6 2 500',
  ],
  [
    'u20 a90 checkpoint:200 a90 checkpoint:60 epoch a300 a300 a200',
    '246 123 266 1',
    'e4–e5 2 600',
    'e4–e5 2 600',
  ],
  [
    'u200 a200 u100 checkpoint:100 offloaded:e3 a90 epoch u80 a300 a200 a200',
    '168 84 480 0.7',
    'e4–e7 3 590',
    'e4–e7 3 590',
  ],
  [
    'u20 push:x a100 pop:90 push:y a100 pop:60 epoch a300 a400',
    '377 188 397 1',
    'e4–e4 1 300',
    'e4–e4 1 300',
  ],
  [
    'u20 a100 told:60,40 checkpoint:50 epoch a300 a260 a200',
    '334 167 354 1',
    'e3–e3 1 300',
    'e3–e4 2 560',
  ],
])('of “%s” may be kept %s; taken is %s, and %s where only the newest stay', (...row) => {
  const [line, kept, taken, recent] = row;
  const { state } = play(line);
  const { keep, whole, room, factor } = allowance(state, state.active);
  expect(`${keep} ${whole} ${room} ${factor}`).toBe(kept);
  const ranges = [select(state, state.active), selectToRecent(state, state.active)].map((range) =>
    range === null ? null : `${range.from}–${range.to} ${range.entries} ${range.tokens}`,
  );
  expect(ranges).toEqual([taken, recent]);
  expect(select(state, state.active)).toBe(select(state, state.active));
});

test('results are whole until the newest take half of what may be kept', () => {
  expect(selected('u20 a150 call:read result:read:250 a269')).toBe('e2–e2, 150 tokens');
  expect(selected('u20 a150 call:read result:read:250 a270')).toBe('nothing');
});
