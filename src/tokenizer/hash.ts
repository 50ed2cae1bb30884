// FNV-1a, byte by byte, so that a vocabulary is hashed in the loop that enters it.

/** The hash of no bytes. */
export const noBytes = 0x811c9dc5 | 0;

/** With one more byte a running hash is `Math.imul(running ^ byte, prime)`. */
export const prime = 0x01000193;

/** A running hash folded, so that its low bits can index a table. */
export function fold(running: number): number {
  return running ^ (running >>> 15);
}

/** The folded hash of `bytes` from `start` up to `end`. */
export function hash(bytes: Uint8Array, start: number, end: number): number {
  let running = noBytes;
  for (let at = start; at < end; at += 1) running = Math.imul(running ^ bytes[at]!, prime);
  return fold(running);
}
