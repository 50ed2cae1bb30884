import { expect, test } from 'vitest';
import { uncalibrated, type Calibration } from '../../../src/core/budget/calibration.ts';
import { limitForGiants, limitIn, roomOf } from '../../../src/core/state/limit.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play } from '../../notation/state.ts';

/** A session with a model, in a window of 10,000 without reserve. */
function withModel(line: string, calibration: Partial<Calibration> = {}): State {
  const { state } = play(line, { window: 10_000, model: 'm' });
  return { ...state, calibration: { ...uncalibrated, ...calibration } };
}

test('without a model the limit is the window less the reserve', () => {
  expect(roomOf({ window: 8_000, reserve: 1_200 })).toBe(6_800);
  const { state } = play('u50', { window: 8_000, reserve: 1_200 });
  expect([limitIn(state), limitForGiants(state)]).toEqual([6_800, 6_800]);
});

test.each<readonly [string, string, Partial<Calibration>, number]>([
  ['two and a half times as much', '', {}, 4_000],
  ['a quarter more, once it has answered', '', { answered: true }, 8_000],
  ['that of its ratio, where that is more than ours', '', { answered: true, ratio: 1.6 }, 5_000],
  ['no less where its ratio is less than ours', '', { answered: true, ratio: 0.5 }, 8_000],
  ['more where its counts surprised', '', { answered: true, surprise: 0.25 }, 6_400],
  ['but room for what was said first and last', 'u3000 a10 u1000', {}, 4_512],
  ['and for the newest unit', 'u3000 a1000 u10 a20 call:read result:read:600', {}, 4_132],
  ['never more than there is', 'u9000 a10 u5000', {}, 10_000],
])('before the first report the limit leaves room for %s', (...[, line, calibration, limit]) => {
  expect(limitIn(withModel(line, calibration))).toBe(limit);
  expect(limitForGiants(withModel(line, calibration))).toBe(10_000);
});

test('what stands at the head is not divided', () => {
  const state = withModel('');
  const sizes = { ...state.epochView.sizes, system: 1_000, goal: 500 };
  const headed = {
    ...state,
    epochView: { ...state.epochView, sizes },
    tools: { ...state.tools, tokens: 500 },
  };
  expect(limitIn(headed)).toBe(2_000 + 8_000 / 2.5);
});

test('after reports the limit is what they leave, at least a quarter and at most what the least ratio has room for', () => {
  const reported = { estimate: 1_000, epoch: 0, reported: 1_000 };
  const of = (ratio: number): number =>
    limitIn(withModel('', { samples: 5, ratio, last: reported }));
  expect(of(100)).toBe(2_500);
  expect(of(0.01)).toBeLessThanOrEqual(100_000);
  expect(of(1)).toBeGreaterThan(2_500);
});
