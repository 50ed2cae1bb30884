import { expected, type Calibration, type CountedPrompt } from '../budget/calibration.ts';
import {
  credible,
  leastCount,
  settled,
  slack,
  wasCut,
  isProvenWindow,
  cutOf,
} from './server-count.ts';

// A server or a host that drops part of a prompt seldom says so. What can be
// known of it is arithmetic, and stands here once: a table of rules, the surest
// first; the first that holds is the verdict. What a verdict doubts teaches the
// calibration nothing, so that a cut prompt does not make the next one look whole.
//
//   prompt.refused    an overflow error; nothing was answered, so nothing is lost
//   count.cut         exactly what is left of a prompt cut to a window: to a known one, or one that the prompt
//                     exceeded for sure, or where another prompt counted the same
//   window.exceeded   the prompt was longer than the window that the server has
//   history.changed   a host's list is no longer the log
//   coverage.broken   an assembly of ours leaves an entry out
//   recovery.asked    somebody says so
//   count.usual       the same, and the prompt exceeded that window by our best guess
//   window.likely     no count, and the prompt was longer than the window by our best guess
//   count.fell        less than the prompt before, though it only grew
//   count.low         less than 0.93 of what was expected
//   count.missing     none, and a prompt no larger was found cut before
//   messages.fell     fewer messages than the host had before
//   answer.asks       the model asks what it was doing; a sign, never more

/** How sure it is that something was dropped. */
export type Truncation = 'none' | 'suspected' | 'certain';

/** Names of the rules. */
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

/** Numbers that a rule went by, in tokens, messages or entries. */
export type EvidenceNumbers = Readonly<Record<string, number>>;

/** What is known of a request, or of a host's list; whatever nobody said is left out. */
export interface TruncationEvidence {
  /** What the reports so far have taught. */
  readonly calibration?: Calibration;
  /** The prompt as we counted it, and the window that it was made for. */
  readonly prompt?: CountedPrompt & { readonly window: number };
  /** The server's own count of it. */
  readonly reported?: number;
  /** The window that the server has in truth. */
  readonly window?: number;
  /** Whether the server refused the prompt for its length. */
  readonly refused?: boolean;
  /** What the model said first, where it is an answer. */
  readonly answer?: string;
  /** Messages that a host has, and had before. */
  readonly messages?: { readonly now: number; readonly before: number };
  /** Entries that a host's list lacks or has otherwise than the log. */
  readonly changed?: number;
  /** Entries that an assembly of ours leaves out. */
  readonly uncovered?: number;
  /** Whether somebody asks for a recovery. */
  readonly asked?: boolean;
}

/** What the signs say. */
export interface TruncationVerdict {
  readonly truncation: Truncation;
  /** The rule that decided; null for none. */
  readonly rule: TruncationRule | null;
  readonly numbers: EvidenceNumbers;
  /** Whether the model went on without what was dropped. */
  readonly loses: boolean;
}

interface DetectionRule {
  readonly id: TruncationRule;
  readonly truncation: 'suspected' | 'certain';
  /** The numbers by which it holds; null where it does not. */
  readonly holds: (signs: TruncationEvidence) => EvidenceNumbers | null;
}

/** Nothing speaks for a cut. */
export const noTruncation: TruncationVerdict = {
  truncation: 'none',
  rule: null,
  numbers: {},
  loses: false,
};

/** The rules, the surest first. */
const truncationRules: readonly DetectionRule[] = [
  { id: 'prompt.refused', truncation: 'certain', holds: refused },
  { id: 'count.cut', truncation: 'certain', holds: leftBy(true) },
  { id: 'window.exceeded', truncation: 'certain', holds: exceeds(true) },
  { id: 'history.changed', truncation: 'certain', holds: ({ changed = 0 }) => some({ changed }) },
  {
    id: 'coverage.broken',
    truncation: 'certain',
    holds: ({ uncovered = 0 }) => some({ uncovered }),
  },
  { id: 'recovery.asked', truncation: 'certain', holds: ({ asked }) => (asked ? {} : null) },
  { id: 'count.usual', truncation: 'suspected', holds: leftBy(false) },
  { id: 'window.likely', truncation: 'suspected', holds: exceeds(false) },
  { id: 'count.fell', truncation: 'suspected', holds: fell },
  { id: 'count.low', truncation: 'suspected', holds: isLow },
  { id: 'count.missing', truncation: 'suspected', holds: isMissing },
  { id: 'messages.fell', truncation: 'suspected', holds: fewer },
  {
    id: 'answer.asks',
    truncation: 'suspected',
    holds: ({ answer = '' }) => (asksBack(answer) ? {} : null),
  },
];

/** What the signs of one request or list say: the first rule that holds. */
export function detectTruncation(signs: TruncationEvidence): TruncationVerdict {
  for (const { id, truncation, holds } of truncationRules) {
    const numbers = holds(signs);
    if (numbers !== null) return { truncation, rule: id, numbers, loses: id !== 'prompt.refused' };
  }
  return noTruncation;
}

/**
 * Whether a count is not to be learned from. A refused prompt that counts little was not counted
 * whole: some servers drop what they can before they refuse, and count what was left.
 */
export function isDoubted(signs: TruncationEvidence): boolean {
  const { rule } = detectTruncation(signs);
  if (rule !== 'prompt.refused') return rule !== null;
  const asked = askedIn(signs);
  if (asked?.reported === undefined) return false;
  return asked.reported < credible * expected(asked.calibration, asked.prompt);
}

/** The window of the server that a verdict gives away, in tokens; null for none. */
export function serverWindow({ numbers }: Pick<TruncationVerdict, 'numbers'>): number | null {
  return numbers['window'] ?? null;
}

function some(numbers: EvidenceNumbers): EvidenceNumbers | null {
  return Object.values(numbers).every((value) => value > 0) ? numbers : null;
}

function refused(signs: TruncationEvidence): EvidenceNumbers | null {
  if (signs.refused !== true) return null;
  const { reported, window } = signs;
  return {
    ...(reported === undefined ? {} : { reported }),
    ...(window === undefined ? {} : { window }),
  };
}

/** A request that was counted, or not. */
interface CountedRequest {
  readonly calibration: Calibration;
  readonly prompt: CountedPrompt & { readonly window: number };
  readonly reported: number | undefined;
}

/** The request, where its prompt is known; null for none. */
function askedIn({ calibration, prompt, reported }: TruncationEvidence): CountedRequest | null {
  return calibration === undefined || prompt === undefined
    ? null
    : { calibration, prompt, reported };
}

/** Holds for a count that a cut alone leaves, where that is sure, or where it is not. */
function leftBy(isSure: boolean): DetectionRule['holds'] {
  return (signs) => {
    const asked = askedIn(signs);
    if (asked?.reported === undefined) return null;
    const { calibration, prompt, reported } = asked;
    const known = [prompt.window, ...(signs.window === undefined ? [] : [signs.window])];
    const cut = cutOf(calibration, { prompt, reported }, known);
    if (cut?.isSure !== isSure) return null;
    const likely = Math.round(expected(calibration, prompt));
    return { reported, expected: likely, window: cut.window };
  };
}

/** How much a prompt may be below what is expected of it, as a share of its growth, or of all of it in a new epoch. */
const doubts = { growth: 0.15, epoch: 0.05, first: 0.4 } as const;

/** Holds where a prompt exceeded the window that its server has, for sure or by the best guess. */
function exceeds(isSure: boolean): DetectionRule['holds'] {
  return (signs) => {
    const asked = askedIn(signs);
    const { window } = signs;
    if (asked === null || window === undefined || signs.refused === true) return null;
    const { calibration, prompt, reported } = asked;
    const likely = expected(calibration, prompt);
    if (reported !== undefined && (!isSure || reported > window)) return null;
    const least = isSure ? likely - doubtOf(calibration, prompt) : likely;
    return least > window ? { expected: Math.round(likely), window } : null;
  };
}

function doubtOf(calibration: Calibration, prompt: CountedPrompt): number {
  const { last, samples } = calibration;
  if (last?.epoch === prompt.epoch)
    return doubts.growth * Math.abs(prompt.estimate - last.estimate) + slack;
  return (samples < settled ? doubts.first : doubts.epoch) * expected(calibration, prompt);
}

function fell(signs: TruncationEvidence): EvidenceNumbers | null {
  const asked = askedIn(signs);
  if (asked?.reported === undefined) return null;
  const { calibration, prompt, reported } = asked;
  const { last } = calibration;
  const grew = last?.epoch === prompt.epoch && prompt.estimate >= last.estimate;
  if (!grew || reported >= last.reported || isProvenWindow(calibration, prompt, reported))
    return null;
  return { reported, before: last.reported };
}

function isLow(signs: TruncationEvidence): EvidenceNumbers | null {
  const asked = askedIn(signs);
  if (asked?.reported === undefined || !(asked.reported > 0)) return null;
  const { calibration, prompt, reported } = asked;
  const least = leastCount(calibration, prompt);
  if (reported >= least || isProvenWindow(calibration, prompt, reported)) return null;
  return { reported, expected: Math.round(expected(calibration, prompt)), least: Math.ceil(least) };
}

function isMissing(signs: TruncationEvidence): EvidenceNumbers | null {
  const asked = askedIn(signs);
  if (asked === null || asked.reported !== undefined || signs.refused === true) return null;
  const { calibration, prompt } = asked;
  const likely = Math.round(expected(calibration, prompt));
  const isWithin = signs.window !== undefined && likely <= signs.window;
  return !isWithin && wasCut(calibration, prompt) ? { expected: likely } : null;
}

function fewer({ messages }: TruncationEvidence): EvidenceNumbers | null {
  return messages !== undefined && messages.now < messages.before ? messages : null;
}

// A model that lost the thread says so in its first words. Only these are looked
// at, outside of quotes and code: later on, such a question is part of the work.

/** Characters of an answer that are looked at. */
const opening = 400;

const questions: readonly RegExp[] = [
  /\bwhat (?:were|was|are) (?:we|i) (?:just )?(?:working on|doing|talking about|discussing)\b/i,
  /\bwhere (?:did we leave|were we|did we stop)\b/i,
  /\bi (?:seem to have|may have|might have|appear to have|have|'ve) lost (?:some |the |our |my |track of )?(?:of )?(?:the |our |my )?(?:context|conversation|thread|history)\b/i,
  /\bi (?:do not|don't|no longer) (?:have|see|recall|remember) (?:any |the |our )?(?:context|record|memory|earlier|previous|prior)(?: (?:of|from|for|conversation|messages|discussion|work)\b|[.,?!])/i,
  /\b(?:could|can) you (?:please )?(?:remind me|give me a (?:quick )?recap|recap)\b[^.!?\n]{0,80}\b(?:working|doing|task|left off|conversation|so far|goal)\b/i,
];

/** Whether an answer begins by asking what it was about. */
export function asksBack(text: string): boolean {
  if (!/\?|lost|recall|remember|context/i.test(text.slice(0, opening))) return false;
  const said = text
    .slice(0, opening)
    .replace(/```[^]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .replaceAll('’', "'");
  return questions.some((question) => question.test(said));
}
