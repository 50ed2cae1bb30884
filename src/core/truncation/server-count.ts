import {
  bounds,
  expected,
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
 * The least credible count of a whole prompt, in the server's tokens; the first case that holds:
 *
 *   as large as one found cut, line settled    0.97 of what the line says
 *   few reports, small prompts                 what no model counts, less one for rounding
 *   settled, but most of a small one is new    0.7 of the line
 *   small, or few reports                      0.85 of the line
 *   another epoch, or no growth                0.93, later 0.96, of the least ratio seen
 *   the last one has grown                     what that counted, and 0.88 of the growth
 */
export function leastCount(calibration: Calibration, prompt: CountedPrompt): number {
  const { samples, last, ratio, overhead, least } = calibration;
  const { estimate, epoch } = prompt;
  const isLarge = last !== null && Math.min(last.estimate, estimate) >= settledSize;
  if (samples >= settledReports && isAsLargeAsOneCut(calibration, prompt))
    return leastShares.again * expected(calibration, prompt);
  if (samples < settledReports && !isLarge) return bounds.least * estimate - 1;
  const isLeap = last === null || estimate > 2 * last.estimate;
  if (!isLarge && isLeap) return leastShares.leap * expected(calibration, prompt);
  if (!isLarge || samples < settledReports) return leastShares.few * expected(calibration, prompt);
  const ratioBelow = Math.min(ratio, least ?? ratio);
  if (last.epoch !== epoch || estimate < last.estimate) {
    const share = samples < 2 * settledReports ? credibleShare : leastShares.leastRatio;
    const alike = (last.reported / last.estimate) * estimate;
    return share * Math.min(ratioBelow * estimate + overhead, alike);
  }
  const growth = estimate - last.estimate;
  const grown = last.reported + leastShares.growth * ratioBelow * growth - slack;
  return Math.max(grown, credibleShare * (last.reported + ratioBelow * growth));
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
  return { window, isSure: isRepeated || leastCount(calibration, prompt) > window };
}

/** Shares of {@link leastCount} that are used in one case each. */
const leastShares = {
  /** Of the expected count, of a prompt as large as one found cut. */
  again: 0.97,
  /** Of the expected count, where the line knows only small prompts and most of this one is new. */
  leap: 0.7,
  /** Of the expected count, where reports are few. */
  few: 0.85,
  /** Of the least ratio seen, once there are reports enough. */
  leastRatio: 0.96,
  /** Of the growth within an epoch. */
  growth: 0.88,
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

/** Counts of a prompt that was cut to `window`: all of it, or half of it and the head that is kept. */
function cutsOf(window: number): readonly number[] {
  const halves = [4, 5].map((keep) => window - Math.max(Math.floor((window - keep) / 2), 1));
  return [window, window - 1, ...halves];
}
