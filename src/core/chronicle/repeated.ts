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
      /** The later entries that say a point, with the worth of the line that does. */
      sayers: new Map<string, Map<number, number>>(),
      repeated: [] as L[],
    }),
    add({ sayers, repeated }, line) {
      if (line.kind !== 'said' && line.kind !== 'read') return;
      const { asked, said } = pointsOf(line.text);
      const again = asked.map((point) => sayers.get(point) ?? none);
      const rarest = again.reduce(
        (least, one) => (one.size < least.size ? one : least),
        again[0] ?? none,
      );
      const isIn = (n: number): boolean =>
        n > line.n && again.every((all) => (all.get(n) ?? 0) >= line.worth * leastShare);
      if (wordCount(line.text) >= leastWords && [...rarest.keys()].some(isIn)) repeated.push(line);
      for (const point of said) {
        const all = sayers.get(point) ?? new Map<number, number>();
        sayers.set(point, all.set(line.n, Math.max(line.worth, all.get(line.n) ?? 0)));
      }
    },
  });
  return repeated.toReversed();
}

const none: ReadonlyMap<number, number> = new Map();

/**
 * What a text says, point by point, without marks; each time that the chronicle is written anew all lines are asked.
 * It is `said` again where all that is `asked` for is: a head alone only where it is that of a list, for what
 * stands behind one of several heads holds there.
 */
const pointsOf = readOften(
  (text): { readonly asked: readonly string[]; readonly said: readonly string[] } => {
    const points = text
      .slice(sourceHead(text).length)
      .split('; ')
      .flatMap((point) => point.split(sentenceEnd));
    const [first = '', ...others] = points;
    const isList = others.length > 0 && others.every((point) => !point.includes(': '));
    const parted = isList ? first.split(': ') : [first];
    const bare = (all: readonly string[]): readonly string[] =>
      all.map(withoutMarks).filter((point) => /[\p{L}\p{N}]/u.test(point));
    return { asked: bare([...parted, ...others]), said: bare([...points, ...parted]) };
  },
  { longest: 1_000, most: 20_000 },
);

/** A point in its words, numbers and signs, without what only sets it off. */
const withoutMarks = (point: string): string =>
  point
    .toLowerCase()
    .replace(/`|!(?=\s|$)/g, '')
    .replace(/[^\p{L}\p{N}\p{S}…%+\-!?*/&#@\\]+/gu, ' ')
    .trim();
