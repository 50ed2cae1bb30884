/** Words in a copied run. */
const spanLength = 8;

/** The hashes of all runs of eight words in a text; what a step copies needs the text itself, not its name. */
export function spansOf(text: string): ReadonlySet<number> {
  const words = (text.toLowerCase().match(/[a-z0-9_$]+/g) ?? []).map(hashOf);
  const spans = new Set<number>();
  for (let from = 0; from + spanLength <= words.length; from += 1) {
    let hash = 0;
    for (let index = 0; index < spanLength; index += 1)
      hash = (Math.imul(hash, 31) + words[from + index]!) | 0;
    spans.add(hash);
  }
  return spans;
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < word.length; index += 1)
    hash = Math.imul(hash ^ word.charCodeAt(index), 16_777_619);
  return hash >>> 0;
}
