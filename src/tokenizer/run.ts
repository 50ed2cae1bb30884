import { whiteSpace } from './pattern.ts';
import type { Encoding } from './tokenizer.ts';

// What a longer text may still change of a split: a piece is found by reading on until
// a run of letters or of white space ends, and three units for a contraction.
//
//   … word  word !  aaaaaaaa
//                 ^ last run: pieces that end three units before it, or earlier, stay

const letters = /[\p{L}\p{M}]/u;
const blanks = new RegExp(`[${whiteSpace}]`, 'u');

/** Units of a contraction. */
const contraction = 3;

/** Up to where pieces of `text` stay as they are, whatever follows it. */
export function settledLength(text: string, encoding: Encoding): number {
  // Half of a pair at the very end may become a letter.
  const isHalf = endsInHalf(text);
  let run = isHalf ? letters : undefined;
  let after = '';
  let start = isHalf ? text.length - 1 : text.length;
  while (start > 0) {
    const point = pointBefore(text, start);
    if (run !== undefined && !run.test(point)) break;
    if (encoding === 'o200k_base' && small.test(point) && capital.test(after)) break;
    start -= point.length;
    run ??= [letters, blanks].find((kind) => kind.test(point));
    if (run === undefined) break;
    after = point;
  }
  return start - contraction;
}

/** Whether `text` ends in the first half of a surrogate pair. */
export function endsInHalf(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}

/** o200k parts words between a small letter and a capital. */
const small = /\p{Ll}/u;
const capital = /[\p{Lu}\p{Lt}]/u;

function pointBefore(text: string, end: number): string {
  const isPair = end > 1 && text.codePointAt(end - 2)! > 0xffff;
  return text.slice(end - (isPair ? 2 : 1), end);
}

/** A long piece that ends so, and what it takes at its end and stays one piece. */
type Kind = readonly [end: RegExp, more: RegExp];

// Four letters are no contraction.
const sign = `[^${whiteSpace}\\p{L}\\p{N}\\p{M}/]`;
const blank = `(?![\\r\\n])[${whiteSpace}]`;
const others: readonly Kind[] = [
  [/\p{M}$/u, /^\p{M}+$/u],
  [new RegExp(`${blank}$`, 'u'), new RegExp(`^(?:${blank})+$`, 'u')],
  [/[\r\n]$/, /^[\r\n]+$/],
  [/\/$/, /^\/+$/],
  [new RegExp(`${sign}$`, 'u'), new RegExp(`^${sign}+$`, 'u')],
];
const kinds: Readonly<Record<Encoding, readonly Kind[]>> = {
  o200k_base: [
    [/[\p{Ll}\p{Lm}\p{Lo}]{4}$/u, /^[\p{Ll}\p{Lm}\p{Lo}]+$/u],
    [/\p{Lu}{4}$/u, /^\p{Lu}+$/u],
    ...others,
  ],
  cl100k_base: [[/\p{L}{4}$/u, /^\p{L}+$/u], ...others],
};

/** What a long piece that ends like `end` takes and stays one piece; undefined where nothing is known. */
export function moreOf(end: string, encoding: Encoding): RegExp | undefined {
  return kinds[encoding].find(([kind]) => kind.test(end))?.[1];
}
