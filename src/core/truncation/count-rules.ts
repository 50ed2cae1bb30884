import { expected, type Calibration, type CountedPrompt } from '../budget/calibration.ts';
import {
  requestOf,
  type CountedRequest,
  type EvidenceNumbers,
  type TruncationEvidence,
} from './evidence.ts';
import {
  cutOf,
  fallsIn,
  isAsLargeAsOneCut,
  isProvenWindow,
  leastCount,
  mayBeCut,
  settledReports,
  slack,
  standingIn,
} from './server-count.ts';
import { countsParts, isPart } from './part-count.ts';

// The rules that judge what a server counted. Each gives the numbers by which it holds, or null.

/** The rule for a count that equals a cut, surely or not. */
export function countCut(
  isSure: boolean,
): (evidence: TruncationEvidence) => EvidenceNumbers | null {
  return (evidence) => {
    const request = requestOf(evidence);
    if (request?.reported === undefined) return null;
    const { calibration, prompt, reported } = request;
    const windows = [prompt.window, ...(evidence.window === undefined ? [] : [evidence.window])];
    const cut = cutOf(calibration, { prompt, reported }, windows);
    const mayBePart = isPart(calibration, prompt, reported);
    if (cut === null || (cut.isSure && !mayBePart) !== isSure) return null;
    if (mayBePart && countsParts(calibration)) return null;
    const likely = Math.round(expected(calibration, prompt));
    return { reported, expected: likely, window: cut.window };
  };
}

/** Uncertainty of an expected count, as a share of the growth; in a new epoch, and before it settles, of all of it. */
const uncertainty = { growth: 0.15, epoch: 0.05, first: 0.4 } as const;

/** The rule for a prompt that exceeded the window of its server, surely or by our best guess. */
export function windowExceeded(
  isSure: boolean,
): (evidence: TruncationEvidence) => EvidenceNumbers | null {
  return (evidence) => {
    const request = requestOf(evidence);
    const { window } = evidence;
    if (request === null || window === undefined || evidence.refused === true) return null;
    const { calibration, prompt, reported } = request;
    const likely = expected(calibration, prompt);
    if (reported !== undefined && reported > window) return null;
    const sure =
      reported === undefined
        ? likely - uncertaintyOf(calibration, prompt)
        : leastCount(calibration, prompt);
    const least = isSure ? sure : likely;
    return least > window ? { expected: Math.round(likely), window } : null;
  };
}

function uncertaintyOf(calibration: Calibration, prompt: CountedPrompt): number {
  const { last, samples } = calibration;
  if (last?.epoch === prompt.epoch)
    return uncertainty.growth * Math.abs(prompt.estimate - last.estimate) + slack;
  return (
    (samples < settledReports ? uncertainty.first : uncertainty.epoch) *
    expected(calibration, prompt)
  );
}

export function countFell(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request?.reported === undefined) return null;
  const { calibration, prompt, reported } = request;
  const { last } = calibration;
  const grew = last?.epoch === prompt.epoch && prompt.estimate >= last.estimate;
  if (!grew || reported >= last.reported || isPart(calibration, prompt, reported)) return null;
  if (isProvenWindow(calibration, prompt, reported)) return null;
  return { reported, before: last.reported };
}

/** Falls of the count in an epoch from which no other cause is likely. */
const leastFalls = 2;

/** Prompts in an epoch that count no more than one before them, and how far they grew, as a share, from which no other cause is likely. */
const leastStanding = { prompts: 3, growth: 0.1 } as const;

/** The rule for counts that fall again and again, or stand still, though the prompt grew; the window is what they never exceeded. */
export function countCapped(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request?.reported === undefined) return null;
  const { calibration, prompt, reported } = request;
  const { counted, samples } = calibration;
  if (samples < settledReports || counted.whole < settledReports) return null;
  const { falls, most } = fallsIn(calibration, prompt, reported);
  const isFalling = falls >= leastFalls && countFell(evidence) !== null;
  if (!isFalling && !hasStood(request, reported)) return null;
  return { reported, expected: Math.round(expected(calibration, prompt)), falls, window: most };
}

function hasStood({ calibration, prompt }: CountedRequest, reported: number): boolean {
  const { prompts, growth } = standingIn(calibration, prompt, reported);
  return (
    prompts >= leastStanding.prompts &&
    growth >= leastStanding.growth &&
    !isPart(calibration, prompt, reported) &&
    !isProvenWindow(calibration, prompt, reported)
  );
}

export function countLow(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request?.reported === undefined || !(request.reported > 0)) return null;
  const { calibration, prompt, reported } = request;
  const least = leastCount(calibration, prompt);
  if (!isTooLow(request, reported) || !mayBeCut(calibration, prompt)) return null;
  // What is hardly less is not learned from, and not told: a cut is of whole messages.
  if (reported >= clearlyLow * least) return null;
  return { reported, expected: Math.round(expected(calibration, prompt)), least: Math.ceil(least) };
}

/** Share of the least credible count below which a count is told. */
const clearlyLow = 0.97;

/** Whether a count is less than any text that the server counted so far would make it, and not that of its new part. */
export function isTooLow({ calibration, prompt }: CountedRequest, reported: number): boolean {
  return (
    reported < leastCount(calibration, prompt) &&
    !isPart(calibration, prompt, reported) &&
    !isProvenWindow(calibration, prompt, reported)
  );
}

export function countMissing(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request === null || request.reported !== undefined || evidence.refused === true) return null;
  const { calibration, prompt } = request;
  const likely = Math.round(expected(calibration, prompt));
  const isWithin = evidence.window !== undefined && likely <= evidence.window;
  const isCut = mayBeCut(calibration, prompt) && isAsLargeAsOneCut(calibration, prompt);
  return !isWithin && isCut ? { expected: likely } : null;
}
