import { expected, type Calibration, type CountedPrompt } from './calibration.ts';

// A server that refuses a prompt for its length may count otherwise than we think, or have less room than we
// know. Where its numbers say how much, they are learned from. Whatever it says, the next prompt is smaller than
// the one that was refused, down to what anything can be worked with (see `limit.ts`).
//
// The ceiling comes up again with each answer, for the server may have refused for another reason, and goes with the
// first that has a count, which tells more. Where nothing was answered before a person speaks again, or where the
// window grows, it is lifted: so no session is stuck below it.

/** Shares of a refused prompt that the next one may have: where no number says how much, and at most. */
const shares = { unsaid: 0.75, most: 0.95 } as const;

/** How much the ceiling rises with an answer, as a factor. */
const rise = 1.02;

/** The largest ceiling that still tells, as a multiple of the window: no limit is larger. */
const largest = 2;

/** What a server said as it refused a prompt, in its tokens; null for what it did not say. */
interface Refusal {
  /** Its count of the prompt. */
  readonly tokens: number | null;
  /** The window that it has. */
  readonly window: number | null;
  /** What the prompt may take of a window, as a share: the rest is for the answer. */
  readonly share: number;
}

/** The most that the next prompt may have, in our tokens; no bound where none was refused. */
export const ceilingOf = ({ ceiling }: Calibration): number => ceiling ?? Infinity;

/** What the next prompt may have after a refusal of `prompt`, in our tokens; `before` is what was known when it was sent. */
export function ceilingAfter(
  before: Calibration,
  prompt: CountedPrompt,
  { tokens, window, share }: Refusal,
): number {
  const length = Math.max(tokens ?? 0, expected(before, prompt));
  const fits = window === null ? 1 : (window * share) / length;
  const part = fits < 1 ? Math.min(shares.most, fits) : shares.unsaid;
  return Math.floor(Math.min(ceilingOf(before), part * prompt.estimate));
}

/** The calibration with the ceiling risen by an answer. */
export function raised(calibration: Calibration, window: number): Calibration {
  if (calibration.ceiling === undefined) return calibration;
  const ceiling = Math.ceil(rise * calibration.ceiling);
  return ceiling > largest * window ? lifted(calibration) : { ...calibration, ceiling };
}

/** The calibration without a ceiling. */
export function lifted(calibration: Calibration): Calibration {
  const { ceiling, ...rest } = calibration;
  return ceiling === undefined ? calibration : rest;
}
