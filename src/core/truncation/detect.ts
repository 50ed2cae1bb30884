import { credibleShare, expected, type Belief } from '../budget/calibration.ts';
import { isCountedAlike } from '../budget/counted-alike.ts';
import { asksBack } from './asks-back.ts';
import {
  countCapped,
  countCut,
  countFell,
  countLow,
  countMissing,
  isTooLow,
  windowExceeded,
} from './count-rules.ts';
import { requestOf, type EvidenceNumbers, type TruncationEvidence } from './evidence.ts';
import { isPart } from './part-count.ts';
import { isRoomProven } from './server-count.ts';

// A server or a host that drops part of a prompt seldom says so. It is detected by
// arithmetic, in a table of rules, the surest first; the first that holds is the
// verdict. A doubted count is not learned from, so that a cut prompt does not make
// the next one look whole.
//
//   prompt.refused    an overflow error; nothing was answered, so nothing is lost
//   count.cut         exactly the count of a prompt cut to a window: a known one, one that the prompt
//                     exceeded for sure, or one where another prompt counted the same
//   count.capped      less than the prompt before, again and again, or no more than one long before, though it only grew
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
 * server has room for nothing is said. Nor does one that another prompt had: it is what fits, or no count. A
 * refused prompt with a low one was not counted whole: some servers drop what they can before they refuse,
 * and count the rest.
 */
export function beliefOf(evidence: TruncationEvidence): Belief {
  const { rule } = detectTruncation(evidence);
  const request = requestOf(evidence);
  if (rule !== null && rule !== 'prompt.refused') return 'doubted';
  if (request?.reported === undefined) return 'whole';
  const { calibration, prompt, reported } = request;
  if (rule === null) {
    if (isPart(calibration, prompt, reported)) return 'part';
    if (isCountedAlike(calibration, { ...prompt, reported })) return 'unsure';
    return isTooLow(request, reported) && !isRoomProven(calibration, prompt) ? 'unsure' : 'whole';
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

function messagesFell({ messages }: TruncationEvidence): EvidenceNumbers | null {
  return messages !== undefined && messages.now < messages.before ? messages : null;
}
