import type { DocumentInput } from './document-schedule.ts';
import type { Identity } from '../frames/frame.ts';
import type { Goal, GoalPatch } from '../frames/goal.ts';
import type { RewindCause, HostFork } from './timeline.ts';
import type { CountedPrompt } from '../budget/calibration.ts';
import type { Usage } from '../messages/usage.ts';
import type { EntryId } from '../values/id.ts';
import type { Message } from '../messages/message.ts';
import type { Options } from '../budget/options.ts';
import type { HostList, RecoveredContext, RecoveredFrame } from '../truncation/recovery.ts';
import type { Span } from '../values/span.ts';
import type { EvidenceNumbers } from '../truncation/evidence.ts';
import type { Fact, KnownLosses } from './fact.ts';
import type { State } from './state.ts';
import type { Tools } from '../messages/tool-spec.ts';

// What comes in. A step is pure, so counts and hashes are made before it.

/** One message on its way in, with what only the engine's surroundings can know. */
export interface Incoming {
  readonly message: Message;
  /** Tokens of the message; the byte bound where `exact` is false. */
  readonly tokens: number;
  readonly exact: boolean;
  /** Hash of its role and rendered content, chained to that of the entry before. */
  readonly hash: string;
}

/** What a host says when it appends the answer to an assembly. */
export interface HostReport {
  readonly assembly: string;
  /** Tokens of the prompt by the server's own count. */
  readonly inputTokens?: number;
  /** What else it counted. */
  readonly usage?: Omit<Usage, 'inputTokens'>;
  /** The same by ours, and the epoch it was of; left out where nobody remembers. */
  readonly counted?: CountedPrompt;
  /** Whether the server refused it for its length. */
  readonly refused?: boolean;
  /** The window that the server has in truth, in tokens. */
  readonly window?: number;
  /** Messages that the host has. */
  readonly messages?: number;
  /** Whether the host says that it compacted its list itself. */
  readonly compacted?: boolean;
  /** What the model did not see, where its count tells. */
  readonly lost?: readonly Span[];
}

/** What became of a host's list since it was last compared. */
export interface Compared {
  readonly relation: 'same' | 'append' | 'cut' | 'fork';
  readonly host: HostList;
  /** Entries that it lacks, or has otherwise, since then. */
  readonly lost: readonly Span[];
  /** How many of each kind. */
  readonly numbers: EvidenceNumbers;
  readonly forkedAt?: EntryId;
  /** Whether the host says that it compacted its list itself. */
  readonly compacted?: boolean;
}

/** What was read of a session elsewhere. */
export interface Rebuilt {
  readonly context: RecoveredContext;
  /** For a session without a goal. */
  readonly goal: Goal;
  /** For one in which nothing was said or begun; so is `title`. */
  readonly frames: readonly RecoveredFrame[];
  readonly title: string;
  /** All that the documents tell, printed as one, which those to come go on from. */
  readonly document: string;
}

/** Everything that can make a session change. */
export type Input =
  | {
      readonly type: 'create';
      readonly session: string;
      readonly options: Options;
      readonly system: number;
      readonly title: string;
    }
  | { readonly type: 'configure'; readonly options: Options; readonly system: number }
  | { readonly type: 'append'; readonly entries: readonly Incoming[]; readonly sent?: HostReport }
  /** What a server said of an assembly, without an answer to append. */
  | { readonly type: 'report'; readonly sent: HostReport }
  /** A host's own list, compared with the log. */
  | { readonly type: 'compare'; readonly compared: Compared }
  /** Entries that an assembly of ours leaves out. */
  | { readonly type: 'uncovered'; readonly entries: readonly Span[] }
  /** Somebody asks for a recovery; `context` is what they read elsewhere, the rest for a session that lacks it. */
  | ({ readonly type: 'recover' } & Partial<Rebuilt>)
  /** The answer to what a recovery asked. */
  | { readonly type: 'confirm'; readonly right: boolean; readonly recap: string }
  | { readonly type: 'count'; readonly counts: readonly (readonly [n: number, tokens: number])[] }
  /** The text of an entry is gone; tokens of its message before, of what stands in its place, and of that as a late result, null for what is no result. */
  | {
      readonly type: 'redact';
      readonly entry: EntryId;
      readonly before: number;
      readonly tokens: number;
      readonly stray: number | null;
    }
  /** Entries up to this one were lost with a damaged store; what is said next comes behind them. */
  | { readonly type: 'lose'; readonly to: EntryId; readonly known?: KnownLosses }
  | { readonly type: 'push'; readonly identity: Identity }
  | { readonly type: 'plan'; readonly identity: Identity; readonly parent: string | null }
  | { readonly type: 'start'; readonly frame: string }
  | { readonly type: 'edit'; readonly frame: string; readonly identity: Partial<Identity> }
  | {
      readonly type: 'pop';
      /** Null for the active frame. */
      readonly frame: string | null;
      readonly status: 'completed' | 'failed' | 'blocked';
      readonly results: string | null;
      readonly brief: string | null;
      /** Null to tell them from the log. */
      readonly artifacts: readonly string[] | null;
      readonly decisions: readonly string[] | null;
      readonly drop: boolean;
    }
  | { readonly type: 'invalidate'; readonly frame: string; readonly reason: string }
  | { readonly type: 'retry'; readonly frame: string }
  | { readonly type: 'goal'; readonly goal: Goal }
  | { readonly type: 'goal.update'; readonly patch: GoalPatch }
  | { readonly type: 'goal.status'; readonly status: Goal['status'] }
  | { readonly type: 'compress'; readonly focus: string }
  /** Show a finer version of a checkpoint. */
  | { readonly type: 'raise'; readonly checkpoint: string }
  | { readonly type: 'snapshot'; readonly title: string }
  | { readonly type: 'snapshot.delete'; readonly snapshot: string }
  /** Go back: by a step, forward again, or to a snapshot. */
  | {
      readonly type: 'restore';
      readonly cause: RewindCause;
      /** Null unless it is a snapshot. */
      readonly snapshot: string | null;
      /** Whether what was said since is left, too: a snapshot restored as it was. */
      readonly leaves?: boolean;
      /** Of a fork only. */
      readonly fork?: HostFork;
      /** Read from the journal before the step is decided. */
      readonly past: PastState;
    }
  /** Make the assembly fit with these tools, without waiting for a summarizer. */
  | { readonly type: 'fit'; readonly tools: Tools }
  | {
      readonly type: 'settle';
      readonly key: string;
      /** Without the lines that were made up; '' where these were most of it. */
      readonly text: string;
      readonly by: string;
      /** Lines of the answer that nothing it was given bears out; left out for none. */
      readonly invented?: readonly string[];
    }
  | {
      readonly type: 'fail';
      readonly key: string;
      readonly reason: string;
      /** What a busy server asked to be left alone, in milliseconds. */
      readonly wait?: number;
      /** Whether asking again can only fail again; left out for no. */
      readonly final?: boolean;
    }
  /** What an effect, a timer or a document brought could not be taken in. */
  | { readonly type: 'abandon'; readonly key: string; readonly reason: string }
  /** Machines rest where those of this version do not go on. */
  | { readonly type: 'restart' }
  | DocumentInput
  | { readonly type: 'fire'; readonly key: string };

/** The input of one type. */
export type InputOf<Type extends Input['type']> = Extract<Input, { readonly type: Type }>;

/** An input as it is kept: messages are in their own rows, so only their counts stand here; the past is in the journal. */
export type Recorded =
  | Exclude<Input, { type: 'append' | 'restore' }>
  | Omit<InputOf<'restore'>, 'past'>
  | {
      readonly type: 'append';
      readonly entries: readonly Omit<Incoming, 'message'>[];
      readonly sent?: HostReport;
    };

/** An old state, and what came in since. */
export interface PastState {
  readonly state: State;
  /** The facts since that a rewind reads, in order: entries, closed units, counts, goals and earlier rewinds. */
  readonly since: readonly Fact[];
}

// The journal is the truth: one record per step, what came in and what it changed.

/** One step, as it is kept. */
export interface JournalRecord {
  /** Gap-free, from 1. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly input: Recorded;
  readonly facts: readonly Fact[];
  /** Turns and tokens so far, so that a list of sessions needs no state. */
  readonly turn: number;
  readonly tokens: number;
}
