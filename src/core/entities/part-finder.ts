/** Units of a part that are looked up together. */
const span = 4;

/** The most places of a table of them: a text of a megabyte fills half of it. */
const mostPlaces = 1 << 19;

/**
 * Whether a text holds a part, for many parts: most of those that it does not hold have a few letters
 * in a row that it has not, and need not be looked for.
 */
export function partFinder(text: string): (part: string) => boolean {
  const mask = Math.min(mostPlaces, 2 ** (35 - Math.clz32(text.length))) - 1;
  const seen = new Uint8Array(mask + 1);
  for (let at = 0; at + span <= text.length; at += 1) seen[placeOf(text, at) & mask] = 1;
  return (part) => {
    for (let at = 0; at + span <= part.length; at += 1)
      if (seen[placeOf(part, at) & mask] === 0) return false;
    return text.includes(part);
  };
}

const placeOf = (text: string, at: number): number =>
  (text.charCodeAt(at) * 0x1003f) ^
  (text.charCodeAt(at + 1) * 0x3f1b) ^
  (text.charCodeAt(at + 2) * 0x51d) ^
  (text.charCodeAt(at + 3) * 0x2b);
