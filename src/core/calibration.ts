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
  /** The last report that was believed. */
  readonly last: (Counted & { readonly reported: number }) | null;
  /** The first report of its epoch that was not believed. */
  readonly doubted: (Counted & { readonly reported: number }) | null;
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
export interface Counted {
  /** In our own tokens, not yet calibrated. */
  readonly estimate: number;
  readonly epoch: number;
}

/** A prompt, what its server said of it in its own tokens, and the window it should have. */
export interface Report extends Counted {
  /** Null where the server refused the prompt and did not say how long it was. */
  readonly reported: number | null;
  readonly window: number;
  /** Whether the server refused the prompt for its length: then it counted all of it. */
  readonly refused?: boolean;
}

/** Whether a report can be believed: `suspected` below what was expected, `certain` where it is what a server leaves of a cut prompt. */
export type Doubt = 'none' | 'suspected' | 'certain';

/** Before the first report. */
export const uncalibrated: Calibration = {
  ratio: 1,
  overhead: 0,
  surprise: 0,
  samples: 0,
  answered: false,
  sums: { weight: 0, estimate: 0, reported: 0, squares: 0, products: 0 },
  last: null,
  doubted: null,
};

/** The ratio stays within these, whatever a server says. */
export const bounds = { least: 0.5, most: 2.5 } as const;

/** What a prompt may be above what is expected, as a share: of the growth since the last report, of all of it in a new epoch. */
const margins = { growth: 0.1, epoch: 0.05 } as const;

/** What is left of a report's weight, and of a surprise, after the next one. */
const fading = 0.9;

/** How much speaks for no overhead, in reports. */
const ridge = 0.2;

/** The share of what was expected below which a report is doubted; while there are few, what no model counts is. */
const credible = 0.85;

/** The most that a template is believed to add to a prompt, in tokens of the model. */
const mostOverhead = 2_000;

/** The most that what was above expectation counts for, as a share; and what a refusal without a number adds to it. */
const surprises = { most: 0.5, refusal: 0.15 } as const;

/** Reports that make a line to be relied on. */
const settled = 3;

/** Growth of a prompt, in our tokens, that can tell whether a server's count grows with it. */
const tellingGrowth = 512;

/** The share of the growth expected that a count must show. */
const credibleGrowth = 0.5;

/** What a prompt of `estimate` tokens of ours is expected to be by the server's count, without a margin. */
export function expected(calibration: Calibration, { estimate, epoch }: Counted): number {
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

/** Whether a report can be believed. */
export function doubtOf(calibration: Calibration, report: Report): Doubt {
  const { estimate, reported, window, refused = false } = report;
  if (refused || reported === null) return 'none';
  const likely = expected(calibration, report);
  if (isCut(reported, window) && likely > window) return 'certain';
  const { last, samples } = calibration;
  const growth = last?.epoch === report.epoch ? estimate - last.estimate : -1;
  if (growth >= 0 && reported - last!.reported < leastGrowth(growth)) return 'suspected';
  const least = samples < settled ? bounds.least * estimate - 1 : credible * likely;
  return reported >= least || growsCredibly(calibration, report) ? 'none' : 'suspected';
}

/** The least that a count grows with a prompt, whatever the model; a token or two are its template's. */
const leastGrowth = (growth: number): number => Math.max(0, (growth * bounds.least) / 2 - 2);

/** Whether a count is what servers leave of a prompt that they cut: all of the window, or half of it and what they keep of the head. */
function isCut(reported: number, window: number): boolean {
  const halves = [4, 5].map((keep) => window - Math.max(Math.floor((window - keep) / 2), 1));
  return [window, window - 1, ...halves].includes(reported);
}

/** Whether a count that is doubted has grown since the one doubted first as the prompt has: what a server cuts does not grow. */
function growsCredibly({ ratio, doubted }: Calibration, report: Report): boolean {
  const { estimate, reported, epoch } = report;
  if (doubted === null || reported === null || doubted.epoch !== epoch) return false;
  const growth = estimate - doubted.estimate;
  return growth >= tellingGrowth && reported - doubted.reported >= credibleGrowth * ratio * growth;
}

/** The calibration after one more report; what is doubted teaches nothing but that. */
export function learn(before: Calibration, report: Report): Calibration {
  const { estimate, epoch, reported } = report;
  if (reported === null) return warier(before);
  if (!isPositive(reported) || !isPositive(estimate)) return before;
  if (reported > bounds.most * estimate + mostOverhead)
    return report.refused === true ? warier(before) : before;
  const { last } = before;
  if (last?.epoch === epoch && last.estimate === estimate && last.reported === reported)
    return before;
  const seen = { estimate, epoch, reported };
  if (doubtOf(before, report) !== 'none') {
    const { doubted } = before;
    return { ...before, answered: true, doubted: doubted?.epoch === epoch ? doubted : seen };
  }
  const sums = faded(before.sums, estimate, reported);
  const above = before.samples === 0 ? 0 : (reported - expected(before, report)) / estimate;
  return {
    ...lineThrough(sums),
    surprise: Math.min(surprises.most, Math.max(0, above, fading * before.surprise)),
    samples: before.samples + 1,
    answered: true,
    sums,
    last: seen,
    doubted: null,
  };
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
