import { hash } from './hash.ts';
import type { Merge } from './merge.ts';

/** How many pieces are remembered; a power of two. */
const slots = 32_768;

/** The longest piece that is remembered, in bytes. */
const longest = 64;

/**
 * `merge` that remembers the pieces it met last: names and words of a session
 * come back. One table of fixed size (2 MB) that holds copies of bytes, because
 * a map of strings would keep the whole texts alive that they were cut from. A
 * newer piece takes the slot of an older one.
 */
export function toMemo(merge: Merge): Merge {
  const pieces = new Uint8Array(slots * longest);
  const lengths = new Uint8Array(slots);
  const counts = new Uint8Array(slots);
  return (bytes, start, end) => {
    const length = end - start;
    if (length > longest) return merge(bytes, start, end);
    const slot = hash(bytes, start, end) & (slots - 1);
    const from = slot * longest;
    let same = lengths[slot] === length ? 0 : length + 1;
    while (same < length && pieces[from + same] === bytes[start + same]) same += 1;
    if (same === length) return counts[slot]!;
    const tokens = merge(bytes, start, end);
    for (let at = 0; at < length; at += 1) pieces[from + at] = bytes[start + at]!;
    lengths[slot] = length;
    counts[slot] = tokens;
    return tokens;
  };
}
