/** FNV-1a over `bytes` from `start` up to `end`, folded so that the low bits can index a table. */
export function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  return value ^ (value >>> 15);
}
