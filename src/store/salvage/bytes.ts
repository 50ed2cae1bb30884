/** A number of LevelDB's variable length, and where it ends; null where the bytes end before it. */
export function varintAt(
  bytes: Uint8Array,
  from: number,
): readonly [value: number, end: number] | null {
  let value = 0;
  let scale = 1;
  for (let at = from; at < bytes.length && at < from + 9; at += 1) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at + 1];
    scale *= 128;
  }
  return null;
}
