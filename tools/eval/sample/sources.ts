import { termsOf } from '../directive.ts';
import type { Entry } from '../history.ts';
import type { SectionLine } from './section-line.ts';

// Where a line came from is not written on it, but for the entries it names. So
// each entry that it may stand for is read piece by piece, and those come first
// that have a piece with the most, and the rarest, of the terms of the line.

/** An entry that a line may have come from. */
export interface LineSource {
  readonly place: number;
  readonly role: Entry['role'];
  /** What of it is closest to the line. */
  readonly excerpt: string;
}

/** Gives the entries that a line came from, the likeliest first. */
export type Sources = (line: SectionLine) => readonly LineSource[];

/** Sources that are given for a line. */
const mostSources = 3;

/** Characters of a piece, and of an excerpt. */
const lengths = { piece: 240, excerpt: 400 } as const;

/** One stretch of an entry. */
interface Piece {
  readonly place: number;
  readonly index: number;
  readonly terms: number;
}

/** Looks among these entries for what lines came from. */
export function sourcesIn(entries: readonly Entry[]): Sources {
  const texts = entries.map(({ text }) => piecesOf(text));
  const holding = new Map<string, Piece[]>();
  let count = 0;
  for (const [place, pieces] of texts.entries())
    for (const [index, piece] of pieces.entries()) {
      const terms = new Set(termsOf(piece));
      count += 1;
      for (const term of terms) {
        const list = holding.get(term);
        const held = { place, index, terms: terms.size };
        if (list === undefined) holding.set(term, [held]);
        else list.push(held);
      }
    }
  return (line) => {
    const isMeant = meantBy(line);
    const scores = new Map<string, { readonly piece: Piece; score: number }>();
    for (const term of new Set(termsOf(line.text))) {
      const held = holding.get(term) ?? [];
      const weight = Math.log(1 + count / Math.max(1, held.length));
      for (const piece of held) {
        if (!isMeant(piece.place)) continue;
        const key = `${piece.place} ${piece.index}`;
        const known = scores.get(key) ?? { piece, score: 0 };
        // Long pieces hold more by chance.
        known.score += weight / Math.sqrt(8 + piece.terms);
        scores.set(key, known);
      }
    }
    const best = new Map<number, Piece>();
    for (const { piece } of [...scores.values()].sort((one, other) => other.score - one.score))
      if (!best.has(piece.place)) best.set(piece.place, piece);
    const found = [...best.values()].map(({ place, index }) => [place, index] as const);
    const named = line.named.flatMap(([first]) => (best.has(first) ? [] : [[first, 0] as const]));
    return [...found, ...named].slice(0, mostSources).map(([place, index]) => ({
      place,
      role: entries[place]!.role,
      excerpt: excerptOf(texts[place]!, index),
    }));
  };
}

/** Tells whether a line may stand for the entry at a place: one that it names, or any earlier one where it names none. */
function meantBy({ named, place: before }: SectionLine): (place: number) => boolean {
  if (named.length === 0) return (place) => place < before;
  return (place) => named.some(([first, last]) => first <= place && place <= last);
}

/** The lines of a text, long ones in parts. */
function piecesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) =>
      Array.from({ length: Math.ceil(line.length / lengths.piece) }, (_, part) =>
        line.slice(part * lengths.piece, (part + 1) * lengths.piece),
      ),
    );
}

/** A piece with as many after and before it as there is room for. */
function excerptOf(pieces: readonly string[], index: number): string {
  let [first, last] = [index, index];
  let left = lengths.excerpt - (pieces[index]?.length ?? 0);
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const next of [last + 1, first - 1]) {
      const piece = pieces[next];
      if (piece === undefined || piece.length > left) continue;
      left -= piece.length;
      first = Math.min(first, next);
      last = Math.max(last, next);
      isDone = false;
    }
  }
  return pieces.slice(first, last + 1).join('\n');
}
