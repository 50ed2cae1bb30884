import type { Count } from '../core/tokens.ts';
import { toMemo } from './memo.ts';
import { toMerge } from './merge.ts';
import { toPattern } from './pattern.ts';
import { scans } from './scan.ts';
import type { Encoding } from './tokenizer.ts';
import { toRank, type Ranks } from './vocabulary.ts';

/** Bytes of UTF-8 that one UTF-16 unit takes at most. */
const bytesPerUnit = 3;

/** The buffer that is kept between counts, in bytes; a giant text gets one of its own. */
const keptBuffer = 1 << 18;

const utf8 = new TextEncoder();

/**
 * The exact count of `encoding`: split into pieces, one token for each that is in
 * the vocabulary, byte-pair merging for the others. Time is near-linear in the text,
 * whatever it is. Lone surrogates count as U+FFFD, text of special tokens as text.
 */
export function toCount(encoding: Encoding, ranks: Ranks): Count {
  const scan = scans[encoding];
  const rank = toRank(ranks.bpe_ranks);
  const merge = toMemo(toMerge(rank));
  const pattern = toPattern(ranks.pat_str);
  const kept = new Uint8Array(keptBuffer);

  /** Where the piece ends that begins at unit `index` of `text`, by the expression. */
  function match(text: string, index: number): number {
    pattern.lastIndex = index;
    pattern.test(text);
    return pattern.lastIndex;
  }

  return (text) => {
    const room = text.length * bytesPerUnit;
    const bytes = room > keptBuffer ? new Uint8Array(room) : kept;
    const { written } = utf8.encodeInto(text, bytes);
    let tokens = 0;
    let index = 0;
    let end = 0;
    for (let start = 0; start < written; start = end) {
      end = scan(bytes, start, written);
      if (isOpen(bytes, end, written)) {
        const next = match(text, index);
        end = start + byteLength(text, index, next);
        index = next;
      } else index += end - start;
      const known = end - start === 1 || rank(bytes, start, end) >= 0;
      tokens += known ? 1 : merge(bytes, start, end);
    }
    return tokens;
  };
}

/**
 * Whether what follows `end` may belong to the piece before it: a character beyond
 * ASCII, or an apostrophe before one (`ſ` makes a contraction).
 */
function isOpen(bytes: Uint8Array, end: number, length: number): boolean {
  if (end >= length) return false;
  const byte = bytes[end]!;
  if (byte > 0x7f) return true;
  return byte === 0x27 && end + 1 < length && bytes[end + 1]! > 0x7f;
}

/** Bytes that units `start` to `end` of `text` take in UTF-8; a lone surrogate takes three. */
function byteLength(text: string, start: number, end: number): number {
  let bytes = 0;
  for (let index = start; index < end; index += 1) {
    const point = text.codePointAt(index)!;
    if (point > 0xffff) {
      bytes += 4;
      index += 1;
    } else if (point > 0x7ff) bytes += 3;
    else bytes += point > 0x7f ? 2 : 1;
  }
  return bytes;
}
