import { expected, type Calibration, type Counted, type Seen } from './calibration.ts';
import { settledSize } from './credible.ts';

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
export function isSteady(calibration: Calibration, prompt: Counted, reported: number): boolean {
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
function follows({ ratio }: Calibration, doubted: Seen, seen: Seen): boolean {
  const growth = seen.estimate - doubted.estimate;
  if (doubted.estimate < settledSize && growth >= telling.tokens)
    return seen.reported - doubted.reported >= telling.slope * ratio * growth;
  return Math.abs(ratioOf(seen) / ratioOf(doubted) - 1) <= telling.change;
}

function isLike(seen: readonly Seen[]): boolean {
  const sizes = seen.map(({ estimate }) => estimate);
  if (seen.length < telling.reports) return false;
  if (Math.max(...sizes) < telling.spread * Math.min(...sizes)) return false;
  const ratios = seen.map(ratioOf);
  const middle = (Math.max(...ratios) + Math.min(...ratios)) / 2;
  return Math.max(...ratios) - middle <= telling.off * middle;
}

const ratioOf = ({ reported, estimate }: Seen): number => reported / estimate;
