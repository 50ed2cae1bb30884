import { expect, test } from 'vitest';
import {
  answersTo,
  cutNow,
  fallOfLimit,
  isWithin,
} from '../../src/viewer/page/session/model/cut-now.ts';
import { addStep, emptyHistory } from '../../src/viewer/page/session/model/history.ts';
import { isApart } from '../../src/viewer/page/session/model/axis/bands.ts';
import type { News, Step } from '../../src/viewer/page/session/model/wire.ts';

const counted = (sent: number, ours: number): News => ({
  type: 'counted',
  sent,
  counted: ours,
  ours,
});
const answer: News = {
  type: 'entry',
  entry: 'e9',
  frame: 'f0',
  role: 'assistant',
  human: false,
  at: 0,
  tokens: 1,
  text: 'ok',
};
const cut: News = { type: 'cut', rule: 'count.cut', isCertain: true, lost: ['e1-e4'] };
const recovered: News = { type: 'recovery', stage: 'recovered', text: '' };

/** A history of steps with these news, the limit of which is that many hundred tokens. */
function historyOf(...steps: readonly (readonly [limit: number, ...News[]])[]) {
  const history = emptyHistory();
  for (const [index, [limit, ...news]] of steps.entries()) {
    const step: Step = {
      seq: index + 1,
      frame: 'f0',
      at: 0,
      written: 0,
      turn: 1,
      epoch: 1,
      said: 0,
      sizes: [],
      limit: limit * 100,
      due: 0,
      news,
    };
    addStep(history, step);
  }
  return history;
}

test('a cut holds until it is recovered', () => {
  const history = historyOf([80], [80, counted(5_600, 3_900), cut, answer], [80], [34, recovered]);
  const held = [0, 1, 2, 3].map((at) => cutNow(history, at)?.at);
  expect(held).toEqual([undefined, 1, 1, undefined]);
  expect(answersTo(history, cutNow(history, 2)!)).toEqual(['e9']);
  expect(fallOfLimit(history, 3)).toEqual({ from: 8_000, to: 3_400 });
  expect(fallOfLimit(history, 2)).toBeNull();
});

test('a cut holds until another prompt is counted, and a cut one is the next', () => {
  const history = historyOf(
    [80, counted(5_600, 3_900), cut],
    [80, counted(5_700, 5_700)],
    [80, counted(6_000, 3_900), cut],
  );
  expect([0, 1, 2].map((at) => cutNow(history, at)?.at)).toEqual([0, undefined, 2]);
});

test('an entry is within a range, or alone', () => {
  expect(['e1', 'e4', 'e5', 'e7'].filter((id) => isWithin(['e1-e4', 'e7'], id))).toEqual([
    'e1',
    'e4',
    'e7',
  ]);
});

test('what was counted is told beside what was sent where they are apart', () => {
  expect(isApart({ sent: 1_000, ours: 950 })).toBe(false);
  expect(isApart({ sent: 12_400, ours: 4_096 })).toBe(true);
  expect(isApart({ sent: 1_900, ours: 4_096 })).toBe(true);
  expect(isApart({ sent: 4_275, ours: 3_874, isCut: true })).toBe(true);
});
