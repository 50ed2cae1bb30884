import fc from 'fast-check';
import { expect, test } from 'vitest';
import { triggerOf } from '../../../src/cli/render/bar.ts';
import { parts } from '../../../src/cli/render/budget.ts';
import { countedBudget } from '../../../src/core/sections/counted-budget.ts';
import { budgetOf } from '../../../src/core/budget/budget.ts';

const sizes = { system: 80, tools: 75, goal: 0, frames: 0, checkpoints: 0, chronicle: 0 };

/** A budget whose window holds 1,000 tokens of its server's, 700 of ours. */
const measured = (working: number, counted: number) => ({
  ...budgetOf({
    options: { window: 1_200, reserve: 200, trigger: 0.8 },
    sizes: { ...sizes, human: 20 },
    working,
    limit: 700,
    count: 'measured' as const,
  }),
  counted,
});

test('a budget in the tokens of the server has the window less the answer as its limit', () => {
  const { limit, total, available, threshold } = countedBudget(measured(175, 500));
  expect([limit, total, available, threshold]).toEqual([1_000, 500, 779, 623]);
});

test('its parts add up, its trigger stands between total and limit, and above its limit nothing is left', () => {
  fc.assert(
    fc.property(fc.nat(900), fc.integer({ min: 1, max: 2_000 }), (working, counted) => {
      const own = measured(working, counted);
      const budget = countedBudget(own);
      expect(parts.reduce((sum, [name]) => sum + budget[name], 0)).toBe(budget.total);
      expect(budget.limit).toBe(1_000);
      if (own.total > own.limit) expect(budget.total).toBeGreaterThan(budget.limit);
      if (budget.total <= 1_000) {
        expect(triggerOf(budget)).toBeGreaterThanOrEqual(budget.total);
        expect(triggerOf(budget)).toBeLessThanOrEqual(budget.limit);
      }
    }),
  );
});

test('what no server has counted is told in our tokens', () => {
  const own = { ...measured(200, 500), count: 'estimate' as const };
  expect(countedBudget(own)).toBe(own);
});
