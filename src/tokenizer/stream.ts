import { toGrowing, type Growing } from './growing.ts';
import { shortPiece, type Merge } from './merge.ts';
import { endsInHalf, moreOf, settledLength } from './run.ts';
import type { Split } from './split.ts';
import type { Encoding } from './tokenizer.ts';
import type { Rank } from './vocabulary.ts';

/** Counts a text that arrives bit by bit. */
export interface TokenStream {
  /** Takes the next bit of the text, cut anywhere; answers the tokens of the whole so far. */
  push(delta: string): number;
  /** Exact tokens of all that was pushed. */
  readonly total: number;
}

/** What a vocabulary counts with. */
export interface Parts {
  readonly encoding: Encoding;
  readonly split: Split;
  readonly rank: Rank;
  /** Tokens of a piece. */
  readonly piece: Merge;
}

/** A long last piece, and what it takes without being split again. */
interface Long {
  readonly growing: Growing;
  readonly more: RegExp;
}

const utf8 = new TextEncoder();

/** Units at the end of a text that tell what a long piece is: two for each of four letters. */
const endLength = 8;

/** Bytes of U+FFFD, as which half of a pair counts. */
const halfBytes = 3;

/**
 * An empty stream. It holds the tail that a longer text may still split otherwise;
 * all before is a number. A long last piece grows in place.
 */
export function toStream({ encoding, split, rank, piece }: Parts): TokenStream {
  let settled = 0;
  let tail = '';
  /** The half of a surrogate pair that the tail ends in, if it does. */
  let half = '';
  let long: Long | undefined;
  /** Tokens of the tail; without its last piece where that is long. */
  let open = 0;

  const total = (): number => settled + open + (long?.growing.tokens ?? 0);

  function recount(): void {
    const stays = settledLength(tail, encoding);
    let index = 0;
    let cut = 0;
    open = 0;
    long = undefined;
    split(tail, (bytes, start, end) => {
      index += unitsIn(bytes, start, end);
      if (index === tail.length && end - start > shortPiece)
        long = toLong(bytes.subarray(start, end));
      if (index === tail.length && long !== undefined) return;
      const tokens = piece(bytes, start, end);
      if (index <= stays) {
        settled += tokens;
        cut = index;
      } else open += tokens;
    });
    tail = tail.slice(cut);
  }

  function toLong(bytes: Uint8Array): Long | undefined {
    const more = moreOf(tail.slice(-endLength), encoding);
    return more && { growing: toGrowing(rank, bytes), more };
  }

  return {
    push(delta) {
      const isPaired = half !== '' && (delta.charCodeAt(0) & 0xfc00) === 0xdc00;
      const more = isPaired ? half + delta : delta;
      tail += delta;
      if (delta !== '') half = endsInHalf(delta) ? delta.slice(-1) : '';
      if (long?.more.test(more)) long.growing.append(utf8.encode(more), isPaired ? halfBytes : 0);
      else if (delta !== '') recount();
      return total();
    },
    get total() {
      return total();
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
