// Our vocabulary is seldom the model's. What the server counted for a prompt, divided
// by what we counted, says how far off we are:
//
//   sample = clamp(reported ÷ estimate, least, most)
//   weight = max(1 ÷ (samples + 1), smoothing)
//   ratio′ = ratio + weight × (sample − ratio)
//
// So the first reports make a plain mean, and later ones a moving average. A report
// below half of the prediction is no sample: the server left out what it had cached,
// or cut the prompt.

/** What the reports of one model have taught; plain data, kept with the session. */
export interface Calibration {
  /** The model's tokens for one token of ours. */
  readonly ratio: number;
  /** How many reports went into it; 0 means that every number is an estimate. */
  readonly samples: number;
}

/** One request: what we counted for it, and what its server said, both in tokens. */
export interface Report {
  /** Our own count of the prompt, not yet calibrated. */
  readonly estimate: number;
  readonly reported?: number | undefined;
}

/** Before the first report. */
export const uncalibrated: Calibration = { ratio: 1, samples: 0 };

/** The ratio stays within these, whatever a server says. */
export const bounds = { least: 0.5, most: 2.5 } as const;

/** The weight of a new sample once there are many. */
const smoothing = 0.1;

/** The share of the prediction below which a report is no sample. */
const credible = 0.5;

/**
 * The calibration after one more report; the same value where the report is missing,
 * not a positive number, or below half of the prediction.
 */
export function learn(calibration: Calibration, { estimate, reported }: Report): Calibration {
  if (reported === undefined || !isPositive(reported) || !isPositive(estimate)) return calibration;
  const { ratio, samples } = calibration;
  if (reported < credible * estimate * ratio) return calibration;
  const sample = Math.min(bounds.most, Math.max(bounds.least, reported / estimate));
  const weight = Math.max(1 / (samples + 1), smoothing);
  return { ratio: ratio + weight * (sample - ratio), samples: samples + 1 };
}

/** Our count in tokens of the model, rounded up: `⌈tokens × ratio⌉`. */
export function calibrated(tokens: number, { ratio }: Calibration): number {
  return Math.ceil(tokens * ratio);
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
