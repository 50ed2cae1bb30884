import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengths, planAging, targetOf } from '../../../src/core/checkpoints/aging.ts';
import type { Checkpoint } from '../../../src/core/checkpoints/checkpoint.ts';
import { checkpointId } from '../../../src/core/values/id.ts';
import { checkpoints, plan } from '../../notation/checkpoints.ts';

test('the first checkpoint ages nothing', () => {
  expect(plan('')).toBe('');
});

test('a new checkpoint ages every one before it by one step', () => {
  expect(plan('recent 1200')).toBe('c0 → old');
  expect(plan('old 600, recent 1200')).toBe('c0 → ancient, c1 → old');
  expect(plan('ancient 300, old 600, recent 1200')).toBe('c0 → merged, c1 → ancient, c2 → old');
});

test('the two oldest become one when both are merged', () => {
  expect(plan('merged 150, ancient 300, old 600, recent 1200')).toBe(
    'c1 → merged, c2 → ancient, c3 → old; c0 + c1',
  );
});

test('target lengths are those of the seed, or the share of a small limit', () => {
  const targets = (limit: number, factor = 1) =>
    (['recent', 'old', 'ancient', 'merged'] as const).map((age) =>
      targetOf(age, { limit, factor }),
    );
  expect(targets(13_600)).toEqual([1_200, 600, 300, 150]);
  expect(targets(8_000)).toEqual([800, 400, 200, 100]);
  expect(targets(2_000)).toEqual([200, 100, 50, 0]);
  expect(targets(13_600, 0.5)).toEqual([600, 300, 150, 75]);
});

/** Carries a plan out as the engine does: steps, then the merge, then the new one. */
function carryOut(before: readonly Checkpoint[]): Checkpoint[] {
  const { steps, merge } = planAging(before);
  const aged = before.map((checkpoint) => {
    const step = steps.find(({ checkpoint: id }) => id === checkpoint.id);
    return step === undefined
      ? checkpoint
      : { ...checkpoint, age: step.age, tokens: Math.min(checkpoint.tokens, lengths[step.age]) };
  });
  const kept = aged.filter(({ id }) => !merge.includes(id));
  const joined = merge.length === 0 ? [] : [{ ...aged[0]!, age: 'merged' as const, tokens: 150 }];
  const fresh = { ...checkpoints('recent 1200')[0]!, id: checkpointId(before.length + 100) };
  return [...joined, ...kept, fresh].map((checkpoint, index) => ({
    ...checkpoint,
    id: checkpointId(index),
  }));
}

test('without end there are never more than four checkpoints, at most 2,250 tokens together', () => {
  let list: Checkpoint[] = [];
  for (let round = 0; round < 500; round += 1) {
    list = carryOut(list);
    expect(list.length).toBeLessThanOrEqual(4);
    expect(list.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(2_250);
  }
});

test('no plan lengthens a checkpoint or makes it younger', () => {
  const age = fc.constantFrom('recent', 'old', 'ancient', 'merged');
  fc.assert(
    fc.property(fc.array(age, { maxLength: 6 }), (ages) => {
      const list = checkpoints(ages.map((one) => `${one} 100`).join(', '));
      const order = ['recent', 'old', 'ancient', 'merged'];
      for (const { checkpoint, age } of planAging(list).steps) {
        const before = list.find(({ id }) => id === checkpoint)!;
        expect(order.indexOf(age)).toBeGreaterThan(order.indexOf(before.age));
      }
    }),
  );
});
