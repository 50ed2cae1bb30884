import { atOnce, type Part } from '../values/parts.ts';

/** Units of a part that are looked up together. */
const span = 4;

/** The most places of a table of them, as a power of two; as a rule there are two to four for each unit of a text. */
const mostBits = 22;

/** Units of a text that are entered in one part of the work. */
const perPart = 1 << 15;

/** Whether a text holds a part, for many parts. */
export function partFinder(text: string, inPart: Part = atOnce): (part: string) => boolean {
  const mayHold = partFilter(text, inPart);
  return (part) => mayHold(part) && text.includes(part);
}

/**
 * Whether a text may hold a part, for many parts: most of those that it does not hold have a few letters
 * in a row that it has not, and need not be looked for.
 */
export function partFilter(text: string, inPart: Part = atOnce): (part: string) => boolean {
  const bits = Math.min(mostBits, 33 - Math.clz32(text.length));
  const seen = inPart(() => new Uint8Array(2 ** bits));
  let last = 0;
  for (let from = 0; from < text.length; from += perPart) {
    const before = last;
    last = inPart(() => {
      let hash = before;
      for (let at = from; at < Math.min(from + perPart, text.length); at += 1) {
        hash = rolled(hash, text.charCodeAt(at));
        seen[hash >>> (32 - bits)] = 1;
      }
      return hash;
    });
  }
  return (part) => {
    let hash = 0;
    for (let at = 0; at < part.length; at += 1) {
      hash = rolled(hash, part.charCodeAt(at));
      if (at >= span - 1 && seen[hash >>> (32 - bits)] === 0) return false;
    }
    return true;
  };
}

/** A hash of the last {@link span} units: each is moved on by the next ones until it is out. */
const rolled = (hash: number, unit: number): number =>
  (hash << (32 / span)) ^ Math.imul(unit, 0x9e3779b1);
