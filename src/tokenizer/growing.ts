import { mergeEnds } from './merge.ts';
import type { Rank } from './vocabulary.ts';

// A piece that grows at its end is merged anew at its end only. What allows it: tokens
// side by side are the encoding of their bytes exactly if each two neighbors, merged
// alone, come out as themselves. For the first join across a border would happen between
// two neighbors alone as well. So the first tokens are kept, the rest is merged again,
// and the one new border is tried; if it does not hold, more is merged again.

/** Tokens that are merged again at first; few, because one may be 128 spaces. */
const mergedAgain = 2;

/**
 * Makes `ends`, where the tokens of a piece ended, those of `piece`: the same piece
 * with more or less at its end. Without any it is merged as a whole.
 */
export function grow(rank: Rank, ends: number[], piece: Uint8Array): void {
  while (ends.length > 0 && ends.at(-1)! > piece.length) ends.pop();
  for (let back = mergedAgain; ; back *= 2) {
    const kept = Math.max(0, ends.length - back);
    const border = kept > 0 ? ends[kept - 1]! : 0;
    const parts = mergeEnds(rank, piece.subarray(border));
    if (kept > 0) {
      const before = kept > 1 ? ends[kept - 2]! : 0;
      const two = mergeEnds(rank, piece.subarray(before, border + parts[0]!));
      if (two.length !== 2 || two[0] !== border - before) continue;
    }
    ends.length = kept;
    for (const end of parts) ends.push(border + end);
    return;
  }
}
