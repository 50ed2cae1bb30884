import type { Line } from '../lines/line.ts';
import { sourceHead } from '../lines/sources.ts';
import { sentenceEnd, wordCount } from '../text/sentences.ts';
import { atOnce, growInParts, type Part } from '../values/parts.ts';
import { readOften } from '../values/read-once.ts';

// What is said again in the same words: a plan that is written a second time with one point more, a
// list of what was done that stands below each answer. The newest tells it. A line of which any point
// is not said again, be it one number, stays as it is.

/** Fewest words of a line that says something by itself. */
const leastWords = 5;

/** Least worth of a line that says something again beside the one that said it first: with less it would go too early. */
const leastShare = 0.5;

/** Of lines in their order those of which one later entry says all in the same words. */
export function repeatedLines<L extends Pick<Line, 'n' | 'kind' | 'text' | 'worth'>>(
  lines: readonly L[],
  part: Part = atOnce,
): readonly L[] {
  const { repeated } = growInParts(lines.toReversed(), part, {
    from: () => ({
      /** The lines that say a point, the newest first. */
      sayers: new Map<string, L[]>(),
      repeated: [] as L[],
    }),
    add({ sayers, repeated }, line) {
      if (line.kind !== 'said' && line.kind !== 'read') return;
      const points = pointsOf(line.text);
      const again = points.map((point) => sayers.get(point) ?? []);
      const isIn = (all: readonly L[], n: number): boolean =>
        all.some((one) => one.n === n && one.worth >= line.worth * leastShare);
      const [first = []] = again;
      const isAgain = first.some(({ n }) => n > line.n && again.every((all) => isIn(all, n)));
      for (const [at, point] of points.entries()) sayers.set(point, [...again[at]!, line]);
      if (isAgain && wordCount(line.text) >= leastWords) repeated.push(line);
    },
  });
  return repeated.toReversed();
}

/** What a text says, point by point, without marks; each time that the chronicle is written anew all lines are asked. */
const pointsOf = readOften(
  (text): readonly string[] =>
    text
      .slice(sourceHead(text).length)
      .split(/[;:] /)
      .flatMap((point) => point.split(sentenceEnd))
      .map((point) =>
        point
          .toLowerCase()
          .replace(/[^\p{L}\p{N}…%+-]+/gu, ' ')
          .trim(),
      )
      .filter((point) => /[\p{L}\p{N}]/u.test(point)),
  { longest: 1_000, most: 20_000 },
);
