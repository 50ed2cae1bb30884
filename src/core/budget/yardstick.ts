import type { TextSizes } from '../messages/text-sizes.ts';

// A server without a vocabulary counts characters, bytes or words, and takes so many tokens for each. For
// one token of ours that is more in prose than in hashes, and hardly any in Chinese, so by our tokens alone
// such a count looks like a cut. By its own yardstick it does not. Which one a server has is seen in what
// prompts grew by: a text of another kind is missed by every other.

/** What a server may measure a text by. */
export type Yardstick = 'tokens' | Formula;

/** What one without a vocabulary does. */
export type Formula = Exclude<keyof TextSizes, 'files'>;

/** How far each yardstick missed what prompts grew by, as a share; empty before one grew. */
export type Misses = Readonly<Partial<Record<Yardstick, number>>>;

/** What servers without a vocabulary take for one of each. */
const tokensFor: Readonly<Record<Formula, number>> = {
  characters: 1 / 4.1,
  bytes: 1 / 4.1,
  words: 1.3,
};

const yardsticks = ['tokens', 'characters', 'bytes', 'words'] as const;

/** How much more than the best one a yardstick may miss, and still be the server's. */
const near = 0.05;

/** What a server with that yardstick counts for a text. */
export function countBy(yardstick: Formula, sizes: TextSizes): number {
  return tokensFor[yardstick] * sizes[yardstick];
}

/** The yardsticks that a server may have: those that missed hardly more than the best. */
export function fittingYardsticks(misses: Misses): readonly Yardstick[] {
  const missed = (yardstick: Yardstick): number => misses[yardstick] ?? 0;
  const best = Math.min(...yardsticks.map(missed));
  return yardsticks.filter((yardstick) => missed(yardstick) <= best + near);
}

/** What a prompt grew by. */
interface CountedGrowth {
  readonly counted: number;
  /** What its server counts by our tokens. */
  readonly tokens: number;
  /** Of the prompt before and after, where they are known. */
  readonly sizes: readonly [TextSizes | undefined, TextSizes | undefined];
  /** What it weighs beside those before. */
  readonly weight: number;
}

/** The misses after one more growth; one by a file says nothing, for nobody knows what it counts. */
export function missesAfter(before: Misses, growth: CountedGrowth): Misses {
  const [from, to] = growth.sizes;
  if (from === undefined || from.files !== to?.files) return before;
  const missed = (yardstick: Yardstick): number => {
    const expected =
      yardstick === 'tokens' ? growth.tokens : countBy(yardstick, to) - countBy(yardstick, from);
    const now = Math.abs(Math.log(Math.max(1, growth.counted) / Math.max(1, expected)));
    const was = before[yardstick] ?? 0;
    return was + growth.weight * (Math.min(1, now) - was);
  };
  return Object.fromEntries(yardsticks.map((yardstick) => [yardstick, missed(yardstick)]));
}
