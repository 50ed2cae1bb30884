import { toHeap } from './heap.ts';
import type { Rank } from './vocabulary.ts';

// Byte-pair merging: a piece begins as single bytes, and the two neighbors that
// together make the token of lowest rank are joined, the leftmost first, until no
// two make one. Looking for the lowest anew after each join is quadratic, which is
// how 100 KiB of one letter stops a program for minutes. So: in place where a piece
// is short, and with a heap of pairs, O(n log n), where it is long. Both join in
// the same order, hence count the same.

/** The tokens of the piece that is `bytes` from `start` up to `end`; at least one byte. */
export type Merge = (bytes: Uint8Array, start: number, end: number) => number;

/** The longest piece that is merged in place, in bytes. */
export const shortPiece = 256;

/** Merging by the ranks of a vocabulary. */
export function toMerge(rank: Rank): Merge {
  const short = toShortMerge(rank);
  return (bytes, start, end) =>
    end - start > shortPiece
      ? mergeLong(rank, bytes.subarray(start, end)).parts
      : short(bytes, start, end);
}

/** Above every rank: of two parts that do not merge. */
const noRank = 0x7fffffff;

function toShortMerge(rank: Rank): Merge {
  const starts = new Int32Array(shortPiece + 1);
  const ranks = new Int32Array(shortPiece + 1);
  return (bytes, start, end) => {
    const pair = (part: number): number => {
      if (part + 2 > parts) return noRank;
      const found = rank(bytes, starts[part]!, starts[part + 2]!);
      return found < 0 ? noRank : found;
    };
    let parts = end - start;
    for (let part = 0; part <= parts; part += 1) starts[part] = start + part;
    for (let part = 0; part < parts; part += 1) ranks[part] = pair(part);
    for (;;) {
      let least = noRank;
      let at = -1;
      for (let part = 0; part < parts - 1; part += 1) {
        if (ranks[part]! >= least) continue;
        least = ranks[part]!;
        at = part;
      }
      if (at < 0) return parts;
      parts -= 1;
      // A loop: for so few numbers `copyWithin` takes longer to begin than to copy.
      for (let part = at + 1; part <= parts; part += 1) {
        starts[part] = starts[part + 1]!;
        ranks[part] = ranks[part + 1]!;
      }
      ranks[at] = pair(at);
      if (at > 0) ranks[at - 1] = pair(at - 1);
    }
  };
}

/** A heap key is `rank × positions + position`: lowest rank first, then leftmost; exact in a double. */
const positions = 2 ** 32;

/** Where each token of `piece` ends, in order; of a piece of any length. */
export function mergeEnds(rank: Rank, piece: Uint8Array): number[] {
  const { next, parts } = mergeLong(rank, piece);
  const ends: number[] = [];
  for (let end = next[0]!; ends.length < parts; end = next[end]!) ends.push(end);
  return ends;
}

interface Merged {
  /** Where the part ends that begins at each position. */
  readonly next: Int32Array;
  readonly parts: number;
}

function mergeLong(rank: Rank, piece: Uint8Array): Merged {
  const length = piece.length;
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const ranks = new Int32Array(length).fill(-1);
  // Each join takes one pair out and puts at most two in.
  const heap = toHeap(2 * length);

  function offer(at: number): void {
    const after = next[at]!;
    const found = after < length ? rank(piece, at, next[after]!) : -1;
    ranks[at] = found;
    if (found >= 0) heap.push(found * positions + at);
  }

  let parts = length;
  for (let at = 0; at <= length; at += 1) {
    next[at] = at + 1;
    previous[at] = at - 1;
  }
  for (let at = 0; at < length; at += 1) offer(at);
  for (let key = heap.pop(); key !== Infinity; key = heap.pop()) {
    const lowest = Math.floor(key / positions);
    const at = key - lowest * positions;
    if (ranks[at] !== lowest) continue; // this pair changed after it was offered
    const joined = next[at]!;
    const after = next[joined]!;
    next[at] = after;
    previous[after] = at;
    ranks[joined] = -1;
    parts -= 1;
    offer(at);
    if (at > 0) offer(previous[at]!);
  }
  return { next, parts };
}
