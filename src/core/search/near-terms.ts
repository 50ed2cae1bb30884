/** Fewest letters of a word that has near spellings, and of one that has those two letters away. */
const shortest = 3;
const shortestOfTwo = 6;

/** How many letters the near spellings of a term may be away from it; 0 for one that has none. */
export const nearest = ({ length }: string): number =>
  length < shortest ? 0 : length < shortestOfTwo ? 1 : 2;

/** How many letters are to be put in, left out, replaced or swapped with the next to make one term of the other; `most + 1` where that is more than `most`. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  if (strangers(one, other) > most || strangers(other, one) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped =
        row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      now.push(
        Math.min(
          last[at]! + 1,
          now[at - 1]! + 1,
          last[at - 1]! + (isSame ? 0 : 1),
          isSwapped ? before[at - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    if (Math.min(...now) > most) return most + 1;
    before = last;
    last = now;
  }
  return Math.min(last[other.length]!, most + 1);
}

/** How many letters one term has that are not in the other, at least; those that are alike in five bits count as one. */
function strangers(one: string, other: string): number {
  let missing = lettersOf(one) & ~lettersOf(other);
  let count = 0;
  for (; missing !== 0; missing &= missing - 1) count += 1;
  return count;
}

function lettersOf(term: string): number {
  let letters = 0;
  for (let at = 0; at < term.length; at += 1) letters |= 1 << (term.charCodeAt(at) & 31);
  return letters;
}
