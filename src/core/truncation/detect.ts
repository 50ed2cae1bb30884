import { expected, type Calibration, type CountedPrompt } from '../budget/calibration.ts';
import {
  credibleShare,
  leastCount,
  settledReports,
  slack,
  isAsLargeAsOneCut,
  isProvenWindow,
  cutOf,
} from './server-count.ts';

// A server or a host that drops part of a prompt seldom says so. It is detected by
// arithmetic, in a table of rules, the surest first; the first that holds is the
// verdict. A doubted count is not learned from, so that a cut prompt does not make
// the next one look whole.
//
//   prompt.refused    an overflow error; nothing was answered, so nothing is lost
//   count.cut         exactly the count of a prompt cut to a window: a known one, one that the prompt
//                     exceeded for sure, or one where another prompt counted the same
//   window.exceeded   the prompt was longer than the window that the server has
//   history.changed   a host's list is no longer the log
//   coverage.broken   an assembly of ours leaves an entry out
//   recovery.asked    somebody says so
//   count.usual       exactly the count of a prompt cut to a usual window, which it exceeded by our best guess
//   window.likely     no count, and the prompt was longer than the window by our best guess
//   count.fell        less than the prompt before, though it only grew
//   count.low         less than 0.93 of what was expected
//   count.missing     none, and a prompt no larger was found cut before
//   messages.fell     fewer messages than the host had before
//   answer.asks       the model asks what it was doing; never certain

/** The certainty that something was dropped. */
export type Truncation = 'none' | 'suspected' | 'certain';

/** The names of the rules. */
export type TruncationRule =
  | 'prompt.refused'
  | 'count.cut'
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
}

/** A rule of the table. */
interface DetectionRule {
  readonly id: TruncationRule;
  readonly truncation: 'suspected' | 'certain';
  /** The numbers by which the rule holds; null where it does not. */
  readonly holds: (evidence: TruncationEvidence) => EvidenceNumbers | null;
}

/** The verdict where no rule holds. */
export const noTruncation: TruncationVerdict = {
  truncation: 'none',
  rule: null,
  numbers: {},
  loses: false,
};

/** The rules, the surest first. */
const truncationRules: readonly DetectionRule[] = [
  { id: 'prompt.refused', truncation: 'certain', holds: promptRefused },
  { id: 'count.cut', truncation: 'certain', holds: countCut(true) },
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
  { id: 'messages.fell', truncation: 'suspected', holds: messagesFell },
  {
    id: 'answer.asks',
    truncation: 'suspected',
    holds: ({ answer = '' }) => (asksBack(answer) ? {} : null),
  },
];

/** The verdict on the evidence about one request or list: the first rule that holds. */
export function detectTruncation(evidence: TruncationEvidence): TruncationVerdict {
  for (const { id, truncation, holds } of truncationRules) {
    const numbers = holds(evidence);
    if (numbers !== null) return { truncation, rule: id, numbers, loses: id !== 'prompt.refused' };
  }
  return noTruncation;
}

/**
 * Whether a count must not be learned from. A refused prompt with a low count was not counted whole:
 * some servers drop what they can before they refuse, and count the rest.
 */
export function isDoubted(evidence: TruncationEvidence): boolean {
  const { rule } = detectTruncation(evidence);
  if (rule !== 'prompt.refused') return rule !== null;
  const request = requestOf(evidence);
  if (request?.reported === undefined) return false;
  return request.reported < credibleShare * expected(request.calibration, request.prompt);
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
    if (reported !== undefined && (!isSure || reported > window)) return null;
    const least = isSure ? likely - uncertaintyOf(calibration, prompt) : likely;
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
  if (!grew || reported >= last.reported || isProvenWindow(calibration, prompt, reported))
    return null;
  return { reported, before: last.reported };
}

function countLow(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request?.reported === undefined || !(request.reported > 0)) return null;
  const { calibration, prompt, reported } = request;
  const least = leastCount(calibration, prompt);
  if (reported >= least || isProvenWindow(calibration, prompt, reported)) return null;
  return { reported, expected: Math.round(expected(calibration, prompt)), least: Math.ceil(least) };
}

function countMissing(evidence: TruncationEvidence): EvidenceNumbers | null {
  const request = requestOf(evidence);
  if (request === null || request.reported !== undefined || evidence.refused === true) return null;
  const { calibration, prompt } = request;
  const likely = Math.round(expected(calibration, prompt));
  const isWithin = evidence.window !== undefined && likely <= evidence.window;
  return !isWithin && isAsLargeAsOneCut(calibration, prompt) ? { expected: likely } : null;
}

function messagesFell({ messages }: TruncationEvidence): EvidenceNumbers | null {
  return messages !== undefined && messages.now < messages.before ? messages : null;
}

// A model that lost the thread says so in its first words. Only these are read,
// without quotes and code: later on, such a question is part of the work.

/** Characters at the start of an answer that are read. */
const opening = 400;

const questions: readonly RegExp[] = [
  /\bwhat (?:were|was|are) (?:we|i) (?:just )?(?:working on|doing|talking about|discussing)\b/i,
  /\bwhere (?:did we leave|were we|did we stop)\b/i,
  /\bi (?:seem to have|may have|might have|appear to have|have|'ve) lost (?:some |the |our |my |track of )?(?:of )?(?:the |our |my )?(?:context|conversation|thread|history)\b/i,
  /\bi (?:do not|don't|no longer) (?:have|see|recall|remember) (?:any |the |our )?(?:context|record|memory|earlier|previous|prior)(?: (?:of|from|for|conversation|messages|discussion|work)\b|[.,?!])/i,
  /\b(?:could|can) you (?:please )?(?:remind me|give me a (?:quick )?recap|recap)\b[^.!?\n]{0,80}\b(?:working|doing|task|left off|conversation|so far|goal)\b/i,
];

/** Whether an answer begins by asking what the work was. */
function asksBack(text: string): boolean {
  if (!/\?|lost|recall|remember|context/i.test(text.slice(0, opening))) return false;
  const words = text
    .slice(0, opening)
    .replace(/```[^]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .replaceAll('’', "'");
  return questions.some((question) => question.test(words));
}
