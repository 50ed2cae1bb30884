/** Words that follow one another are compared so many at a time. */
const run = 3;

/** The runs of words of a text, by which it is compared with another. */
export function runsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const starts = words.slice(0, Math.max(1, words.length - run + 1));
  return new Set(starts.map((_, index) => words.slice(index, index + run).join(' ')));
}

/** The share of the runs of one text that another has, too; 1 for a text without words. */
export function shareWithin(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0) return 1;
  return [...one].filter((words) => other.has(words)).length / one.size;
}
