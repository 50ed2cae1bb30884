import type { TextId } from '../values/id.ts';
import type { Span } from '../values/span.ts';
import type { TruncationRule } from './detect.ts';
import type { EvidenceNumbers } from './evidence.ts';
import type { FrameStatus } from '../frames/frame.ts';

/** The cause of a recovery. */
export interface Suspicion {
  readonly rule: TruncationRule;
  readonly truncation: 'suspected' | 'certain';
  readonly numbers: EvidenceNumbers;
  /** Entries that were dropped, where known; oldest first. */
  readonly lost: readonly Span[];
}

/** The state of the work as a recovery found it. */
export interface RecoveredContext {
  /** The work, on one line; '' where unknown. */
  readonly workingOn: string;
  /** What was done last; '' where unknown. */
  readonly lastCompleted: string;
  readonly nextStep: string;
  /** Open items and questions, the most pressing first. */
  readonly open: readonly string[];
  /** Changed files, the latest first. */
  readonly files: readonly string[];
}

/** The source of what is recovered: the session's own state, or its documents. */
export type RecoverySource = 'state' | 'documents';

/** The context of the recovery machine. */
export interface RecoveryMemory {
  readonly suspicion: Suspicion | null;
  /** Null until it is read. */
  readonly context: RecoveredContext | null;
  readonly source: RecoverySource;
  /** A person's correction; '' if there is none. */
  readonly recap: string;
}

/** A recovery at rest, waiting for an answer. */
export interface RecoveryState {
  /** The version of the machine that rests. */
  readonly version: string;
  readonly value: 'confirming' | 'recap';
  readonly memory: RecoveryMemory;
}

/** The answer to "Does this match where we left off?". */
export interface Confirmation {
  readonly right: boolean;
  /** The correction; '' to ask for one. */
  readonly recap: string;
}

/** The text that a recovery puts before the entries, until the next checkpoint. */
interface RecoveredText {
  readonly text: TextId;
  readonly tokens: number;
  /** Entries in the log at that time. */
  readonly entries: number;
}

/** A host's own list when it was last compared with the log. */
export interface HostList {
  /** Its messages, and the cumulative hash over them. */
  readonly length: number;
  readonly hash: string;
  /** The last entry of the log at that time. */
  readonly entries: number;
  /** Entries that it lacks or has in another form, and that were reported. */
  readonly gone: readonly Span[];
}

/** The losses that a session knows of. */
export interface LossMonitor {
  /** Null while none is under way. */
  readonly recovery: RecoveryState | null;
  readonly recovered: RecoveredText | null;
  /** Null before the first list of a host. */
  readonly host: HostList | null;
  /** Number of messages that a host reported; null where none did. */
  readonly messages: number | null;
  /** Entries that assemblies of ours leave out, as far as reported. */
  readonly uncovered: readonly Span[];
}

/** The monitor before any loss. */
export const noLosses: LossMonitor = {
  recovery: null,
  recovered: null,
  host: null,
  messages: null,
  uncovered: [],
};

/** The context before a recovery begins. */
export const freshRecovery: RecoveryMemory = {
  suspicion: null,
  context: null,
  source: 'state',
  recap: '',
};

/** The sentence about what was recovered. */
export function recoveredLine(context: RecoveredContext): string {
  const workingOn = context.workingOn || 'this session';
  const lastCompleted = context.lastCompleted || 'nothing that is known';
  const nextStep = context.nextStep || 'to be said';
  const line = `Recovered context: We were working on ${workingOn}, last completed ${lastCompleted}, next step is ${nextStep}.`;
  return line.replace(/([.!?…])\.$/, '$1');
}

/** Whether nothing was recovered. */
export function isEmptyContext({
  workingOn,
  lastCompleted,
  nextStep,
  open,
  files,
}: RecoveredContext): boolean {
  return [workingOn, lastCompleted, nextStep, ...open, ...files].every((text) => text === '');
}

/** A frame read from a document: to open or plan again, or closed. */
export interface RecoveredFrame {
  readonly title: string;
  readonly criteria: string;
  readonly status: Exclude<FrameStatus, 'invalidated'>;
  /** Why it is blocked or failed, or its results; '' for any other. */
  readonly reason: string;
  /** Number of frames in progress above it. */
  readonly depth: number;
}
