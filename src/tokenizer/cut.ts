import { charactersOf } from './split/character-class.ts';

// Where a text may be cut so that the parts count what the whole does: right after a
// letter or digit, right before what cannot join it. Both vocabularies end a piece
// there, whatever comes further on, and neither expression looks behind its start.
//
//   letters, digits   ¦   white space, signs       never before an apostrophe (`'s`), a
//                                                  mark, or half of a surrogate pair

/** The greatest safe cut of `text` in `after < cut ≤ upTo`; `after` where there is none. */
export function lastCut(text: string, after: number, upTo: number): number {
  for (let cut = Math.min(upTo, text.length - 1); cut > after; cut -= 1)
    if (isCut(text, cut)) return cut;
  return after;
}

/** The least safe cut of `text` beyond `after`; its end where there is none. */
export function nextCut(text: string, after: number): number {
  for (let cut = after + 1; cut < text.length; cut += 1) if (isCut(text, cut)) return cut;
  return text.length;
}

/**
 * The lines of a text with their ends, which count together what it counts: after a line end no piece
 * goes on but with a slash, or with white space up to one more line end. So a line that a slash begins
 * stays with the one before it, as does a blank one, and one whose indentation ends beyond ASCII.
 */
export function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1) {
    let first = end;
    while (text.charCodeAt(first) === space || text.charCodeAt(first) === tab) first += 1;
    const next = text.charCodeAt(first);
    if (!(next > space && next < pastAscii) || (next === slash && first === end)) continue;
    lines.push(text.slice(start, end));
    start = end;
  }
  lines.push(text.slice(start));
  return lines;
}

const [tab, space, slash, pastAscii] = [0x09, 0x20, 0x2f, 0x7f];

/** Whether `text` may be cut before unit `at`. */
function isCut(text: string, at: number): boolean {
  const { word, joined } = (characters ??= makeCharacters());
  return !joined.test(text[at]!) && word.test(text[at - 1]!);
}

/** What a cut stands after, and what it may not stand before. Made when a text is first cut: it takes some milliseconds. */
let characters: { readonly word: RegExp; readonly joined: RegExp } | undefined;

function makeCharacters() {
  const word = charactersOf('L') + charactersOf('N');
  return {
    word: new RegExp(`[${word}]`, 'u'),
    joined: new RegExp(`[${word}${charactersOf('M')}\\p{Cs}']`, 'u'),
  };
}
