import {
  bounds,
  countedAs,
  expected,
  leastWindow,
  type Calibration,
  type CountedPrompt,
  type FittedPoint,
} from '../budget/calibration.ts';

// Whether a server's own count of a prompt is credible, by the calibration: the least
// that a whole prompt counts, the windows that a cut prompt counts exactly, and the
// counts that prove a doubt wrong.

/** Least count of a whole prompt, as a share of what is expected. */
export const credibleShare = 0.93;

/** Reports from which the calibration line is reliable. */
export const settledReports = 3;

/** Size of a prompt, in our tokens, beside which a template is small. */
const settledSize = 1_000;

/** Difference of counts that means nothing, in tokens. */
export const slack = 8;

/** Whether a prompt is at least as large as one that was found cut. */
export function isAsLargeAsOneCut({ cutFrom }: Calibration, { estimate }: CountedPrompt): boolean {
  return cutFrom !== null && estimate >= cutFrom;
}

/**
 * The least credible count of a whole prompt, in the server's tokens: the most of
 *
 *   what no vocabulary makes of it             half of our count, or the least ratio seen
 *   the last one has grown                     what that counted, and the least ratio of the growth
 *   another epoch, or no growth                a share of what is expected
 *   as large as one found cut                  a larger share of it
 *
 * How large a share depends on how alike the ratios of texts were: a vocabulary that counts prose
 * as we do and hashes by half tells little.
 */
export function leastCount(calibration: Calibration, prompt: CountedPrompt): number {
  const { last, samples } = calibration;
  const { estimate, epoch } = prompt;
  const ratio = leastRatio(calibration);
  const any = samples === 0 ? leastShares.first : Math.min(bounds.least, ratio);
  const least = any * estimate - 1;
  const share = isAsLargeAsOneCut(calibration, prompt) ? leastShares.again : leastShares.epoch;
  const likely = shareFor(calibration, share) * expected(calibration, prompt);
  if (last?.epoch !== epoch || estimate < last.estimate) return Math.max(least, likely);
  const little = Math.max(slack, leastShares.little * last.reported);
  const grown = last.reported + ratio * (estimate - last.estimate) - little;
  return Math.max(least, grown, isAsLargeAsOneCut(calibration, prompt) ? likely : 0);
}

/** Growth from which its ratios say what the next may be, in our tokens. */
const tellingGrowth = 1_500;

/** The least of the server's tokens for one of ours that a text may have. */
function leastRatio(calibration: Calibration): number {
  const { growth, ratio: line } = calibration;
  const { tokens, mean } = growth;
  if (tokens < tellingGrowth) return leastShares.first;
  const { off, unlike } = leastShares.text;
  return Math.max(0, Math.min(mean, line) - Math.max(off * mean, unlike * spread(calibration)));
}

/** The share of an expected count that a whole prompt has at least. */
function shareFor(
  calibration: Calibration,
  { off, unlike }: { readonly off: number; readonly unlike: number },
): number {
  const { growth, samples } = calibration;
  const { tokens, mean } = growth;
  if (tokens < tellingGrowth || samples < settledReports || mean <= 0) return 0;
  return Math.max(0, 1 - Math.max(off, (unlike * spread(calibration)) / mean));
}

/** How far apart the ratios of texts are; also where what a prompt grew by has another than all of it. */
function spread({ growth, ratio }: Calibration): number {
  return Math.max(growth.deviation, Math.abs(growth.mean - ratio) / 2);
}

/** Whether a prompt may have been cut at all: servers have a least window, and what was counted whole once had room. */
export function mayBeCut(calibration: Calibration, prompt: CountedPrompt): boolean {
  return expected(calibration, prompt) > leastWindow && !isRoomProven(calibration, prompt);
}

/** Whether the server counted as much once as is expected of a prompt. */
export function isRoomProven(calibration: Calibration, prompt: CountedPrompt): boolean {
  return expected(calibration, prompt) <= calibration.highest;
}

/** Counts of the new part alone that weigh as much as one of the whole: a model that was loaded again is one. */
const partsForWhole = 4;

/** Whether a server counted only what is new in a prompt, by this report and those before; never where it is more than that can have. */
export function isPart(calibration: Calibration, prompt: CountedPrompt, reported: number): boolean {
  const { last } = calibration;
  const { whole, part } = calibration.counted;
  const as = countedAs(calibration, { ...prompt, reported });
  if (areParts(calibration, { ...prompt, reported })) return true;
  if (as === 'whole') return false;
  const hasFallen =
    last?.epoch === prompt.epoch && prompt.estimate >= last.estimate && reported < last.reported;
  if (hasFallen && expected(calibration, prompt) <= leastWindow) return true;
  if (calibration.doubts.some(({ reported: one }) => isUsualCut(one))) return false;
  if (partsForWhole * whole > part) return false;
  if (reported >= credibleShare * expected(calibration, prompt)) return false;
  return as === 'part' || part > 1;
}

/** What a count of the new part alone may have besides, in tokens. */
const leastPart = 200;

/** Counts in a row that are small enough for what was new, from which they are of that alone. */
const alikeParts = 2;

/** Most tokens of the server for one of ours in a count that is thought to be of what was new. */
const partMost = 1.6;

/** Whether the last counts were each no more than what was new can have, and less than half of any window: a cut leaves more. */
function areParts(calibration: Calibration, seen: FittedPoint): boolean {
  const { last, doubts } = calibration;
  const all = [...(last === null ? [] : [last]), ...doubts, seen].slice(-alikeParts - 1);
  return (
    all.length > alikeParts &&
    all.slice(1).every((one, at) => {
      const { epoch, estimate } = all[at]!;
      const most = partMost * (one.estimate - estimate) + leastPart;
      return one.epoch === epoch && one.reported <= most && 2 * one.reported < leastWindow;
    })
  );
}

/**
 * How often counts fell in an epoch in which the prompt only grew, among the last credible one,
 * the doubted ones since, and this one. Whatever a vocabulary makes of a text, more text has no
 * fewer tokens. One that may be of what is new alone is no fall.
 */
export function fallsIn(
  { last, doubts }: Calibration,
  prompt: CountedPrompt,
  reported: number,
): { readonly falls: number; readonly most: number } {
  const all = [...(last === null ? [] : [last]), ...doubts, { ...prompt, reported }];
  const own = all.filter(({ epoch }) => epoch === prompt.epoch);
  const falls = own.filter((one, at) => {
    const before = own[at - 1];
    if (before === undefined || one.estimate < before.estimate) return false;
    const part = bounds.most * (one.estimate - before.estimate) + leastPart;
    return one.reported < before.reported - slack && one.reported > part;
  }).length;
  return { falls, most: Math.max(...own.map((one) => one.reported)) };
}

/**
 * Whether a count that would be doubted proves the doubts wrong. A server that cuts counts no more
 * than its window. So a count beyond what was expected of a doubted prompt shows that there was room
 * for that, and counts of different prompts with one ratio show that the model counts otherwise.
 */
export function isProvenWindow(
  calibration: Calibration,
  prompt: CountedPrompt,
  reported: number,
): boolean {
  const { doubted, doubts } = calibration;
  if (doubted === null) return false;
  const seen = { ...prompt, reported };
  const allDoubted = [doubted, ...doubts];
  const isPast = allDoubted.some((one) => reported > proof.past * expected(calibration, one));
  return (
    (isPast && allDoubted.every((one) => follows(calibration, one, seen))) ||
    agree([...doubts, seen])
  );
}

/** The window that a prompt was cut to. */
interface CutWindow {
  readonly window: number;
  /** Whether it is known, the least credible count exceeds it, or another prompt counted the same. */
  readonly isSure: boolean;
}

/** The window that a count equals a cut to: one of those `known`, or a usual one; null for none. */
export function cutOf(
  calibration: Calibration,
  { prompt, reported }: { readonly prompt: CountedPrompt; readonly reported: number },
  known: readonly number[],
): CutWindow | null {
  const likely = expected(calibration, prompt);
  const isCutTo = (window: number): boolean => likely > window && cutsOf(window).includes(reported);
  const knownWindow = known.find(isCutTo);
  if (knownWindow !== undefined) return { window: knownWindow, isSure: true };
  if (reported >= credibleShare * likely) return null;
  const window = usualWindows.find(isCutTo);
  if (window === undefined) return null;
  const { doubts } = calibration;
  const isRepeated = doubts.some(
    (one) => one.reported === reported && Math.abs(one.estimate - prompt.estimate) > slack,
  );
  const least = Math.max(leastCount(calibration, prompt), bounds.least * prompt.estimate - 1);
  return { window, isSure: isRepeated || least > window };
}

/** Shares of {@link leastCount}; what is taken off is more where the ratios of texts lie apart, by so many deviations. */
const leastShares = {
  /** Of our tokens, before there are ratios enough. */
  first: 0.35,
  /** Of the last count, which a cut takes away at least: it is of whole messages. */
  little: 0.0075,
  /** Off the mean ratio of texts. */
  text: { off: 0.12, unlike: 4 },
  /** Off what is expected in another epoch. */
  epoch: { off: 0.05, unlike: 1.5 },
  /** Off what is expected of a prompt as large as one found cut. */
  again: { off: 0.03, unlike: 1 },
} as const;

/** Limits of {@link isProvenWindow}. */
const proof = {
  /** Count beyond that expected of a doubted prompt, as a factor. */
  past: 1.05,
  /** Growth over a small doubted prompt, in tokens, and the least share of it that a count shows. */
  tokens: 64,
  slope: 0.5,
  /** Largest relative difference from the ratio of a doubted prompt. */
  change: 0.1,
  /** Least number of counts that agree, factor between their prompts, and largest deviation of their ratios. */
  reports: 4,
  spread: 1.25,
  deviation: 0.04,
} as const;

/** Whether a count grew over that of a doubted prompt as the prompt did. A template is a large part of a small one. */
function follows({ ratio }: Calibration, doubted: FittedPoint, seen: FittedPoint): boolean {
  const growth = seen.estimate - doubted.estimate;
  if (doubted.estimate < settledSize && growth >= proof.tokens)
    return seen.reported - doubted.reported >= proof.slope * ratio * growth;
  return Math.abs(ratioOf(seen) / ratioOf(doubted) - 1) <= proof.change;
}

/** Whether counts of prompts of different size have one ratio. */
function agree(seen: readonly FittedPoint[]): boolean {
  const sizes = seen.map(({ estimate }) => estimate);
  if (seen.length < proof.reports) return false;
  if (Math.max(...sizes) < proof.spread * Math.min(...sizes)) return false;
  const ratios = seen.map(ratioOf);
  const middle = (Math.max(...ratios) + Math.min(...ratios)) / 2;
  return Math.max(...ratios) - middle <= proof.deviation * middle;
}

const ratioOf = ({ reported, estimate }: FittedPoint): number => reported / estimate;

/** Default windows of servers, in tokens. */
const usualWindows = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144] as const;

/** Whether a count is that of a prompt which was cut to a usual window. */
function isUsualCut(reported: number): boolean {
  return usualWindows.some((window) => cutsOf(window).includes(reported));
}

/** Counts of a prompt that was cut to `window`: all of it, or half of it and the head that is kept. */
function cutsOf(window: number): readonly number[] {
  const halves = [4, 5].map((keep) => window - Math.max(Math.floor((window - keep) / 2), 1));
  return [window, window - 1, ...halves];
}
