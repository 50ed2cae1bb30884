/** Of a text `most` characters from a place on, or somewhat less: whole words, unless one alone is longer than half of that. */
export function shownPart(text: string, from: number, most: number): string {
  const part = text.slice(from, from + most);
  const next = text.charAt(from + most);
  if (next === '' || isSpace(next)) return part;
  let end = part.length;
  while (end > most / 2 && !isSpace(part.charAt(end - 1))) end -= 1;
  return end > most / 2 ? part.slice(0, end).trimEnd() : part;
}

const isSpace = (character: string): boolean => character.trim() === '';
