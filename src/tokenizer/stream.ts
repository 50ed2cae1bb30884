import { grow } from './growing.ts';
import { shortPiece, type Merge } from './merge.ts';
import type { Split } from './split/split.ts';
import type { Rank } from './vocabulary.ts';

// A longer text splits otherwise only at its end. Whether a piece goes on is known
// where a run of letters or of white space ends, and such a run is two pieces at most:
//
//   … word ¦ \n \n ¦ ␣        one piece of white space if a line end follows
//   … word ¦ 中 ¦ QQ          one word if a small letter follows (o200k)
//   … word ¦ 中 ¦ QQ ¦ \ud83d    or the other half of a pair that is one
//
// So all pieces but the last three are settled: a number, and their text is let go.

/** Counts a text that arrives in pieces. */
export interface TokenStream {
  /** Takes the next bit of the text, cut anywhere; cheap, for it counts nothing. */
  push(delta: string): void;
  /**
   * Exact tokens of all that was pushed. Asking counts what arrived since it was last
   * asked, and looks through the last three pieces again.
   */
  readonly total: number;
}

/** The parts of a counter. */
export interface Parts {
  readonly split: Split;
  readonly rank: Rank;
  /** Tokens of a piece. */
  readonly piece: Merge;
}

/** How many pieces at the end a longer text may still change. */
const unsettled = 3;

/** Bytes of U+FFFD, as which half of a surrogate pair counts until the other comes. */
const halfBytes = 3;

/** An empty stream. */
export function toStream({ split, rank, piece }: Parts): TokenStream {
  /** Tokens and bytes of the pieces that are settled. */
  let settled = 0;
  let from = 0;
  let tail = '';
  /** The first half of a surrogate pair behind it; '' for none. One that stays alone is U+FFFD, which splits alike in a twentieth of the time. */
  let half = '';
  let open = 0;
  let isCounted = true;
  let wasHalf = false;
  /** Where the tokens of long pieces end, by the byte of the text at which they begin. */
  let long = new Map<number, number[]>();

  function endsOf(bytes: Uint8Array, begin: number): number[] {
    const ends = long.get(begin) ?? [];
    // The half is in as many tokens at most.
    if (wasHalf) ends.splice(-halfBytes);
    grow(rank, ends, bytes);
    return ends;
  }

  function recount(): void {
    const last: { readonly tokens: number; readonly start: number }[] = [];
    const known = new Map<number, number[]>();
    let cut = 0;
    let cutBytes = 0;
    open = 0;
    split(tail + half, (bytes, start, end) => {
      let tokens: number;
      if (end - start > shortPiece) {
        const ends = endsOf(bytes.subarray(start, end), from + start);
        known.set(from + start, ends);
        tokens = ends.length;
      } else tokens = piece(bytes, start, end);
      open += tokens;
      last.push({ tokens, start });
      if (last.length <= unsettled) return;
      const first = last.shift()!;
      settled += first.tokens;
      open -= first.tokens;
      cutBytes = last[0]!.start;
      cut += unitsIn(bytes, first.start, cutBytes);
    });
    wasHalf = half !== '';
    tail = tail.slice(cut);
    from += cutBytes;
    long = known;
    isCounted = true;
  }

  return {
    push(delta) {
      const arrived = half + delta;
      half = /[\ud800-\udbff]$/.exec(arrived.slice(-1))?.[0] ?? '';
      tail += arrived.slice(0, arrived.length - half.length).toWellFormed();
      isCounted &&= delta === '';
    },
    get total() {
      if (!isCounted) recount();
      return settled + open;
    },
  };
}

/** UTF-16 units that `bytes` of UTF-8 from `start` up to `end` stand for. */
function unitsIn(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
