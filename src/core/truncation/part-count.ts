import {
  credibleShare,
  expected,
  isCountedWhole,
  leastWindow,
  type Calibration,
  type CountedPrompt,
  type FittedPoint,
} from '../budget/calibration.ts';
import { countBy } from '../budget/yardstick.ts';
import { isUsualCut, partOverhead, slack, yardsticksOf } from './server-count.ts';

// Servers with a prompt cache may count only what is new in a prompt since the one before. Such a
// count is low without a cut. It is told by what the prompt grew by: a cut leaves anything.

/** Counts of the new part alone that weigh as much as one of the whole: a model that was loaded again is one. */
const partsForWhole = 4;

/** Most counts of the whole after which a first one of the new part is believed. */
const mostWholes = 1;

/** Counts of the new part alone from which a server is known to count so. */
const knownParts = 2;

/** Doubts in a row that may all be such, from which they are. */
const alikeParts = 3;

/** Limits of a count of the new part alone, as factors of what is expected of it. */
const partShares = {
  /** Of our tokens. */
  least: 0.85,
  most: 1.3,
  /** Of what a server without a vocabulary counts. */
  formula: { least: 0.8, most: 1.25 },
  /** Of our tokens, where the server is known to count so. */
  known: 3,
  /** Besides, in tokens. */
  overhead: 100,
} as const;

/** Whether a server is known to count only what is new in a prompt. */
export function countsParts({ counted: { whole, part } }: Calibration): boolean {
  return part >= Math.max(knownParts, partsForWhole * whole);
}

/** Whether a server counted only what is new in a prompt, by this report and those before; never where it is more than that can have. */
export function isPart(calibration: Calibration, prompt: CountedPrompt, reported: number): boolean {
  const { last, previous, doubts } = calibration;
  const { whole } = calibration.counted;
  const likely = expected(calibration, prompt);
  if (reported >= credibleShare * likely) return false;
  const isGrown = (from: CountedPrompt | null): from is CountedPrompt =>
    from?.epoch === prompt.epoch && prompt.estimate >= from.estimate;
  const seen = { ...prompt, reported };
  const isSmall = likely <= leastWindow;
  const hasFallen = isGrown(last) && reported < last.reported;
  if (isSmall && hasFallen && !isCountedWhole(calibration, seen)) return true;
  const isKnown = countsParts(calibration);
  if (!isKnown && doubts.some((one) => isUsualCut(one.reported))) return false;
  if (!isGrown(previous)) return isKnown;
  const growth = prompt.estimate - previous.estimate;
  if (likely - calibration.ratio * growth < partOverhead) return false;
  if (isKnown && !isSmall && reported <= partShares.known * growth + partOverhead) return true;
  if (!isInPart(calibration, previous, seen)) return false;
  return isKnown || whole <= mostWholes || areParts(calibration);
}

/** Whether all the last doubts may be counts of what was new alone: that is no chance. */
function areParts(calibration: Calibration): boolean {
  const { last, doubts } = calibration;
  const all = [...(last === null ? [] : [last]), ...doubts].slice(-alikeParts - 1);
  return (
    all.length > alikeParts && all.slice(1).every((one, at) => isInPart(calibration, all[at]!, one))
  );
}

/** Whether a count is one that the new part of a prompt alone may have. */
function isInPart(calibration: Calibration, from: CountedPrompt, seen: FittedPoint): boolean {
  if (from.epoch !== seen.epoch || seen.estimate < from.estimate) return false;
  const { least, most } = partRange(calibration, from, seen);
  return seen.reported >= least && seen.reported <= most;
}

/** What the new part of a prompt alone may count, by the yardsticks that the server may have. */
function partRange(
  calibration: Calibration,
  from: CountedPrompt,
  to: CountedPrompt,
): { readonly least: number; readonly most: number } {
  const growth = to.estimate - from.estimate;
  const { formula, overhead } = partShares;
  const ratio = Math.max(1, calibration.ratio);
  const ranges = yardsticksOf(calibration, to).map((yardstick): readonly [number, number] => {
    if (yardstick === 'tokens')
      return [partShares.least * growth, partShares.most * ratio * growth];
    const more = countBy(yardstick, to.sizes!) - countBy(yardstick, from.sizes ?? to.sizes!);
    return [formula.least * more, formula.most * more];
  });
  return {
    least: Math.min(...ranges.map(([low]) => low)) - slack,
    most: Math.max(...ranges.map(([, high]) => high)) + overhead,
  };
}
