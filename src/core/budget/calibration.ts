import type { TextSizes } from '../messages/text-sizes.ts';
import { isCountedAlike, isLastRefuted, isRepeated } from './counted-alike.ts';
import { bounds, faded, fading, lineThrough, mostOverhead, noSums, type Sums } from './line.ts';
import { missesAfter, type Misses } from './yardstick.ts';

// Our vocabulary is seldom the model's, and a chat template adds tokens to each prompt
// that we do not see. Both are learned from what a server counted, as a line
//
//   reported ≈ ratio × estimate + overhead
//
// fitted by least squares, old reports weighing a tenth less with each new one
// (recursive least squares with exponential forgetting). The overhead is held near
// zero until prompts of different size show it (a ridge), so that a first, small
// prompt makes the ratio too large rather than too small. How far reports exceed the
// expected count is kept, too (the surprise), and fades as they do.
//
// Within an epoch a prompt only grows, so what is expected is the last report and
// the growth since; a new epoch is expected from the line, with a margin.

/** The counts of one model's server, learned from its reports; plain data, kept with the session. */
export interface Calibration {
  /** The model's tokens for one of ours. */
  readonly ratio: number;
  /** Tokens of the model that the template adds to a prompt. */
  readonly overhead: number;
  /** How far recent reports exceeded what was expected, as a share of the estimate. */
  readonly surprise: number;
  /** Reports that it was learned from; 0 means that every number is an estimate. */
  readonly samples: number;
  /** Whether the model has answered at all. */
  readonly answered: boolean;
  readonly sums: Sums;
  /** How much the model's tokens for one of ours differ from text to text. */
  readonly growth: GrowthRatios;
  /** The largest credible count: the server has room for as much. */
  readonly highest: number;
  /** Reports of a prompt which only grew that counted it as a whole, since the last one that counted its new part alone, and those. */
  readonly counted: { readonly whole: number; readonly part: number };
  /** The last credible report. */
  readonly last: FittedPoint | null;
  /** The last prompt that was counted, credible or not. */
  readonly previous: CountedPrompt | null;
  /** The first doubted report since the last credible one. */
  readonly doubted: FittedPoint | null;
  /** The last few doubted reports since then, oldest first. */
  readonly doubts: readonly FittedPoint[];
  /** The smallest prompt that was found cut and that not any server has room for, in our tokens; null where none was, or one as large was credible since. */
  readonly cutFrom: number | null;
  /** The most that a prompt may have since the server refused one for its length, in our tokens; absent where it refused none. */
  readonly ceiling?: number;
}

/** A prompt by our count and its server's. */
export interface FittedPoint extends CountedPrompt {
  readonly reported: number;
}

/** A prompt by our count. */
export interface CountedPrompt {
  /** In our tokens, not calibrated. */
  readonly estimate: number;
  readonly epoch: number;
  /** Of its text; unknown unless told. */
  readonly sizes?: TextSizes;
}

/** The model's tokens for one of ours in what prompts grew by. */
export interface GrowthRatios {
  /** Growth that they were learned from, in our tokens. */
  readonly tokens: number;
  readonly mean: number;
  /** Mean distance of a piece from the mean. */
  readonly deviation: number;
  /** How far each way to count missed the same. */
  readonly misses: Misses;
  /** The report from which the next piece is measured. */
  readonly from: FittedPoint | null;
}

/** A prompt with its server's count, in the model's tokens, and the window that it was made for. */
export interface ServerReport extends CountedPrompt {
  /** Null where the server refused the prompt and did not say how long it was. */
  readonly reported: number | null;
  readonly window: number;
  /** Whether the server refused the prompt for its length: then it counted all of it. */
  readonly refused?: boolean;
}

/** The calibration before the first report. */
export const uncalibrated: Calibration = {
  ratio: 1,
  overhead: 0,
  surprise: 0,
  samples: 0,
  answered: false,
  sums: noSums,
  growth: { tokens: 0, mean: 1, deviation: 0.1, misses: {}, from: null },
  highest: 0,
  counted: { whole: 0, part: 0 },
  last: null,
  previous: null,
  doubted: null,
  doubts: [],
  cutFrom: null,
};

/** Margins above the expected count: as a share of the growth since the last report, or of all of it in a new epoch. */
const margins = { growth: 0.1, epoch: 0.05 } as const;

/** The largest surprise, and what a refusal without a count adds to it, as shares. */
const surprises = { most: 0.5, refusal: 0.15 } as const;

/** What a count of the new part alone may have besides, in tokens, the largest factor of its ratio, and how near one of the whole comes. */
const partial = { overhead: 200, ratio: 1.6, near: 0.1 } as const;

/** Whether the count of a prompt that only grew is more than what is new in it can have. */
export function isCountedWhole(calibration: Calibration, seen: FittedPoint): boolean {
  const { previous, ratio, samples } = calibration;
  if (previous?.epoch !== seen.epoch || seen.estimate < previous.estimate) return false;
  const growth = seen.estimate - previous.estimate;
  const most = samples > 3 ? partial.ratio * ratio : bounds.most;
  if (seen.reported > most * growth + partial.overhead) return true;
  const apart = expected(calibration, seen) - ratio * growth;
  const isNear = Math.abs(seen.reported - expected(calibration, seen)) <= partial.near * apart;
  return apart >= partial.overhead && isNear;
}

/** Least share of what is expected of a whole prompt that is believed without a doubt. */
export const credibleShare = 0.93;

/** What a count is worth that is neither of the new part alone nor of the whole prompt: a cut, so the parts were none. */
const wholesOfCut = 2;

/** What reports say of how the server counts, with one more. */
function habitAfter(
  before: Calibration,
  seen: FittedPoint,
  isPart: boolean,
): Pick<Calibration, 'previous' | 'counted'> {
  const { whole, part } = before.counted;
  if (isPart) return { previous: seen, counted: { whole: 0, part: part + 1 } };
  if (!isCountedWhole(before, seen)) return { previous: seen, counted: before.counted };
  const isCut = part > 0 && seen.reported < credibleShare * expected(before, seen);
  const counted = isCut ? { whole: whole + wholesOfCut, part: 0 } : { whole: whole + 1, part };
  return { previous: seen, counted };
}

/** Least growth of a prompt, in our tokens, that tells a ratio. */
const tellingGrowth = 200;

/** The count that is expected from the server for a prompt, in the model's tokens, without a margin. */
export function expected(calibration: Calibration, { estimate, epoch }: CountedPrompt): number {
  const { ratio, overhead, last } = calibration;
  return last?.epoch === epoch
    ? last.reported + ratio * (estimate - last.estimate)
    : ratio * estimate + overhead;
}

/** The same for people: grown by what growth was counted so far, so that it hardly moves when the next report comes. */
export function expectedGrown(calibration: Calibration, prompt: CountedPrompt): number {
  const { last, growth } = calibration;
  return last?.epoch === prompt.epoch
    ? last.reported + growth.mean * (prompt.estimate - last.estimate)
    : expected(calibration, prompt);
}

/** The most of our tokens that are expected to stay within `room` tokens of the model, margins included. */
export function roomFor(calibration: Calibration, room: number, epoch: number): number {
  const { ratio, overhead, surprise, last } = calibration;
  if (last?.epoch === epoch) {
    const remaining = room - last.reported - surprise * last.estimate;
    return last.estimate + remaining / (ratio * (1 + margins.growth) + surprise);
  }
  return (room - overhead) / (ratio + Math.max(surprise, margins.epoch));
}

/** What is thought of a report: that it counts the whole prompt, its new part alone, what a cut left of it, or a little too few to be sure. */
export type Belief = 'whole' | 'part' | 'doubted' | 'unsure';

/** The calibration after one more report. One of the new part alone tells nothing; a doubted one is only recorded as such; a doubted refusal raises the surprise. */
export function learn(
  before: Calibration,
  report: ServerReport,
  belief: Belief = 'whole',
): Calibration {
  const { estimate, reported, epoch, sizes, refused = false } = report;
  if (reported === null) return afterRefusal(before);
  if (!isPositive(reported) || !isPositive(estimate)) return before;
  const seen = { estimate, epoch, reported, ...(sizes === undefined ? {} : { sizes }) };
  if (reported > bounds.most * estimate + mostOverhead) {
    if (refused) return afterRefusal(before);
    return isCountedAlike(before, seen) ? withDoubt(before, seen, false) : before;
  }
  const { last } = before;
  if (last?.epoch === epoch && last.estimate === estimate && last.reported === reported)
    return before;
  if (belief !== 'whole' && refused) return afterRefusal(before);
  // A part is hardly ever as long as the last whole prompt, to a token.
  if (belief === 'part' && !isCountedAlike(before, seen))
    return { ...before, ...habitAfter(before, seen, true), answered: true };
  if (belief !== 'whole') return withDoubt(before, seen, belief === 'doubted');
  const sums = faded(before.sums, estimate, reported);
  const above = before.samples === 0 ? 0 : (reported - expected(before, report)) / estimate;
  const line = lineThrough(sums);
  return {
    ...line,
    surprise: Math.min(surprises.most, Math.max(0, above, fading * before.surprise)),
    samples: isRepeated(last, seen) ? before.samples : before.samples + 1,
    answered: true,
    sums,
    growth: withGrowth(before, seen),
    highest: Math.max(before.highest, reported),
    ...habitAfter(before, seen, false),
    last: seen,
    doubted: null,
    doubts: [],
    cutFrom: before.cutFrom === null || estimate >= before.cutFrom ? null : before.cutFrom,
    // A count tells more of what fits than a refusal did: no `ceiling` any more.
  };
}

/** The least window that servers usually have, in tokens. */
export const leastWindow = 2_048;

/** Most doubted reports that are kept. */
const mostDoubts = 6;

function withDoubt(calibration: Calibration, seen: FittedPoint, isCut: boolean): Calibration {
  const before = isLastRefuted(calibration, seen)
    ? unlearned(calibration, calibration.last!)
    : calibration;
  const doubts = [...before.doubts, seen].slice(-mostDoubts);
  const isLarge = expected(before, seen) > leastWindow;
  const cutFrom =
    isCut && isLarge ? Math.min(before.cutFrom ?? seen.estimate, seen.estimate) : before.cutFrom;
  return {
    ...before,
    answered: true,
    doubted: before.doubted ?? seen,
    doubts,
    cutFrom,
    ...habitAfter(before, seen, false),
  };
}

/** What was learned without the last report, which is doubted now; a large ratio of a first one is kept, for a cut may hide more. */
function unlearned(before: Calibration, last: FittedPoint): Calibration {
  const { doubted, doubts } = before;
  const rest = { ...before, last: null, doubted: doubted ?? last, doubts: [last, ...doubts] };
  if (before.samples > 1) return rest;
  const { ratio, overhead, surprise, samples, sums, growth } = uncalibrated;
  const least = Math.max(ratio, before.ratio);
  return { ...rest, ratio: least, overhead, surprise, samples, sums, growth };
}

/** Growth that a new ratio is weighed against, in our tokens: at most, and for what the deviation is taken for at first. */
const memory = { most: 6_000, first: 2_000 } as const;

/** The ratios of growth with that of one more credible report; a new epoch begins a new piece. */
function withGrowth({ growth }: Calibration, seen: FittedPoint): GrowthRatios {
  const { from, tokens, mean, deviation } = growth;
  if (from?.epoch !== seen.epoch || seen.estimate < from.estimate) return { ...growth, from: seen };
  const more = seen.estimate - from.estimate;
  if (more < tellingGrowth) return growth;
  const counted = seen.reported - from.reported;
  const ratio = counted / more;
  const weight = (before: number): number => more / (more + Math.min(memory.most, before));
  const apart = tokens === 0 ? 0 : Math.abs(ratio - mean);
  return {
    tokens: tokens + more,
    mean: mean + weight(tokens) * (ratio - mean),
    deviation: deviation + weight(tokens + memory.first) * (apart - deviation),
    misses: missesAfter(growth.misses, {
      counted,
      tokens: mean * more,
      sizes: [from.sizes, seen.sizes],
      weight: weight(tokens),
    }),
    from: seen,
  };
}

/** The calibration after a refusal without a count: a larger surprise, and no last report. */
function afterRefusal(before: Calibration): Calibration {
  const surprise = Math.max(before.surprise, margins.epoch) + surprises.refusal;
  return { ...before, surprise: Math.min(surprises.most, surprise), last: null };
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
