import fc from 'fast-check';

/** A code point that is no half of a pair; fast-check's own `binary` makes a table of all of them first, which takes seconds. */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10f7ff })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800), pointNumber);

/** What it is made from again, so that texts are also drawn that names in JavaScript trip over. */
function pointNumber(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== character)
    throw new TypeError('not a code point');
  return point < 0xd800 ? point : point - 0x800;
}
