import { bounds, expected, type Calibration, type Counted } from './calibration.ts';

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
export function wasCut({ cutFrom }: Calibration, { estimate }: Counted): boolean {
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
export function leastCount(calibration: Calibration, prompt: Counted): number {
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
