import { expect, test, vi } from 'vitest';
import { countAhead } from '../../../src/engine/live/counting.ts';

test('a giant that a decision makes of one that was counted ahead is counted once, however often it begins again', async () => {
  const giant = 'word '.repeat(100_000);
  const count = vi.fn((text: string) => text.length);
  const counted = await countAhead([{ role: 'tool', content: giant }], count, undefined);
  expect(counted(giant)).toBe(giant.length);
  const made = `Result of read:\n${giant}`;
  const before = count.mock.calls.length;
  for (let run = 0; run < 5; run += 1)
    expect(counted(`Result of read:\n${giant}`)).toBe(made.length);
  expect(count.mock.calls.length).toBe(before + 1);
});
