import {
  expected,
  type Belief,
  type Calibration,
  type CountedPrompt,
} from '../budget/calibration.ts';
import { asksBack } from './asks-back.ts';
import {
  credibleShare,
  cutOf,
  fallsIn,
  isAsLargeAsOneCut,
  isPart,
  isProvenWindow,
  isRoomProven,
  leastCount,
  mayBeCut,
  settledReports,
  slack,
} from './server-count.ts';

// A server or a host that drops part of a prompt seldom says so. It is detected by
// arithmetic, in a table of rules, the surest first; the first that holds is the
// verdict. A doubted count is not learned from, so that a cut prompt does not make
// the next one look whole.
//
//   prompt.refused    an overflow error; nothing was answered, so nothing is lost
//   count.cut         exactly the count of a prompt cut to a window: a known one, one that the prompt
//                     exceeded for sure, or one where another prompt counted the same
//   count.capped      less than the prompt before, again and again, though it only grew
//   window.exceeded   the prompt was longer than the window that the server has
//   history.changed   a host's list is no longer the log
//   coverage.broken   an assembly of ours leaves an entry out
//   recovery.asked    somebody says so
//   count.usual       exactly the count of a prompt cut to a usual window, which it exceeded by our best guess
//   window.likely     no count, and the prompt was longer than the window by our best guess
//   count.fell        less than the prompt before, though it only grew
//   count.low         less than any text that the server counted so far would make it
//   count.missing     none, and a prompt no larger was found cut before
//   messages.fell     fewer messages than the host had before
//   answer.asks       the model asks what it was doing
//
// What is certain begins a recovery. So does a model that asks, and a host that has fewer messages,
// but nobody is asked then. Anything else that is suspected is told, and interrupts nothing: a
// vocabulary that nobody knows may count a text in any way.

/** The certainty that something was dropped. */
export type Truncation = 'none' | 'suspected' | 'certain';

/** The names of the rules. */
export type TruncationRule =
  | 'prompt.refused'
  | 'count.cut'
  | 'count.capped'
  | 'window.exceeded'
  | 'history.changed'
  | 'coverage.broken'
  | 'recovery.asked'
  | 'count.usual'
  | 'window.likely'
  | 'count.fell'
  | 'count.low'
  | 'count.missing'
  | 'messages.fell'
  | 'answer.asks';

/** The numbers that a rule used, in tokens, messages or entries. */
export type EvidenceNumbers = Readonly<Record<string, number>>;

/** The evidence about a request or a host's list; what is unknown is left out. */
export interface TruncationEvidence {
  /** The calibration by the reports so far. */
  readonly calibration?: Calibration;
  /** The prompt by our count, and the window that it was made for. */
  readonly prompt?: CountedPrompt & { readonly window: number };
  /** The server's own count of it. */
  readonly reported?: number;
  /** The window that the server really has. */
  readonly window?: number;
  /** Whether the server refused the prompt for its length. */
  readonly refused?: boolean;
  /** The text of the model's answer. */
  readonly answer?: string;
  /** Numbers of messages that a host has and had before. */
  readonly messages?: { readonly now: number; readonly before: number };
  /** Number of entries that a host's list lacks or has in another form. */
  readonly changed?: number;
  /** Number of entries that an assembly of ours leaves out. */
  readonly uncovered?: number;
  /** Whether somebody asks for a recovery. */
  readonly asked?: boolean;
}

/** The verdict on the evidence. */
export interface TruncationVerdict {
  readonly truncation: Truncation;
  /** The rule that decided; null for none. */
  readonly rule: TruncationRule | null;
  readonly numbers: EvidenceNumbers;
  /** Whether the model went on without what was dropped. */
  readonly loses: boolean;
  /** Whether it is worth a recovery. */
  readonly recovers: boolean;
}

/** A rule of the table. */
interface DetectionRule {
  readonly id: TruncationRule;
  readonly truncation: 'suspected' | 'certain';
  /** Whether it begins a recovery though it is not certain. */
  readonly recovers?: true;
  /** The numbers by which the rule holds; null where it does not. */
  readonly holds: (evidence: TruncationEvidence) => EvidenceNumbers | null;
}

/** The verdict where no rule holds. */
export const noTruncation: TruncationVerdict = {
  truncation: 'none',
  rule: null,
  numbers: {},
  loses: false,
  recovers: false,
};

/** The rules, the surest first. */
const truncationRules: readonly DetectionRule[] = [
  { id: 'prompt.refused', truncation: 'certain', holds: promptRefused },
  { id: 'count.cut', truncation: 'certain', holds: countCut(true) },
  { id: 'count.capped', truncation: 'certain', holds: countCapped },
  { id: 'window.exceeded', truncation: 'certain', holds: windowExceeded(true) },
  {
    id: 'history.changed',
    truncation: 'certain',
    holds: ({ changed = 0 }) => ifPositive({ changed }),
  },
  {
    id: 'coverage.broken',
    truncation: 'certain',
    holds: ({ uncovered = 0 }) => ifPositive({ uncovered }),
  },
  { id: 'recovery.asked', truncation: 'certain', holds: ({ asked }) => (asked ? {} : null) },
  { id: 'count.usual', truncation: 'suspected', holds: countCut(false) },
  { id: 'window.likely', truncation: 'suspected', holds: windowExceeded(false) },
  { id: 'count.fell', truncation: 'suspected', holds: countFell },
  { id: 'count.low', truncation: 'suspected', holds: countLow },
  { id: 'count.missing', truncation: 'suspected', holds: countMissing },
  { id: 'messages.fell', truncation: 'suspected', recovers: true, holds: messagesFell },
  {
    id: 'answer.asks',
    truncation: 'suspected',
    recovers: true,
    holds: ({ answer = '' }) => (asksBack(answer) ? {} : null),
  },
];

/** The verdict on the evidence about one request or list: the first rule that holds. */
export function detectTruncation(evidence: TruncationEvidence): TruncationVerdict {
  for (const { id, truncation, recovers = truncation === 'certain', holds } of truncationRules) {
    const numbers = holds(evidence);
    const loses = id !== 'prompt.refused';
    if (numbers !== null)
      return { truncation, rule: id, numbers, loses, recovers: loses && recovers };
  }
  return noTruncation;
}

/**
 * What is thought of a count. One that is too low teaches nothing, though of a prompt as small as any
 * server has room for nothing is said. A refused prompt with a low one was not counted whole: some servers
 * drop what they can before they refuse, and count the rest.
 */
export function beliefOf(evidence: TruncationEvidence): Belief {
  const { rule } = detectTruncation(evidence);
  const request = requestOf(evidence);
  if (rule !== null && rule !== 'prompt.refused') return 'doubted';
  if (request?.reported === undefined) return 'whole';
  const { calibration, prompt, reported } = request;
  if (rule === null) {
    if (isPart(calibration, prompt, reported)) return 'part';
    return isTooLow(request, reported) && !isRoomProven(calibration, prompt) ? 'doubted' : 'whole';
  }
  return reported < credibleShare * expected(calibration, prompt) ? 'doubted' : 'whole';
}

/** The window of the server that a verdict found, in tokens; null for none. */
export function serverWindow({ numbers }: Pick<TruncationVerdict, 'numbers'>): number | null {
  return numbers['window'] ?? null;
}

/** The numbers, if all are above 0. */
function ifPositive(numbers: EvidenceNumbers): EvidenceNumbers | null {
  return Object.values(numbers).every((value) => value > 0) ? numbers : null;
}

function promptRefused(evidence: TruncationEvidence): EvidenceNumbers | null {
  if (evidence.refused !== true) return null;
  const { reported, window } = evidence;
  return {
    ...(reported === undefined ? {} : { reported }),
    ...(window === undefined ? {} : { window }),
  };
}

/** A request, with its count if there is one. */
interface CountedRequest {
  readonly calibration: Calibration;
  readonly prompt: CountedPrompt & { readonly window: number };
  readonly reported: number | undefined;
}

/** The request of the evidence; null where its prompt is unknown. */
function requestOf({ calibration, prompt, reported }: TruncationEvidence): CountedRequest | null {
  return calibration === undefined || prompt === undefined
    ? null
    : { calibration, prompt, reported };
}

/** The rule for a count that equals a cut, surely or not. */
function countCut(isSure: boolean): DetectionRule['holds'] {
  return (evidence) => {
    const request = requestOf(evidence);
    if (request?.reported === undefined) return null;
    const { calibration, prompt, reported } = request;
    const known = [prompt.window, ...(evidence.window === undefined ? [] : [evidence.window])];
    const cut = cutOf(calibration, { prompt, reported }, known);
    if (cut?.isSure !== isSure) return null;
    const likely = Math.round(expected(calibration, prompt));
    return { reported, expected: likely, window: cut.window };
  };
}

/** Uncertainty of an expected count, as a share of the growth; in a new epoch, and before it settles, of all of it. */
const uncertainty = { growth: 0.15, epoch: 0.05, first: 0.4 } as const;

/** The rule for a prompt that exceeded the window of its server, surely or by our best guess. */
function windowExceeded(isSure: boolean): DetectionRule['holds'] {
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

function countFell(evidence: TruncationEvidence): EvidenceNumbers | null {
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

/** The rule for counts that fall again and again; the window is what they never exceeded. */
function countCapped(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request?.reported === undefined || countFell(evidence) === null) return null;
  const { calibration, prompt, reported } = request;
  const { counted, samples } = calibration;
  const { falls, most } = fallsIn(calibration, prompt, reported);
  if (falls < leastFalls || samples < settledReports || counted.whole < settledReports) return null;
  return { reported, expected: Math.round(expected(calibration, prompt)), falls, window: most };
}

function countLow(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request?.reported === undefined || !(request.reported > 0)) return null;
  const { calibration, prompt, reported } = request;
  if (!isTooLow(request, reported) || !mayBeCut(calibration, prompt)) return null;
  const least = leastCount(calibration, prompt);
  return { reported, expected: Math.round(expected(calibration, prompt)), least: Math.ceil(least) };
}

/** Whether a count is less than any text that the server counted so far would make it, and not that of its new part. */
function isTooLow({ calibration, prompt }: CountedRequest, reported: number): boolean {
  return (
    reported < leastCount(calibration, prompt) &&
    !isPart(calibration, prompt, reported) &&
    !isProvenWindow(calibration, prompt, reported)
  );
}

function countMissing(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request === null || request.reported !== undefined || evidence.refused === true) return null;
  const { calibration, prompt } = request;
  const likely = Math.round(expected(calibration, prompt));
  const isWithin = evidence.window !== undefined && likely <= evidence.window;
  const isCut = mayBeCut(calibration, prompt) && isAsLargeAsOneCut(calibration, prompt);
  return !isWithin && isCut ? { expected: likely } : null;
}

function messagesFell({ messages }: TruncationEvidence): EvidenceNumbers | null {
  return messages !== undefined && messages.now < messages.before ? messages : null;
}
