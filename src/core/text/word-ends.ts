import { partitionPoint } from '../values/partition-point.ts';

/** Whether a word of at least `least` letters begins or ends one of these, and is not all of it. */
export function endsOf(long: readonly string[], least: number): (word: string) => boolean {
  const [heads, tails] = [long.toSorted(), long.map(backwards).toSorted()];
  if (long.length === 0) return () => false;
  return (word) =>
    word.length >= least && (beginsOne(heads, word) || beginsOne(tails, backwards(word)));
}

const backwards = (word: string): string => word.split('').toReversed().join('');

/** Whether a word begins a longer one of these, which are sorted. */
function beginsOne(sorted: readonly string[], word: string): boolean {
  const next = partitionPoint(sorted.length, (index) => sorted[index]! <= word);
  return sorted[next]?.startsWith(word) === true;
}
