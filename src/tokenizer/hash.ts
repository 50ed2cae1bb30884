// FNV-1a, byte by byte, so that a vocabulary is hashed while it is decoded.

/** The hash of no bytes. */
export const noBytes = 0x811c9dc5 | 0;

/** The running hash with one more byte. */
export function mix(running: number, byte: number): number {
  return Math.imul(running ^ byte, 0x01000193);
}

/** A running hash folded, so that its low bits can index a table. */
export function fold(running: number): number {
  return running ^ (running >>> 15);
}

/** The folded hash of `bytes` from `start` up to `end`. */
export function hash(bytes: Uint8Array, start: number, end: number): number {
  let running = noBytes;
  for (let at = start; at < end; at += 1) running = mix(running, bytes[at]!);
  return fold(running);
}
