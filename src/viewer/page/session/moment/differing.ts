import { frameLineOf, plain, type Piece } from '../model/made-line.ts';

/** A part of a text, in characters. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Of each line that stands there in two versions, a third of them the same, what only this one has, as a part of its plain text. */
export function differingParts(pieces: readonly Piece[]): ReadonlyMap<Piece, Part> {
  const parts = new Map<Piece, Part>();
  const lines = pieces.flatMap((piece) => {
    if ('entries' in piece || frameLineOf(piece.line.text) !== null) return [];
    return [{ piece, section: piece.line.section, words: wordsOf(plain(piece.line.text)) }];
  });
  const came = lines.filter(({ piece }) => piece.sign === '+');
  for (const gone of lines.filter(({ piece }) => piece.sign === '-')) {
    const versions = came
      .filter(({ piece, section }) => section === gone.section && !parts.has(piece))
      .map(({ piece, words }) => ({
        piece,
        ...sharedBy(gone.words, words),
        length: lengthOf(words),
      }))
      .sort((one, other) => other.before + other.after - one.before - one.after);
    const [best] = versions;
    if (best === undefined) continue;
    const { piece, before, after, length } = best;
    const goneLength = lengthOf(gone.words);
    if (3 * (before + after) < Math.max(goneLength, length)) continue;
    parts.set(gone.piece, { from: before, to: goneLength - after });
    parts.set(piece, { from: before, to: length - after });
  }
  return parts;
}

/** How many characters of whole words two texts both begin and end with. */
function sharedBy(
  a: readonly string[],
  b: readonly string[],
): { readonly before: number; readonly after: number } {
  const most = Math.min(a.length, b.length);
  let [head, tail] = [0, 0];
  while (head < most && a[head] === b[head]) head += 1;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return {
    before: lengthOf(a.slice(0, head)),
    after: lengthOf(a.slice(a.length - tail)),
  };
}

const lengthOf = (words: readonly string[]): number => words.join('').length;

/** Words, and the space between them. */
const wordsOf = (text: string): readonly string[] => text.match(/\S+|\s+/g) ?? [];
