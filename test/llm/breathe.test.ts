import { expect, test } from 'vitest';
import { newBreathe } from '../../src/llm/breathe.ts';

test('others get a turn where the work since the last one took long, and no sooner', async () => {
  let now = 0;
  let turns = 0;
  const breathe = newBreathe(() => now);
  const turn = (): void => void (turns += 1);
  for (const [passed, expected] of [
    [2, 0],
    [3, 0],
    [1, 1],
    [5, 1],
    [1, 2],
  ] as const) {
    const next = setImmediate(turn);
    now += passed;
    await breathe();
    clearImmediate(next);
    expect(turns).toBe(expected);
  }
});
