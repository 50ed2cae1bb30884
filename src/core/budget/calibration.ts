// Our vocabulary is seldom the model's, and a chat template adds to each prompt what
// we cannot see. What a server counted for a prompt teaches both, as a line
//
//   reported ≈ ratio × estimate + overhead
//
// fitted by least squares, old reports weighing a tenth less with each new one
// (recursive least squares with exponential forgetting). The overhead is held near
// nothing until prompts of different size speak for it (a ridge), so that a first,
// small prompt makes the ratio too large rather than too small. How far a report lay
// above what was expected is remembered, and fades as the reports do.
//
// Within an epoch a prompt only grows, so what is expected is the last report and
// the growth since; a new epoch is expected from the line, with a margin.

/** What the reports of one model have taught; plain data, kept with the session. */
export interface Calibration {
  /** The model's tokens for one of ours. */
  readonly ratio: number;
  /** What the template adds to a prompt, in tokens of the model. */
  readonly overhead: number;
  /** How far reports lay above what was expected lately, as a share of the estimate. */
  readonly surprise: number;
  /** Reports that it was learned from; 0 means that every number is an estimate. */
  readonly samples: number;
  /** Whether the model has answered at all. */
  readonly answered: boolean;
  readonly sums: Sums;
  /** The least of the model's tokens for one of ours in any stretch of text that was believed; null before the first. */
  readonly least: number | null;
  /** The last report that was believed. */
  readonly last: ReportedPrompt | null;
  /** The first report that was not believed, since one that was. */
  readonly doubted: ReportedPrompt | null;
  /** Those that were not believed since then, oldest first: the last few. */
  readonly doubts: readonly ReportedPrompt[];
  /** The least prompt that was found cut, in our tokens; null where none was, or one as large was believed since. */
  readonly cutFrom: number | null;
}

/** A prompt as we counted it, and as its server did. */
export interface ReportedPrompt extends CountedPrompt {
  readonly reported: number;
}

/** What the line is fitted to: sums over reports, faded. */
interface Sums {
  readonly weight: number;
  readonly estimate: number;
  readonly reported: number;
  readonly squares: number;
  readonly products: number;
}

/** A prompt as we counted it. */
export interface CountedPrompt {
  /** In our own tokens, not yet calibrated. */
  readonly estimate: number;
  readonly epoch: number;
}

/** A prompt, what its server said of it in its own tokens, and the window it should have. */
export interface PromptReport extends CountedPrompt {
  /** Null where the server refused the prompt and did not say how long it was. */
  readonly reported: number | null;
  readonly window: number;
  /** Whether the server refused the prompt for its length: then it counted all of it. */
  readonly refused?: boolean;
}

/** Before the first report. */
export const uncalibrated: Calibration = {
  ratio: 1,
  overhead: 0,
  surprise: 0,
  samples: 0,
  answered: false,
  sums: { weight: 0, estimate: 0, reported: 0, squares: 0, products: 0 },
  least: null,
  last: null,
  doubted: null,
  doubts: [],
  cutFrom: null,
};

/** The ratio stays within these, whatever a server says. */
export const bounds = { least: 0.5, most: 2.5 } as const;

/** What a prompt may be above what is expected, as a share: of the growth since the last report, of all of it in a new epoch. */
const margins = { growth: 0.1, epoch: 0.05 } as const;

/** What is left of a report's weight, and of a surprise, after the next one. */
const fading = 0.9;

/** How much speaks for no overhead, in reports. */
const ridge = 0.2;

/** The most that a template is believed to add to a prompt, in tokens of the model. */
const mostOverhead = 2_000;

/** The most that what was above expectation counts for, as a share; and what a refusal without a number adds to it. */
const surprises = { most: 0.5, refusal: 0.15 } as const;

/** Growth of a prompt, in our tokens, from which a ratio can be read. */
const tellingGrowth = 200;

/** What a prompt of `estimate` tokens of ours is expected to be by the server's count, without a margin. */
export function expected(calibration: Calibration, { estimate, epoch }: CountedPrompt): number {
  const { ratio, overhead, last } = calibration;
  return last?.epoch === epoch
    ? last.reported + ratio * (estimate - last.estimate)
    : ratio * estimate + overhead;
}

/** The most tokens of ours that are expected to stay within `room` tokens of the model, margins included. */
export function roomFor(calibration: Calibration, room: number, epoch: number): number {
  const { ratio, overhead, surprise, last } = calibration;
  if (last?.epoch === epoch) {
    const left = room - last.reported - surprise * last.estimate;
    return last.estimate + left / (ratio * (1 + margins.growth) + surprise);
  }
  return (room - overhead) / (ratio + Math.max(surprise, margins.epoch));
}

/** The calibration after one more report; one that is doubted teaches nothing but that, and if it refused, that prompts are to be shorter. */
export function learn(before: Calibration, report: PromptReport, isDoubted = false): Calibration {
  const { estimate, reported, epoch, refused = false } = report;
  if (reported === null) return warier(before);
  if (!isPositive(reported) || !isPositive(estimate)) return before;
  if (reported > bounds.most * estimate + mostOverhead) return refused ? warier(before) : before;
  const { last } = before;
  if (last?.epoch === epoch && last.estimate === estimate && last.reported === reported)
    return before;
  const seen = { estimate, epoch, reported };
  if (isDoubted) return refused ? warier(before) : doubting(before, seen);
  const sums = faded(before.sums, estimate, reported);
  const above = before.samples === 0 ? 0 : (reported - expected(before, report)) / estimate;
  const line = lineThrough(sums);
  return {
    ...line,
    surprise: Math.min(surprises.most, Math.max(0, above, fading * before.surprise)),
    samples: before.samples + 1,
    answered: true,
    sums,
    least: leastRatio(before, seen, line.ratio),
    last: seen,
    doubted: null,
    doubts: [],
    cutFrom: before.cutFrom === null || estimate >= before.cutFrom ? null : before.cutFrom,
  };
}

/** Doubted reports that are remembered. */
const mostDoubts = 6;

function doubting(before: Calibration, seen: ReportedPrompt): Calibration {
  const doubts = [...before.doubts, seen].slice(-mostDoubts);
  const cutFrom = Math.min(before.cutFrom ?? seen.estimate, seen.estimate);
  return { ...before, answered: true, doubted: before.doubted ?? seen, doubts, cutFrom };
}

/** How far below the ratio of all text that of some text is believed to be, as a share. */
const leastShare = 0.8;

/** The least ratio so far: of this report's growth, or of all of it where it does not continue the last one. */
function leastRatio(
  { least, last, overhead }: Calibration,
  report: CountedPrompt & { readonly reported: number },
  usual: number,
): number | null {
  const continues = last?.epoch === report.epoch && report.estimate >= last.estimate;
  const from = continues ? last : { estimate: 0, reported: Math.min(overhead, report.reported) };
  const growth = report.estimate - from.estimate;
  if (growth < tellingGrowth) return least;
  const ratio = Math.max(leastShare * usual, (report.reported - from.reported) / growth);
  return least === null ? ratio : Math.min(least, ratio);
}

/** After a refusal that says no number: prompts are to be shorter, and nothing is known of the line. */
function warier(before: Calibration): Calibration {
  const surprise = Math.max(before.surprise, margins.epoch) + surprises.refusal;
  return { ...before, surprise: Math.min(surprises.most, surprise), last: null };
}

function faded(sums: Sums, estimate: number, reported: number): Sums {
  return {
    weight: fading * sums.weight + 1,
    estimate: fading * sums.estimate + estimate,
    reported: fading * sums.reported + reported,
    squares: fading * sums.squares + estimate * estimate,
    products: fading * sums.products + estimate * reported,
  };
}

/** The line of least squares, its slope within the bounds and its overhead not below nothing. */
function lineThrough(sums: Sums): Pick<Calibration, 'ratio' | 'overhead'> {
  const { weight, estimate, reported, squares, products } = sums;
  const heavy = weight + ridge;
  const slope = (products * heavy - reported * estimate) / (squares * heavy - estimate * estimate);
  const through = (reported - slope * estimate) / heavy;
  const ratio = within(through < 0 ? products / squares : slope);
  return {
    ratio,
    overhead: Math.min(mostOverhead, Math.max(0, (reported - ratio * estimate) / heavy)),
  };
}

const within = (ratio: number): number =>
  Math.min(bounds.most, Math.max(bounds.least, Number.isFinite(ratio) ? ratio : 1));

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
