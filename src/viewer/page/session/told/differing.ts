import { frameLineOf, plain, type Piece } from './made-line.ts';

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
    return [{ piece, ...piece.line, text: plain(piece.line.text) }];
  });
  const came = lines.filter(({ piece }) => piece.sign === '+');
  for (const gone of lines.filter(({ piece }) => piece.sign === '-')) {
    const versions = came
      .filter(({ piece, section }) => section === gone.section && !parts.has(piece))
      .map(({ piece, text }) => ({ piece, ...sharedBy(gone.text, text), length: text.length }))
      .sort((one, other) => other.before + other.after - one.before - one.after);
    const [best] = versions;
    if (best === undefined) continue;
    const { piece, before, after, length } = best;
    if (3 * (before + after) < Math.max(gone.text.length, length)) continue;
    parts.set(gone.piece, { from: before, to: gone.text.length - after });
    parts.set(piece, { from: before, to: length - after });
  }
  return parts;
}

/** How many characters of whole words two texts both begin and end with. */
function sharedBy(one: string, other: string): { readonly before: number; readonly after: number } {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const most = Math.min(a.length, b.length);
  let [head, tail] = [0, 0];
  while (head < most && a[head] === b[head]) head += 1;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return {
    before: a.slice(0, head).join('').length,
    after: a.slice(a.length - tail).join('').length,
  };
}

/** Words, and the space between them. */
const wordsOf = (text: string): readonly string[] => text.match(/\S+|\s+/g) ?? [];
