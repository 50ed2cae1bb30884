import type { Encoding } from '../tokenizer.ts';

// A text is split into pieces before anything is merged. Each vocabulary defines the
// split by a regular expression (`pattern.ts`). Nearly all text of a session is ASCII,
// where the expressions come down to classes of bytes and a few rules, written out here.
//
//   o200k   [sign or blank] upper* lower* [contraction]
//   cl100k  contraction | [sign or blank] letter+
//   both    1 to 3 digits | [space] sign+ line end* (o200k: or `/`) | blanks
//
// Beyond it, dashes, quotation marks, dots, arrows and what boxes are drawn with are signs,
// too. Any other character belongs to no class and stops every run, so that a piece that
// might go on with it ends right before it: then the expression decides (`split.ts`).

/** The end of the piece that begins at `start`, in UTF-8 up to `end`. */
export type Scan = (bytes: Uint8Array, start: number, end: number) => number;

const upper = 1;
const lower = 2;
const digit = 3;
const blank = 4;
const lineEnd = 5;
const sign = 6;

const space = ' '.charCodeAt(0);
const slash = '/'.charCodeAt(0);
const apostrophe = "'".charCodeAt(0);

/** Set in a small letter, clear in the capital one. */
const caseBit = 0x20;

const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  if (byte > 0x7f) return 0;
  if (letter >= 'A' && letter <= 'Z') return upper;
  if (letter >= 'a' && letter <= 'z') return lower;
  if (letter >= '0' && letter <= '9') return digit;
  if ('\t\v\f '.includes(letter)) return blank;
  return '\r\n'.includes(letter) ? lineEnd : sign;
});

/** Characters beyond ASCII that are signs in any version of Unicode: of two bytes from 0xc2, or of three from 0xe2. */
export const wideSigns = [
  [0xa1, 0xa9],
  [0xab, 0xac],
  [0xae, 0xb1],
  [0xb6, 0xb8],
  [0xbb, 0xbb],
  [0xbf, 0xbf],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20cf],
  [0x2190, 0x245f],
  [0x2500, 0x2775],
] as const;

const isWideSign = new Uint8Array(0x3000);
for (const [first, last] of wideSigns) isWideSign.fill(1, first, last + 1);

/** Bytes of the sign at a place; 0 where none is. */
export function signBytes(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte < 0x80) return classes[byte] === sign ? 1 : 0;
  if (byte === 0xc2) return isWideSign[bytes[at + 1]!] === 1 ? 2 : 0;
  if (byte !== 0xe2) return 0;
  const point = 0x2000 | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
  return isWideSign[point] === 1 ? 3 : 0;
}

/** The scanner of each encoding. */
export const scans: Readonly<Record<Encoding, Scan>> = {
  o200k_base: scanO200k,
  cl100k_base: scanCl100k,
};

function scanO200k(bytes: Uint8Array, start: number, end: number): number {
  const first = skipPrefix(bytes, start, end);
  const letters = skipLower(bytes, skipUpper(bytes, first, end), end);
  if (letters > first) return skipContraction(bytes, letters, end);
  const digits = skipDigits(bytes, start, end);
  if (digits > start) return digits;
  const signs = skipSigns(bytes, start, end);
  if (signs === start) return skipBlanks(bytes, start, end);
  let at = signs;
  while (at < end && (classes[bytes[at]!] === lineEnd || bytes[at] === slash)) at += 1;
  return at;
}

function scanCl100k(bytes: Uint8Array, start: number, end: number): number {
  const contraction = skipContraction(bytes, start, end);
  if (contraction > start) return contraction;
  const first = skipPrefix(bytes, start, end);
  const letters = skipLetters(bytes, first, end);
  if (letters > first) return letters;
  const digits = skipDigits(bytes, start, end);
  if (digits > start) return digits;
  const signs = skipSigns(bytes, start, end);
  if (signs === start) return skipBlanks(bytes, start, end);
  let at = signs;
  while (at < end && classes[bytes[at]!] === lineEnd) at += 1;
  return at;
}

/** Past the one sign or blank that may stand before letters. */
function skipPrefix(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return start;
  return classes[bytes[start]!] === blank ? start + 1 : start + signBytes(bytes, start);
}

function skipUpper(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && classes[bytes[at]!] === upper) at += 1;
  return at;
}

function skipLower(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && classes[bytes[at]!] === lower) at += 1;
  return at;
}

function skipLetters(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (classes[bytes[at]!] === lower || classes[bytes[at]!] === upper)) at += 1;
  return at;
}

/** Past `'s 't 'm 'd 're 've 'll`, small or capital. */
function skipContraction(bytes: Uint8Array, start: number, end: number): number {
  if (start + 1 >= end || bytes[start] !== apostrophe) return start;
  const first = bytes[start + 1]! | caseBit;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return start + 2;
  if (start + 2 >= end) return start;
  const second = bytes[start + 2]! | caseBit;
  const long =
    ((first === 0x72 || first === 0x76) && second === 0x65) || (first === 0x6c && second === 0x6c);
  return long ? start + 3 : start;
}

function skipDigits(bytes: Uint8Array, start: number, end: number): number {
  const last = Math.min(end, start + 3);
  let at = start;
  while (at < last && classes[bytes[at]!] === digit) at += 1;
  return at;
}

/** Past an optional space and at least one sign; `start` where no sign is. */
function skipSigns(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] === space ? start + 1 : start;
  let at = first;
  for (let more = 1; at < end && more > 0; at += more) more = signBytes(bytes, at);
  return at > first ? at : start;
}

/**
 * Past white space: up to its last line end, else all of it at the end of the text,
 * else all but the last (which belongs to what follows) and at least one.
 */
function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let lines = start;
  let at = start;
  for (; at < end; at += 1) {
    const kind = classes[bytes[at]!];
    if (kind === lineEnd) lines = at + 1;
    else if (kind !== blank) break;
  }
  if (at < end && bytes[at]! > 0x7f && signBytes(bytes, at) === 0) return at;
  if (lines > start) return lines;
  return at === end || at - start <= 1 ? at : at - 1;
}
