/** Units of a part that are looked up together, and the places of a table of them. */
const [span, places] = [4, 1 << 17];

/**
 * Whether a text holds a part, for many parts: most of those that it does not hold have a few letters
 * in a row that it has not, and need not be looked for.
 */
export function partFinder(text: string): (part: string) => boolean {
  const seen = new Uint8Array(places);
  for (let at = 0; at + span <= text.length; at += 1) seen[placeOf(text, at)] = 1;
  return (part) => {
    for (let at = 0; at + span <= part.length; at += 1)
      if (seen[placeOf(part, at)] === 0) return false;
    return text.includes(part);
  };
}

const placeOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 0x1003f) ^
    (text.charCodeAt(at + 1) * 0x3f1b) ^
    (text.charCodeAt(at + 2) * 0x51d) ^
    (text.charCodeAt(at + 3) * 0x2b)) &
  (places - 1);
