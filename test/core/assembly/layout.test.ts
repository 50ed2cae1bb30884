import { expect, test } from 'vitest';
import { goalTokens, layOut } from '../../../src/core/assembly/layout.ts';
import { layoutContext, play, words } from '../../notation/state.ts';

// The window is 1,000 tokens without a reserve, so the caps are 100 tokens for the
// goal, 150 for the tree, 200 for the ledger and 250 for human text.

/** What a layout chose and what the sections cost, without what is 0. */
function fitted(line: string, factor = 1): readonly [plan: string, sizes: string] {
  const played = play(line);
  const { plan, sizes } = layOut(played.state, layoutContext(played, factor));
  const { factor: _, ledger, ...numbers } = plan;
  return [printNumbers({ ...numbers, ledger: ledger.length }), printNumbers(sizes)];
}

const printNumbers = (numbers: object): string =>
  Object.entries(numbers)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ');

const times = (count: number, step: (n: number) => string, separator = ' '): string =>
  Array.from({ length: count }, (_, n) => step(n)).join(separator);

const closed = (count: number): string => times(count, (n) => `push:f${n} pop`);
const planned = (count: number): string => times(count, (n) => `plan:p${n}`);
const deep = (count: number): string => times(count, (n) => `a5 push:f${n}`);
const quoted = (count: number): string =>
  `${times(count, () => 'u10')} checkpoint:5 offloaded:${times(count - 1, (n) => `e${n + 1}`, ',')}`;

test.each([
  ['a session that begins needs no section', 'u20 a30', '', ''],
  [
    'what fits is whole',
    'u20 goal:30 plan:docs push:auth',
    'planned 1',
    'goal 38, frames 24, human 20',
  ],
  ['a checkpoint is never cut here', 'a9 checkpoint:300', '', 'checkpoints 310'],
  ['a goal within its cap is whole', 'goal:92', '', 'goal 100'],
  ['of a longer one a line is left', 'goal:93', 'goal 9', 'goal 15'],
  ['of closed children the newest have results', closed(40), 'full 23, lines 8', 'frames 150'],
  [
    'planned ones take half of the room',
    `${planned(40)} ${closed(40)}`,
    'full 11, lines 5, planned 23',
    'frames 150',
  ],
  ['a path shows all its partial results', deep(8), '', 'frames 105'],
  ['of a longer path the last one', deep(12), 'path 1', 'frames 120'],
  ['of a still longer path only its ends', deep(20), 'path 3', 'frames 29'],
  ['quotes stand while there is room', quoted(20), 'quotes 19', 'checkpoints 15, human 102'],
  ['then the newest', quoted(90), 'quotes 44', 'checkpoints 15, human 202'],
  [
    'human text that fills the cap leaves room for their count only',
    'u10 u245 a5 checkpoint:5 offloaded:e1',
    '',
    'checkpoints 15, human 256',
  ],
  [
    'names that left take four fifths of their cap',
    `a5 checkpoint:5 named:${times(300, (n) => `src/f${n}.ts`, ',')}`,
    'ledger 1',
    'checkpoints 15, ledger 157',
  ],
])('%s', (...[, line, plan, sizes]) => {
  expect(fitted(line)).toEqual([plan, sizes]);
});

test.each([
  [1, 'full 23, lines 8', 'goal 100, frames 150'],
  [0.4, 'full 8, lines 3', 'goal 100, frames 60'],
  [0, 'goal 8, path 3', 'goal 100, frames 11'],
])('the factor %d scales every cap but the goal’s', (factor, plan, sizes) => {
  expect(fitted(`goal:92 ${closed(40)}`, factor)).toEqual([plan, sizes]);
});

test('a ledger that has room gets one more block, and the first stays', () => {
  const line = 'a5 checkpoint:5 named:src/a.ts epoch u6 a5 checkpoint:5 named:src/b.ts';
  const played = play(line);
  const { plan } = layOut(played.state, layoutContext(played));
  expect(plan.ledger.map(({ text, upTo }) => `${played.bodies.text(text)} (e${upTo})`)).toEqual([
    'Named earlier, out of view now:\nFiles (* changed): src/a.ts (e1)',
    'Files (* changed): src/b.ts (e3)',
  ]);
});

test('what a goal will cost is what the next epoch counts', () => {
  expect(goalTokens(play('goal:30').state, words)).toBe(38);
  expect(goalTokens(play('goal:300').state, words)).toBe(15);
});
