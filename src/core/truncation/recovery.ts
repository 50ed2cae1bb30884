import type { TextId } from '../values/id.ts';
import type { Span } from '../values/span.ts';
import type { EvidenceNumbers, TruncationRule } from './detect.ts';
import type { FrameStatus } from '../frames/frame.ts';

/** Why a recovery began. */
export interface Suspicion {
  readonly rule: TruncationRule;
  readonly truncation: 'suspected' | 'certain';
  readonly numbers: EvidenceNumbers;
  /** What was dropped, where it is known; oldest first. */
  readonly lost: readonly Span[];
}

/** What a recovery found of where the work stood. */
export interface RecoveredContext {
  /** What the work is, on a line; '' where nothing tells. */
  readonly workingOn: string;
  /** What was done last; '' where nothing tells. */
  readonly lastCompleted: string;
  readonly nextStep: string;
  /** What is left to do or to answer, most pressing first. */
  readonly open: readonly string[];
  /** Files that were changed, the latest first. */
  readonly files: readonly string[];
}

/** Where to read what was known: the session's own state, or what somebody read of its documents. */
export type RecoverySource = 'state' | 'documents';

/** What the recovery machine remembers while it works. */
export interface RecoveryMemory {
  readonly suspicion: Suspicion | null;
  /** Null until it was read. */
  readonly context: RecoveredContext | null;
  readonly source: RecoverySource;
  /** What a person said instead; '' if nobody did. */
  readonly recap: string;
}

/** A recovery at rest: it waits for somebody. */
export interface RecoveryState {
  readonly value: 'confirming' | 'recap';
  readonly memory: RecoveryMemory;
}

/** What somebody answers to "Does this match where we left off?". */
export interface Confirmation {
  readonly right: boolean;
  /** What it was instead; '' to ask for it. */
  readonly recap: string;
}

/** What a recovery put before the entries; shown until the next checkpoint. */
export interface RecoveredText {
  readonly text: TextId;
  readonly tokens: number;
  /** Entries in the log then. */
  readonly entries: number;
}

/** A host's own list as it was when it was last compared with the log. */
export interface HostList {
  /** Its messages, and the cumulative hash over them. */
  readonly length: number;
  readonly hash: string;
  /** The last entry of the log then. */
  readonly entries: number;
  /** Entries that it lacks or has otherwise, and that were told. */
  readonly gone: readonly Span[];
}

/** What a session knows of losses. */
export interface LossMonitor {
  /** Null while there is nothing to wait for. */
  readonly recovery: RecoveryState | null;
  readonly recovered: RecoveredText | null;
  /** Null before the first list of a host. */
  readonly host: HostList | null;
  /** Messages that a host said it has; null where it never did. */
  readonly messages: number | null;
  /** Entries that assemblies of ours leave out, as far as it was told. */
  readonly uncovered: readonly Span[];
}

/** Nothing happened yet. */
export const noLosses: LossMonitor = {
  recovery: null,
  recovered: null,
  host: null,
  messages: null,
  uncovered: [],
};

/** The memory of a recovery that has not begun. */
export const freshRecovery: RecoveryMemory = {
  suspicion: null,
  context: null,
  source: 'state',
  recap: '',
};

/** The sentence that tells what was recovered. */
export function recoveredLine(context: RecoveredContext): string {
  const workingOn = context.workingOn || 'this session';
  const lastCompleted = context.lastCompleted || 'nothing that is known';
  const nextStep = context.nextStep || 'to be said';
  const line = `Recovered context: We were working on ${workingOn}, last completed ${lastCompleted}, next step is ${nextStep}.`;
  return line.replace(/([.!?…])\.$/, '$1');
}

/** Whether there is anything to tell. */
export function isEmptyContext({
  workingOn,
  lastCompleted,
  nextStep,
  open,
  files,
}: RecoveredContext): boolean {
  return [workingOn, lastCompleted, nextStep, ...open, ...files].every((text) => text === '');
}

/** A frame to open or plan again, or one that is closed. */
export interface RecoveredFrame {
  readonly title: string;
  readonly criteria: string;
  readonly status: Exclude<FrameStatus, 'invalidated'>;
  /** Why it is blocked, or what became of it; '' for any other. */
  readonly reason: string;
  /** How many of the frames in progress it is below. */
  readonly depth: number;
}
