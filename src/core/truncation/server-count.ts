import {
  credibleShare,
  expected,
  leastWindow,
  type Calibration,
  type CountedPrompt,
  type FittedPoint,
} from '../budget/calibration.ts';
import { bounds } from '../budget/line.ts';
import { countBy, fittingYardsticks, type Formula, type Yardstick } from '../budget/yardstick.ts';

// Whether a server's own count of a prompt is credible, by the calibration: the least
// that a whole prompt counts, the windows that a cut prompt counts exactly, and the
// counts that prove a doubt wrong.

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
 * The least credible count of a whole prompt, in the server's tokens: the least by the yardsticks that it
 * may have. By a vocabulary it is the most of
 *
 *   what no vocabulary makes of it             two thirds of our count, or less where the ratio is
 *   the last one has grown                     what that counted, and the least ratio of the growth
 *   another epoch, or no growth                a share of what is expected
 *   as large as one found cut                  a larger share of it
 *
 * How large a share depends on how alike the ratios of texts were: a vocabulary that counts prose
 * as we do and hashes by half tells little.
 */
export function leastCount(calibration: Calibration, prompt: CountedPrompt): number {
  return Math.min(
    ...yardsticksOf(calibration, prompt).map((yardstick) =>
      yardstick === 'tokens'
        ? leastByVocabulary(calibration, prompt)
        : leastByFormula(calibration, prompt, yardstick),
    ),
  );
}

/** The yardsticks that a server may have, as far as a prompt's sizes are known. */
export function yardsticksOf(
  { growth }: Calibration,
  { sizes }: CountedPrompt,
): readonly Yardstick[] {
  return sizes === undefined ? ['tokens'] : fittingYardsticks(growth.misses);
}

function leastByVocabulary(calibration: Calibration, prompt: CountedPrompt): number {
  const { samples, ratio: line } = calibration;
  // A doubted count may lack something, so the prompt has as much at least.
  const last = calibration.last ?? calibration.doubts.at(-1) ?? null;
  const { estimate, epoch } = prompt;
  const first = firstShare(calibration, prompt);
  const any = samples === 0 ? first : (1 - leastShares.text.off) * line;
  const least = Math.min(first, any) * estimate - 1;
  const share = isAsLargeAsOneCut(calibration, prompt) ? leastShares.again : leastShares.epoch;
  const likely = shareFor(calibration, share) * expected(calibration, prompt);
  if (last?.epoch !== epoch || estimate < last.estimate) return Math.max(least, likely);
  const grown =
    last.reported + leastRatio(calibration, first) * (estimate - last.estimate) - little(last);
  return Math.max(least, grown, isAsLargeAsOneCut(calibration, prompt) ? likely : 0);
}

function leastByFormula(
  { last }: Calibration,
  { estimate, epoch, sizes }: CountedPrompt,
  yardstick: Formula,
): number {
  const least = leastShares.formula * countBy(yardstick, sizes!);
  if (last?.epoch !== epoch || estimate < last.estimate || last.sizes === undefined) return least;
  return (
    last.reported + least - leastShares.formula * countBy(yardstick, last.sizes) - little(last)
  );
}

/** The share of our tokens that a server counts at least before its ratios tell. */
function firstShare(calibration: Calibration, prompt: CountedPrompt): number {
  const { first } = leastShares;
  return expected(calibration, prompt) > leastWindow ? first.large : first.small;
}

/** What may be lacking from the last count without a cut. */
function little({ reported }: FittedPoint): number {
  return Math.max(slack, leastShares.little * reported);
}

/** Growth from which its ratios say what the next may be, in our tokens. */
const tellingGrowth = 1_500;

/** The least of the server's tokens for one of ours that a text may have. */
function leastRatio(calibration: Calibration, first: number): number {
  const { growth, ratio: line } = calibration;
  const { tokens, mean } = growth;
  if (tokens < tellingGrowth) return first;
  const { off, unlike } = leastShares.text;
  const seen = Math.min(mean, line) - Math.max(off * mean, unlike * spread(calibration));
  return Math.max(0, Math.min(leastShares.any, seen));
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

/** What a count of the new part alone may have besides, in tokens. */
export const partOverhead = 200;

/** What the server counted in the epoch of a prompt: the last credible count, the doubted ones since, and this one. */
function countedIn(
  { last, doubts }: Calibration,
  prompt: CountedPrompt,
  reported: number,
): readonly FittedPoint[] {
  const all = [...(last === null ? [] : [last]), ...doubts, { ...prompt, reported }];
  return all.filter(({ epoch }) => epoch === prompt.epoch);
}

/**
 * How many prompts came in an epoch since the server counted the most, and how far they grew meanwhile, as a
 * share: one that cuts counts no more than its window.
 */
export function standingIn(
  calibration: Calibration,
  prompt: CountedPrompt,
  reported: number,
): { readonly prompts: number; readonly growth: number } {
  const own = countedIn(calibration, prompt, reported);
  const most = Math.max(...own.map((one) => one.reported));
  const top = own.findIndex((one) => one.reported >= most - slack);
  return { prompts: own.length - 1 - top, growth: prompt.estimate / own[top]!.estimate - 1 };
}

/**
 * How often counts fell in an epoch in which the prompt only grew, among the last credible one,
 * the doubted ones since, and this one. Whatever a vocabulary makes of a text, more text has no
 * fewer tokens. One that may be of what is new alone is no fall.
 */
export function fallsIn(
  calibration: Calibration,
  prompt: CountedPrompt,
  reported: number,
): { readonly falls: number; readonly most: number } {
  const own = countedIn(calibration, prompt, reported);
  const falls = own.filter((one, at) => {
    const before = own[at - 1];
    if (before === undefined || one.estimate < before.estimate) return false;
    const part = bounds.most * (one.estimate - before.estimate) + partOverhead;
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

/** The window that a count equals a cut to: one of these `windows`, or a usual one; null for none. */
export function cutOf(
  calibration: Calibration,
  { prompt, reported }: { readonly prompt: CountedPrompt; readonly reported: number },
  windows: readonly number[],
): CutWindow | null {
  const likely = expected(calibration, prompt);
  const isCutTo = (window: number): boolean => likely > window && cutsOf(window).includes(reported);
  const knownWindow = windows.find(isCutTo);
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
  /** Of our tokens, before there are ratios enough: no vocabulary that we know counts fewer; less where any server has room. */
  first: { large: 0.65, small: 0.35 },
  /** Of our tokens in what a prompt grew by: none that counts as many looks like a cut. */
  any: 0.9,
  /** Of what a server without a vocabulary counts. */
  formula: 0.8,
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
  /** Least number of counts that agree, factor between their prompts, and largest deviation of their ratios, and of that of their growth. */
  reports: 4,
  spread: 1.25,
  deviation: 0.04,
  growth: 0.25,
} as const;

/** Whether a count grew over that of a doubted prompt as the prompt did. A template is a large part of a small one. */
function follows({ ratio }: Calibration, doubted: FittedPoint, seen: FittedPoint): boolean {
  const growth = seen.estimate - doubted.estimate;
  if (doubted.estimate < settledSize && growth >= proof.tokens)
    return seen.reported - doubted.reported >= proof.slope * ratio * growth;
  return Math.abs(ratioOf(seen) / ratioOf(doubted) - 1) <= proof.change;
}

/** Whether counts of prompts of different size have one ratio, and what they grew by has it, too: what a cut leaves grows as a whole prompt does. */
function agree(seen: readonly FittedPoint[]): boolean {
  const sizes = seen.map(({ estimate }) => estimate);
  if (seen.length < proof.reports) return false;
  if (Math.max(...sizes) < proof.spread * Math.min(...sizes)) return false;
  const ratios = seen.map(ratioOf);
  const middle = (Math.max(...ratios) + Math.min(...ratios)) / 2;
  if (Math.max(...ratios) - middle > proof.deviation * middle) return false;
  return seen.every((one, at) => {
    const before = seen[at - 1];
    const more = before?.epoch === one.epoch ? one.estimate - before.estimate : 0;
    if (before === undefined || more < proof.tokens) return true;
    return Math.abs((one.reported - before.reported) / more - middle) <= proof.growth * middle;
  });
}

const ratioOf = ({ reported, estimate }: FittedPoint): number => reported / estimate;

/** Default windows of servers, in tokens. */
const usualWindows = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144] as const;

/** Whether a count is that of a prompt which was cut to a usual window. */
export function isUsualCut(reported: number): boolean {
  return usualWindows.some((window) => cutsOf(window).includes(reported));
}

/** Counts of a prompt that was cut to `window`: all of it, or half of it and the head that is kept. */
function cutsOf(window: number): readonly number[] {
  const halves = [4, 5].map((keep) => window - Math.max(Math.floor((window - keep) / 2), 1));
  return [window, window - 1, ...halves];
}
