import fc from 'fast-check';
import { expect, test } from 'vitest';
import { playMoves } from '../../src/testing/laws/play.ts';
import { move, refusals } from './moves.ts';

test('every law holds after every step of any session', async () => {
  const runs = Number(process.env['LAWS_RUNS'] ?? 150);
  const limits = fc.constantFrom(2_000, 2_500, 4_000, 8_000);
  const moves = fc.array(move, { minLength: 1, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(moves, limits, async (moves, limit) => {
      const { found } = await playMoves(moves, { limit, every: 20, allowed: refusals });
      expect(found).toEqual([]);
    }),
    { numRuns: runs, interruptAfterTimeLimit: 100_000 },
  );
});
