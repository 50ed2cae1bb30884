// Where a text may be cut so that the parts count what the whole does: right after a
// letter or digit, right before what cannot join it. Both vocabularies end a piece
// there, whatever comes further on, and neither expression looks behind its start.
//
//   letters, digits   ¦   white space, signs       never before an apostrophe (`'s`), a
//                                                  mark, or half of a surrogate pair

const wordCharacter = /[\p{L}\p{N}]/u;
const joinedCharacter = /[\p{L}\p{N}\p{M}\p{Cs}']/u;

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

/** Whether `text` may be cut before unit `at`. */
function isCut(text: string, at: number): boolean {
  return !joinedCharacter.test(text[at]!) && wordCharacter.test(text[at - 1]!);
}
