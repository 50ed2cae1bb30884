// LevelDB sums its pieces and blocks with CRC-32C (Castagnoli), which Node does not have, and stores the sum
// masked: turned, and with a constant added.

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** A running sum before its first byte. */
export const crcStart = 0xffffffff;

/** A running sum with one more byte. */
export const crcNext = (crc: number, byte: number): number =>
  (crc >>> 8) ^ table[(crc ^ byte) & 0xff]!;

/** The sum that a running one has come to. */
export const crcEnd = (crc: number): number => (crc ^ 0xffffffff) >>> 0;

/** The CRC-32C of bytes. */
export function crc32c(bytes: Uint8Array): number {
  let crc = crcStart;
  for (let index = 0; index < bytes.length; index += 1) crc = crcNext(crc, bytes[index]!);
  return crcEnd(crc);
}

/** A stored sum as it was computed. */
export function unmasked(stored: number): number {
  const turned = (stored - 0xa282ead8) >>> 0;
  return ((turned >>> 17) | (turned << 15)) >>> 0;
}
