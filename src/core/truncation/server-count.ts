import {
  bounds,
  expected,
  type Calibration,
  type CountedPrompt,
  type ReportedPrompt,
} from '../budget/calibration.ts';

/** The share of what is expected that a whole prompt counts at least; the second by the least ratio seen, once there are reports enough. */
export const credible = 0.93;
const credibleLeast = 0.96;

/** Reports that make a line to be relied on, and the size of a prompt, in our tokens, beside which a template is small. */
export const settled = 3;
export const settledSize = 1_000;

/** The share of what is expected that a prompt counts at least while the line is not to be relied on; the second where it knows small prompts only, and most of this one is new. */
const credibleEarly = { few: 0.85, leap: 0.7 } as const;

/** Share of a prompt's growth that a count must show, within an epoch. */
const credibleGrowth = 0.88;

/** The share of what is expected that a prompt counts at least which is no smaller than one that was found cut. */
const credibleAgain = 0.97;

/** What counts may differ by for no reason, in tokens. */
export const slack = 8;

/** Whether a prompt is no smaller than one that was found cut. */
export function wasCut({ cutFrom }: Calibration, { estimate }: CountedPrompt): boolean {
  return cutFrom !== null && estimate >= cutFrom;
}

/**
 * The least that a whole prompt counts, in the server's tokens. What is known decides how much is asked:
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
  if (samples >= settled && wasCut(calibration, prompt))
    return credibleAgain * expected(calibration, prompt);
  if (samples < settled && !isLarge) return bounds.least * estimate - 1;
  const isLeap = last === null || estimate > 2 * last.estimate;
  if (!isLarge && isLeap) return credibleEarly.leap * expected(calibration, prompt);
  if (!isLarge || samples < settled) return credibleEarly.few * expected(calibration, prompt);
  const sparse = Math.min(ratio, least ?? ratio);
  if (last.epoch !== epoch || estimate < last.estimate) {
    const share = samples < 2 * settled ? credible : credibleLeast;
    const alike = (last.reported / last.estimate) * estimate;
    return share * Math.min(sparse * estimate + overhead, alike);
  }
  const growth = estimate - last.estimate;
  const grown = last.reported + credibleGrowth * sparse * growth - slack;
  return Math.max(grown, credible * (last.reported + sparse * growth));
}

/** What shows that a count is the model's own: how far past a doubted prompt, how like the other doubted ones, of how different prompts. */
const telling = {
  past: 1.05,
  tokens: 64,
  slope: 0.5,
  change: 0.1,
  reports: 4,
  spread: 1.25,
  off: 0.04,
} as const;

/**
 * Whether a count that would be doubted shows that the doubts are wrong. What a server cuts stays at
 * its window: so one that is past what a doubted prompt was thought to be says that there was room
 * for it; and several of prompts of different size that keep one ratio say that the model's counts are others.
 */
export function isProvenWindow(
  calibration: Calibration,
  prompt: CountedPrompt,
  reported: number,
): boolean {
  const { doubted, doubts } = calibration;
  if (doubted === null) return false;
  const seen = { ...prompt, reported };
  const all = [doubted, ...doubts];
  const isPast = all.some((one) => reported > telling.past * expected(calibration, one));
  return (
    (isPast && all.every((one) => follows(calibration, one, seen))) || isLike([...doubts, seen])
  );
}

/** Whether a count grew from that of a doubted prompt as the prompt did; of a small one, a template is a large part. */
function follows({ ratio }: Calibration, doubted: ReportedPrompt, seen: ReportedPrompt): boolean {
  const growth = seen.estimate - doubted.estimate;
  if (doubted.estimate < settledSize && growth >= telling.tokens)
    return seen.reported - doubted.reported >= telling.slope * ratio * growth;
  return Math.abs(ratioOf(seen) / ratioOf(doubted) - 1) <= telling.change;
}

function isLike(seen: readonly ReportedPrompt[]): boolean {
  const sizes = seen.map(({ estimate }) => estimate);
  if (seen.length < telling.reports) return false;
  if (Math.max(...sizes) < telling.spread * Math.min(...sizes)) return false;
  const ratios = seen.map(ratioOf);
  const middle = (Math.max(...ratios) + Math.min(...ratios)) / 2;
  return Math.max(...ratios) - middle <= telling.off * middle;
}

const ratioOf = ({ reported, estimate }: ReportedPrompt): number => reported / estimate;

/** Windows that servers have where nobody asked for another, in tokens. */
const usualWindows = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144] as const;

/** Counts that are left of a prompt cut to `window`: all of it, or half of it and what is kept of the head. */
function cutsOf(window: number): readonly number[] {
  const halves = [4, 5].map((keep) => window - Math.max(Math.floor((window - keep) / 2), 1));
  return [window, window - 1, ...halves];
}

/** A window that a count is exactly what is left of. */
export interface CutWindow {
  readonly window: number;
  /** Whether the window is known, the prompt exceeded it even by the least that it may count, or another prompt counted the same. */
  readonly isSure: boolean;
}

/** The cut that a count gives away by itself: to one of the windows `known`, or to a usual one; null for none. */
export function cutOf(
  calibration: Calibration,
  { prompt, reported }: { readonly prompt: CountedPrompt; readonly reported: number },
  known: readonly number[],
): CutWindow | null {
  const likely = expected(calibration, prompt);
  const isLeft = (window: number): boolean => likely > window && cutsOf(window).includes(reported);
  const told = known.find(isLeft);
  if (told !== undefined) return { window: told, isSure: true };
  if (reported >= credible * likely) return null;
  const window = usualWindows.find(isLeft);
  if (window === undefined) return null;
  const { doubts } = calibration;
  const isAgain = doubts.some(
    (one) => one.reported === reported && Math.abs(one.estimate - prompt.estimate) > slack,
  );
  return { window, isSure: isAgain || leastCount(calibration, prompt) > window };
}
