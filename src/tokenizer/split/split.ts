import { scans, signBytes } from './scan.ts';
import type { Encoding } from '../tokenizer.ts';

/** Takes one piece: `bytes` from `start` up to `end`, which hold it during the call only. */
export type Visit = (bytes: Uint8Array, start: number, end: number) => void;

/** Hands each piece of a text, as UTF-8, to `visit`, in order. Lone surrogates become U+FFFD. */
export type Split = (text: string, visit: Visit) => void;

/** Bytes of UTF-8 that one UTF-16 unit takes at most. */
const bytesPerUnit = 3;

/** The buffer that is kept between texts, in bytes; a giant text gets one of its own. */
const keptBuffer = 1 << 18;

const utf8 = new TextEncoder();

/**
 * The split of `encoding`, whose pieces `source` matches: by the scanner, and by that
 * expression where a piece may hold a character beyond ASCII.
 */
export function toSplit(encoding: Encoding, source: string): Split {
  const scan = scans[encoding];
  let pattern: RegExp | undefined;
  const kept = new Uint8Array(keptBuffer);
  return (text, visit) => {
    const room = text.length * bytesPerUnit;
    const bytes = room > keptBuffer ? new Uint8Array(room) : kept;
    const { written } = utf8.encodeInto(text, bytes);
    // The unit of `text` at which the byte `known` lies.
    let index = 0;
    let known = 0;
    let end = 0;
    for (let start = 0; start < written; start = end) {
      end = scan(bytes, start, written);
      if (isOpen(bytes, end, written)) {
        pattern ??= new RegExp(source, 'uy');
        index += characters(bytes, known, start);
        pattern.lastIndex = index;
        pattern.test(text);
        end = start + byteLength(text, index, pattern.lastIndex);
        index = pattern.lastIndex;
        known = end;
      }
      visit(bytes, start, end);
    }
  };
}

/** Characters from `start` to `end`; of those that the scanner knows each is one UTF-16 unit. */
function characters(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if ((bytes[at]! & 0xc0) !== 0x80) count += 1;
  return count;
}

/**
 * Whether what follows `end` may belong to the piece before it: a character beyond
 * ASCII that is no sign, or an apostrophe before one (`ſ` makes a contraction).
 */
function isOpen(bytes: Uint8Array, end: number, length: number): boolean {
  if (end >= length) return false;
  const byte = bytes[end]!;
  if (byte > 0x7f) return signBytes(bytes, end) === 0;
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
