import { triggerOf, type Options, type Triggered } from './options.ts';

// How the window of one call is divided:
//
//   window ─ reserve = limit                 (`limit.ts`: corrected by what a model's server counts)
//   limit ─ system ─ tools ─ goal ─ frames ─ checkpoints ─ chronicle = available
//   compression is due when older human text + entries ≥ trigger × available
//
// Each made part has a cap, a share of the limit, of less beside a large system prompt (`wholeIn` of `limit.ts`). Where all caps together would
// leave too little for the working part, one factor scales every one of them.

/** The source of a number of tokens: the byte bound, our own count, or our count corrected by a server's. */
export type Certainty = 'bound' | 'estimate' | 'measured';

/** The budget of a call, in tokens. */
export interface Budget {
  readonly window: number;
  readonly reserve: number;
  readonly limit: number;
  readonly system: number;
  readonly tools: number;
  readonly goal: number;
  readonly frames: number;
  readonly checkpoints: number;
  readonly chronicle: number;
  /** Older human text of the path. */
  readonly human: number;
  /** Entries of the active frame. */
  readonly working: number;
  readonly available: number;
  /** Compression is due when `human + working` reaches it. */
  readonly threshold: number;
  readonly total: number;
  /** The same in the tokens of the model's server, as it reported it and by what was learned since; `total` before its first report. */
  readonly counted: number;
  readonly count: Certainty;
}

/** The sizes of the parts before the entries, in tokens. */
export interface Sizes {
  readonly system: number;
  readonly tools: number;
  readonly goal: number;
  readonly frames: number;
  readonly checkpoints: number;
  readonly chronicle: number;
  readonly human: number;
}

/** Largest share of the whole that each part may take. */
export const caps = {
  goal: 0.1,
  frames: 0.15,
  chronicle: 0.35,
  human: 0.25,
  /** Newest entries (`preserveRecent`). */
  recent: 0.2,
} as const;

/** Shares of the whole that the index of files may take, up to a small one, where lines tell more, and of what is beyond it. */
const index = { least: 0.1, beyond: 0.16, small: 8_000 } as const;

/** Most tokens of the index of files, a part of the chronicle. */
export const indexCap = (whole: number): number =>
  index.least * Math.min(whole, index.small) + index.beyond * Math.max(0, whole - index.small);

/** Share of the newest entries that stay verbatim in full; in older ones markers replace tool results. */
export const verbatimShare = 0.5;

/** Share of what system prompt and tools leave of the limit that is in use after a compression, where there is so much to show. */
const usedAfter = 0.7;

/** Shares of what is available up to the trigger that the working part takes after a compression, as planned and whatever comes of the sections: the rest is room until the next. */
const working = { least: 0.45, most: 0.8, ever: 0.9 } as const;

/** The share of what is available that a compression plans for human text and entries, at most. */
export const workingTarget = (options: Triggered): number => working.most * triggerOf(options);

/** The share of what is available that human text and entries take after a compression, at most, however large its sections became. */
export const workingMost = (options: Triggered): number => working.ever * triggerOf(options);

/**
 * What the working part may take after a compression, in tokens: as much as fills what is
 * `shareable` well beside the `fixed` parts of it, but so little that the next one does not come at once.
 */
export function workingAfter(options: Triggered, shareable: number, fixed: number): number {
  const available = Math.max(0, shareable - fixed);
  const wanted = usedAfter * shareable - fixed;
  const [least, most] = [working.least, working.most].map(
    (share) => share * triggerOf(options) * available,
  );
  return Math.floor(Math.min(most!, Math.max(least!, wanted)));
}

/**
 * What the tree may take beyond its cap, in tokens: half of what a window with so few entries leaves
 * free that a compression would have left it fuller. The `rest` is all of
 * that but the tree.
 */
export const spareForFrames = (shareable: number, rest: number): number =>
  Math.floor(Math.max(0, usedAfter * shareable - rest) / 2);

/** Factors that scale all caps but that of the goal, largest first; 0 leaves only what cannot shrink. */
export const factors: readonly number[] = [1, 0.85, 0.7, 0.55, 0.4, 0.3, 0.2, 0.12, 0.06, 0];

/** The smallest factor that a compression counts on: a smaller one costs more in the sections than it gains in the working part. */
export const leastUsefulFactor = 0.4;

/** Longest entry, as a share of what system, tools and goal leave; a longer one is shown as head and tail. */
export const giantShare = 0.2;

/** The budget of a call from the sizes of its parts. */
export function budgetOf(given: {
  options: Pick<Options, 'window' | 'reserve'> & Triggered;
  sizes: Sizes;
  working: number;
  /** Window less reserve unless told. */
  limit?: number;
  count?: Certainty;
}): Budget {
  const { options, sizes, working, count = 'estimate' } = given;
  const { limit = options.window - options.reserve } = given;
  const fixed =
    sizes.system + sizes.tools + sizes.goal + sizes.frames + sizes.checkpoints + sizes.chronicle;
  const available = limit - fixed;
  const total = fixed + sizes.human + working;
  return {
    window: options.window,
    reserve: options.reserve,
    limit,
    ...sizes,
    working,
    available,
    threshold: Math.floor(triggerOf(options) * available + 1e-9),
    total,
    counted: total,
    count,
  };
}

/** Longest entry that is shown in full, in tokens. */
export function giantLimit(
  limit: number,
  { system, tools, goal }: Pick<Sizes, 'system' | 'tools' | 'goal'>,
  share: number = giantShare,
): number {
  return Math.max(40, Math.floor((limit - system - tools - goal) * share));
}
