import { varintAt } from './bytes.ts';

// Snappy is a length, then literals and copies of what stands before. What is damaged may still be of use:
// every record has a sum of its own. So unpacking never fails; it ends where it can no longer go on.

/** Most bytes that one block is unpacked to. */
const largest = 1 << 28;

/** What packed bytes hold, as far as they can be read; what is missing at the end is zeros. */
export function unsnappy(packed: Uint8Array): Buffer {
  const length = varintAt(packed, 0);
  // No byte stands for more than 64.
  if (length === null || length[0] > Math.min(largest, packed.length * 64)) return Buffer.alloc(0);
  const out = Buffer.alloc(length[0]);
  let at = length[1];
  let end = 0;
  while (at < packed.length && end < out.length) {
    const tag = packed[at]!;
    if ((tag & 3) === 0) {
      const [size, begin] = literalAt(packed, at);
      if (begin + size > packed.length || end + size > out.length) return out;
      out.set(packed.subarray(begin, begin + size), end);
      end += size;
      at = begin + size;
    } else {
      const { size, offset, next } = copyAt(packed, at);
      if (offset < 1 || offset > end || next > packed.length) return out;
      // A copy may overlap what it writes.
      const stop = Math.min(end + size, out.length);
      for (; end < stop; end += 1) out[end] = out[end - offset]!;
      at = next;
    }
  }
  return out;
}

function literalAt(packed: Uint8Array, at: number): readonly [size: number, begin: number] {
  const short = packed[at]! >> 2;
  if (short < 60) return [short + 1, at + 1];
  const width = short - 59;
  return [littleAt(packed, at + 1, width) + 1, at + 1 + width];
}

function copyAt(
  packed: Uint8Array,
  at: number,
): { readonly size: number; readonly offset: number; readonly next: number } {
  const tag = packed[at]!;
  if ((tag & 3) === 1) {
    const offset = ((tag >> 5) << 8) | (packed[at + 1] ?? 0);
    return { size: ((tag >> 2) & 7) + 4, offset, next: at + 2 };
  }
  const width = (tag & 3) === 2 ? 2 : 4;
  return { size: (tag >> 2) + 1, offset: littleAt(packed, at + 1, width), next: at + 1 + width };
}

function littleAt(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let index = width - 1; index >= 0; index -= 1)
    value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
