import { expect, test } from 'vitest';
import { bareGoalTokens, layOut } from '../../../src/core/assembly/layout.ts';
import { layoutContext, play, words } from '../../notation/state.ts';

// The window is 1,000 tokens without a reserve, so the caps are 100 tokens for the
// goal, 150 for the tree, 250 for human text and 350 for the chronicle, which takes
// what human text leaves; the index of files may take 80 of it.

/** What a layout chose and what the sections cost, without what is 0. */
function fitted(line: string, factor = 1): readonly [plan: string, sizes: string] {
  const played = play(line);
  const { plan, sizes } = layOut(played.state, layoutContext(played, factor));
  const { factor: _, chronicle, whole: __, ...numbers } = plan;
  return [printNumbers({ ...numbers, floor: chronicle.floor }), printNumbers(sizes)];
}

const printNumbers = (numbers: object): string =>
  Object.entries(numbers)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ');

const times = (count: number, step: (n: number) => string, separator = ' '): string =>
  Array.from({ length: count }, (_, n) => step(n)).join(separator);

const closed = (count: number): string => times(count, (n) => `push:f${n} pop`);
const quoted = (count: number): string =>
  `${times(count, () => 'u10')} checkpoint:5 offloaded:${times(count - 1, (n) => `e${n + 1}`, ',')}`;

test.each([
  ['a session that begins needs no section', 'u20 a30', '', ''],
  [
    'what fits is whole',
    'u20 goal:30 plan:docs push:auth',
    'planned 1, plannedBrief 1, plannedWhole 1',
    'goal 38, frames 23, human 20',
  ],
  ['a checkpoint is never cut here', 'a9 checkpoint:300', '', 'checkpoints 310'],
  ['a goal within its cap is whole', 'goal:92', '', 'goal 100'],
  ['of a longer one a line is left', 'goal:93', 'goal 9', 'goal 15'],
  ['quotes stand while there is room', quoted(20), 'quotes 19', 'checkpoints 33, human 144'],
  ['then the newest', quoted(90), 'quotes 25', 'checkpoints 33, human 174'],
  [
    'human text that fills the cap leaves room for their count only',
    'u10 u245 a5 checkpoint:5 offloaded:e1',
    '',
    'checkpoints 33, human 282',
  ],
  [
    'what left is told in lines while there is room',
    `u10 a5 checkpoint:5 told:${times(20, () => '20', ',')}`,
    '',
    'checkpoints 33, chronicle 446, human 10',
  ],
  [
    'then in those of the most worth, in three quarters of the room',
    `u10 a5 checkpoint:5 told:${times(60, () => '20', ',')}`,
    'floor 44',
    'checkpoints 33, chronicle 383, human 10',
  ],
  [
    'in less of it, the more people said',
    `u200 a5 checkpoint:5 told:${times(60, () => '20', ',')}`,
    'floor 50',
    'checkpoints 33, chronicle 257, human 200',
  ],
])('%s', (...[, line, plan, sizes]) => {
  expect(fitted(line)).toEqual([plan, sizes]);
});

test.each([
  [1, 'full 23, lines 11', 'goal 100, frames 150'],
  [0.4, 'full 8, lines 3', 'goal 100, frames 59'],
  [0, 'goal 8, path 9', 'goal 100, frames 11'],
])('the factor %d scales every cap but the goal’s', (factor, plan, sizes) => {
  expect(fitted(`a740 goal:92 ${closed(40)}`, factor)).toEqual([plan, sizes]);
});

test('the least that a goal costs is what it takes where nothing else can give', () => {
  expect(bareGoalTokens(play('goal:30').state, words)).toBe(38);
  expect(bareGoalTokens(play('goal:300').state, words)).toBe(15);
  const played = play('goal:30');
  const decisions = Array.from({ length: 5 }, (_, n) => ({ text: `rule ${n}`, locked: true }));
  const state = { ...played.state, goal: { ...played.state.goal!, decisions } };
  const [full, bare] = [1, 0].map(
    (factor) => layOut(state, layoutContext(played, factor)).sizes.goal,
  );
  expect([bareGoalTokens(state, words), bare, full]).toEqual([42, 42, 59]);
});

const told = times(9, (n) => `push:f${n} pop:30:10`);
const planned = (count: number): string => times(count, (n) => `plan:f${n}:20`);
const deep = times(12, (n) => `push:f${n}:30 a9`);
const lines = times(30, () => '20', ',');

test.each([
  [
    'u20 goal:30 plan:docs:30 push:auth:60 a100',
    1,
    'planned 1, plannedBrief 1, plannedWhole 1',
    'goal 38, frames 109, human 20',
  ],
  [
    'u20 goal:30 plan:docs:30 push:auth:60 a100',
    0.5,
    'planned 1, plannedBrief 1, plannedWhole 1',
    'goal 38, frames 109, human 20',
  ],
  [
    'u20 goal:30 plan:docs:30 push:auth:60 a100',
    0.2,
    'planned 1, plannedBrief 1, plannedWhole 1',
    'goal 38, frames 109, human 20',
  ],
  [
    'u20 goal:30 plan:docs:30 push:auth:60 a100',
    0,
    'goal 8, path 9',
    'goal 38, frames 18, human 20',
  ],
  [`u20 ${told} a460`, 1, 'full 9', 'frames 243'],
  [`u20 ${told} a460`, 0.5, 'full 5, lines 4', 'frames 116'],
  [`u20 ${told} a460`, 0.2, 'full 2, lines 5', 'frames 51'],
  [`u20 ${planned(9)} a460`, 1, 'planned 9, plannedBrief 9, plannedWhole 9', 'frames 207'],
  [`u20 ${planned(9)} a460`, 0.5, 'planned 9, plannedBrief 9, plannedWhole 4', 'frames 117'],
  [`u20 ${planned(9)} a460`, 0.2, 'planned 9, plannedBrief 9', 'frames 45'],
  [
    `u20 ${planned(9)} ${told} a460`,
    1,
    'full 9, planned 9, plannedBrief 9, plannedWhole 4',
    'frames 243',
  ],
  [
    `u20 ${planned(9)} ${told} a460`,
    0.5,
    'full 2, lines 4, planned 9, plannedBrief 9, plannedWhole 1',
    'frames 130',
  ],
  [
    `u20 ${planned(60)} ${told} a460`,
    0.3,
    'full 2, lines 1, planned 11, plannedBrief 2',
    'frames 78',
  ],
  [`u20 ${closed(260)}`, 1, 'full 81, lines 36', 'frames 490'],
  [`${deep} a300`, 1, 'path 1', 'frames 154'],
  [`${deep} a300`, 0.4, 'path 1', 'frames 154'],
  [`u10 a5 checkpoint:5 told:${lines}`, 0.5, 'floor 24', 'checkpoints 33, chronicle 173, human 10'],
  [
    `u10 a5 checkpoint:5 told:${lines}`,
    0,
    `goal 8, floor ${Number.MAX_VALUE}`,
    'checkpoints 33, human 10',
  ],
  [
    `u60 u50 a9 checkpoint:5 offloaded:e1 told:${lines} epoch a9 checkpoint:9`,
    1,
    'quotes 1, floor 16',
    'checkpoints 48, chronicle 341, human 92',
  ],
])('“%s” under factor %d is laid out in parts', (...[line, factor, plan, sizes]) => {
  expect(fitted(line, factor)).toEqual([plan, sizes]);
});
