import { expected, type Calibration, type Counted } from './calibration.ts';
import { credible, leastCount, slack } from './credible.ts';

/** Windows that servers have where nobody asked for another, in tokens. */
const usualWindows = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144] as const;

/** Counts that are left of a prompt cut to `window`: all of it, or half of it and what is kept of the head. */
function cutsOf(window: number): readonly number[] {
  const halves = [4, 5].map((keep) => window - Math.max(Math.floor((window - keep) / 2), 1));
  return [window, window - 1, ...halves];
}

/** A window that a count is exactly what is left of. */
export interface Cut {
  readonly window: number;
  /** Whether the window is known, the prompt exceeded it even by the least that it may count, or another prompt counted the same. */
  readonly isSure: boolean;
}

/** The cut that a count gives away by itself: to one of the windows `known`, or to a usual one; null for none. */
export function cutOf(
  calibration: Calibration,
  { prompt, reported }: { readonly prompt: Counted; readonly reported: number },
  known: readonly number[],
): Cut | null {
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
