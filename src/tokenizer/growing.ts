import { mergeEnds } from './merge.ts';
import type { Rank } from './vocabulary.ts';

// A piece that grows at its end is merged anew at its end only. What allows it: tokens
// side by side are the encoding of their bytes exactly if each two neighbors, merged
// alone, come out as themselves. For the first join across a border would happen between
// two neighbors alone as well. So the first tokens are kept, the rest is merged again,
// and the one new border is tried; if it does not hold, more is merged again.

/** One piece, longer than any token, that may grow. */
export interface Growing {
  /** Tokens of the piece as it is. */
  readonly tokens: number;
  /** Puts bytes in place of the last `over`; 0 only adds. */
  append(bytes: Uint8Array, over: number): void;
}

/** Tokens that are merged again at first; few, because one may be 128 spaces. */
const again = 2;

/** A growing piece that begins as `piece`. */
export function toGrowing(rank: Rank, piece: Uint8Array): Growing {
  let bytes = piece.slice();
  let length = piece.length;
  const ends = mergeEnds(rank, piece);

  function holds(kept: number, end: number): boolean {
    const border = ends[kept - 1]!;
    const start = kept > 1 ? ends[kept - 2]! : 0;
    const parts = mergeEnds(rank, bytes.subarray(start, end));
    return parts.length === 2 && parts[0] === border - start;
  }

  function mergeAgain(): void {
    for (let back = again; ; back *= 2) {
      const kept = Math.max(0, ends.length - back);
      const border = kept > 0 ? ends[kept - 1]! : 0;
      const parts = mergeEnds(rank, bytes.subarray(border, length));
      if (kept > 0 && !holds(kept, border + parts[0]!)) continue;
      ends.length = kept;
      for (const end of parts) ends.push(border + end);
      return;
    }
  }

  return {
    get tokens() {
      return ends.length;
    },
    append(more, over) {
      length -= over;
      while (ends.length > 0 && ends.at(-1)! > length) ends.pop();
      if (length + more.length > bytes.length) {
        const wider = new Uint8Array(2 * (length + more.length));
        wider.set(bytes.subarray(0, length));
        bytes = wider;
      }
      bytes.set(more, length);
      length += more.length;
      mergeAgain();
    },
  };
}
