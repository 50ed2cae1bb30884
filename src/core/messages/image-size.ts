// The size of an image stands in its first bytes. These are read where they are in the base64: an image
// of a megabyte is looked at in some dozens of places.

/** The size of an image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes of base64 by their place; NaN beyond the end. */
export interface Bytes {
  readonly length: number;
  at(index: number): number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits: ReadonlyMap<number, number> = new Map(
  Array.from(`${alphabet}-_`, (sign, index) => [
    sign.charCodeAt(0),
    index < alphabet.length ? index : index - 2,
  ]),
);

/** The bytes that a text in base64 stands for, also of a `data:` address. */
export function bytesOf(data: string): Bytes {
  const start = data.startsWith('data:') ? data.indexOf(',') + 1 : 0;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const length = Math.floor(((data.length - start - padding) * 3) / 4);
  const digit = (index: number): number => digits.get(data.charCodeAt(start + index)) ?? Number.NaN;
  return {
    length,
    at(index) {
      if (index < 0 || index >= length) return Number.NaN;
      const group = Math.floor(index / 3) * 4;
      const place = index % 3;
      if (place === 0) return (digit(group) << 2) | (digit(group + 1) >> 4);
      if (place === 1) return ((digit(group + 1) & 15) << 4) | (digit(group + 2) >> 2);
      return ((digit(group + 2) & 3) << 6) | digit(group + 3);
    },
  };
}

/** The size that the header of a PNG, GIF, JPEG or WebP says; null where it cannot be read. */
export function imageSize(bytes: Bytes): ImageSize | null {
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

/** The number in `count` bytes, the first of them the highest. */
function big(bytes: Bytes, index: number, count: number): number {
  let number = 0;
  for (let at = index; at < index + count; at += 1) number = number * 256 + bytes.at(at);
  return number;
}

/** The number in `count` bytes, the first of them the lowest. */
function little(bytes: Bytes, index: number, count: number): number {
  let number = 0;
  for (let at = index + count - 1; at >= index; at -= 1) number = number * 256 + bytes.at(at);
  return number;
}

function hasText(bytes: Bytes, index: number, text: string): boolean {
  return Array.from(text).every((sign, at) => bytes.at(index + at) === sign.charCodeAt(0));
}

function pngSize(bytes: Bytes): ImageSize | null {
  if (!hasText(bytes, 1, 'PNG')) return null;
  return { width: big(bytes, 16, 4), height: big(bytes, 20, 4) };
}

function gifSize(bytes: Bytes): ImageSize | null {
  if (!hasText(bytes, 0, 'GIF8')) return null;
  return { width: little(bytes, 6, 2), height: little(bytes, 8, 2) };
}

function webpSize(bytes: Bytes): ImageSize | null {
  if (!hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return null;
  if (hasText(bytes, 12, 'VP8X'))
    return { width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 };
  if (hasText(bytes, 12, 'VP8L')) {
    const packed = little(bytes, 21, 4);
    return { width: (packed % 16_384) + 1, height: (Math.floor(packed / 16_384) % 16_384) + 1 };
  }
  return { width: little(bytes, 26, 2) % 16_384, height: little(bytes, 28, 2) % 16_384 };
}

/** Most segments of a JPEG before the one with its size. */
const mostSegments = 400;

function jpegSize(bytes: Bytes): ImageSize | null {
  if (bytes.at(0) !== 0xff || bytes.at(1) !== 0xd8) return null;
  let at = 2;
  for (let segment = 0; segment < mostSegments && at < bytes.length; segment += 1) {
    if (bytes.at(at) !== 0xff) return null;
    const kind = bytes.at(at + 1);
    if (isFrameHeader(kind)) return { width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) };
    at += kind === 0xff ? 1 : 2 + big(bytes, at + 2, 2);
  }
  return null;
}

/** Whether a segment of this kind says the size: SOF0 to SOF15, without the three tables among them. */
const isFrameHeader = (kind: number): boolean =>
  kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
