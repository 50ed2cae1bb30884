import type { Sizes } from '../budget/budget.ts';
import type { Calibration } from '../budget/calibration.ts';
import type { Usage } from '../messages/usage.ts';
import type { DocumentReason } from './document-schedule.ts';
import type { Identity, Frame, Digest, FrameStatus, Results } from '../frames/frame.ts';
import type { Goal } from '../frames/goal.ts';
import type { FrameId, EntryId, TextId, CheckpointId } from '../values/id.ts';
import type { PositionSpan } from '../values/span.ts';
import type { Chronicle, ChronicleEntry } from '../chronicle/chronicle.ts';
import type { Lifecycles, Phase } from '../frames/lifecycle.ts';
import type { Options } from '../budget/options.ts';
import type { Effect } from './effect.ts';
import type { Tools } from '../messages/tool-spec.ts';
import type { Message } from '../messages/message.ts';
import type { ItemForm, Quote, FrameView } from './view.ts';
import type { BreadcrumbRefs } from '../breadcrumbs/breadcrumb.ts';
import type { Age, Checkpoint, Rewrite } from '../checkpoints/checkpoint.ts';
import type { CompressionState, Purpose, Refusal } from '../checkpoints/compression-state.ts';
import type { HostList, RecoverySource, RecoveryState, Suspicion } from '../truncation/recovery.ts';
import type { EpochView, LayoutPlan, State } from './state.ts';
import type { RewindCause, AbandonedBranch, Snapshot, Undoable } from './timeline.ts';

// Facts are past tense and sufficient: the state is their fold, so an old session
// opens under new rules. Messages are not in them, only their ids and counts.
// They stand here by the life that they belong to, in the order in which it goes.

/** What happened. */
export type Fact =
  | SessionLifeFact
  | WindowFact
  | EntryFact
  | FrameFact
  | GoalFact
  | CompressionFact
  | CheckpointFact
  | RecoveryFact
  | TimelineFact
  | DocumentFact
  | EffectFact;

/** A fact of one type. */
export type FactOf<Type extends Fact['type']> = Extract<Fact, { readonly type: Type }>;

/** How the state changes with each fact of a kind. */
export type Evolution<Kind extends Fact> = {
  readonly [Type in Kind['type']]: (
    state: State,
    fact: FactOf<Type>,
    lifecycles: Lifecycles,
  ) => State;
};

/** What becomes of the session as a whole. */
export type SessionLifeFact =
  | {
      readonly type: 'session.created';
      readonly session: string;
      readonly options: Options;
      readonly system: number;
      readonly identity: Identity;
    }
  | { readonly type: 'session.moved'; readonly phase: Phase }
  /** A machine rested in a state or version of it that this version does not know: its work was cancelled, and begins again. */
  | {
      readonly type: 'machine.restarted';
      readonly machine: 'session' | 'compression' | 'recovery';
      /** Left out for what is of no frame. */
      readonly frame?: FrameId;
      readonly state: string;
      /** The version of the machine; '' where none is kept. */
      readonly version: string;
    }
  | { readonly type: 'session.rolledOver'; readonly frame: FrameId };

/** What is sent, and by which options it is laid out. */
export type WindowFact =
  | { readonly type: 'options.changed'; readonly options: Options; readonly system: number }
  | { readonly type: 'tools.changed'; readonly tools: Tools }
  /** What the new epoch shows before the entries. */
  | { readonly type: 'epoch.raised'; readonly sizes: Sizes; readonly plan: LayoutPlan }
  | {
      readonly type: 'assembly.sent';
      readonly assembly: string;
      readonly inputTokens?: number;
      /** What else the server counted: of a cache, of the answer. */
      readonly usage?: Omit<Usage, 'inputTokens'>;
      /** What the server's count taught, if it was believed. */
      readonly calibration?: Calibration;
    };

/** Numbers of rows that are gone for good: of entries, of records of the journal, of texts. */
export interface KnownLosses {
  readonly entries: readonly PositionSpan[];
  readonly journal: readonly PositionSpan[];
  readonly texts: readonly PositionSpan[];
}

/** What becomes of entries and their units. */
export type EntryFact =
  | {
      readonly type: 'entry.appended';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly role: Message['role'];
      readonly human: boolean;
      readonly form: ItemForm;
      readonly tokens: number;
      readonly shown: number;
      readonly exact: boolean;
      readonly hash: string;
      /** Position of the first entry of its unit. */
      readonly unit: number;
      /** The shortened message, for form `short`. */
      readonly text?: TextId;
      /** The calls it makes. */
      readonly calls?: readonly { readonly id: string; readonly name: string }[];
      /** The call it answers. */
      readonly call?: string;
    }
  | {
      readonly type: 'entry.counted';
      readonly counts: readonly (readonly [n: number, tokens: number])[];
    }
  /** Its text was taken out for good, and what was made of it masked; what it costs before and after, and as a late result; null for what is no result. */
  | {
      readonly type: 'entry.redacted';
      readonly entry: EntryId;
      readonly before: number;
      readonly tokens: number;
      readonly stray: number | null;
    }
  /** They were lost with a damaged store; their ids are not given out again. */
  | { readonly type: 'entries.lost'; readonly from: EntryId; readonly to: EntryId }
  /** What a salvage knows to be gone for good. */
  | ({ readonly type: 'losses.noted' } & KnownLosses)
  | { readonly type: 'unit.closed'; readonly frame: FrameId; readonly calls: readonly ClosedCall[] }
  | {
      readonly type: 'entry.shortened';
      readonly frame: FrameId;
      readonly entry: EntryId;
      readonly text: TextId;
      readonly tokens: number;
    }
  /** Human entries that are no longer above what one may take stand whole again. */
  | { readonly type: 'entry.restored'; readonly entries: readonly EntryId[] }
  | {
      readonly type: 'entry.cleared';
      readonly frame: FrameId;
      readonly entries: readonly (readonly [n: number, tokens: number])[];
    }
  | {
      readonly type: 'entry.offloaded';
      readonly frame: FrameId;
      readonly entries: readonly EntryId[];
      readonly quotes: readonly Quote[];
    };

/** A call that got no result and never will. */
export interface ClosedCall {
  readonly id: string;
  readonly name: string;
  /** Position of the entry with the call. */
  readonly n: number;
  /** Tokens of the message that stands for the result. */
  readonly tokens: number;
}

/** What becomes of frames. */
export type FrameFact =
  | {
      readonly type: 'frame.pushed';
      readonly frame: FrameId;
      readonly parent: FrameId;
      readonly identity: Identity;
      readonly partial: Digest | null;
    }
  | {
      readonly type: 'frame.planned';
      readonly frame: FrameId;
      readonly parent: FrameId;
      readonly identity: Identity;
    }
  | { readonly type: 'frame.started'; readonly frame: FrameId; readonly partial: Digest | null }
  | { readonly type: 'frame.edited'; readonly frame: FrameId; readonly identity: Identity }
  | {
      readonly type: 'frame.popped';
      readonly frame: FrameId;
      readonly status: FrameStatus;
      readonly results: Results;
      readonly reason: string | null;
      readonly dropped: readonly FrameId[];
      /** Directives of its human text, which go on to bind its parent. */
      readonly quotes: readonly Quote[];
    }
  | { readonly type: 'frame.invalidated'; readonly frame: FrameId; readonly reason: string }
  | {
      readonly type: 'frame.retried';
      readonly frame: FrameId;
      readonly of: FrameId;
      readonly partial: Digest | null;
    }
  /** A model's text took the place of the one made of lines. */
  | {
      readonly type: 'frame.described';
      readonly frame: FrameId;
      readonly part: 'partial' | 'results';
      readonly text: TextId;
      readonly brief: string;
      readonly tokens: number;
      readonly by: string;
    };

/** What becomes of the goal. */
export type GoalFact =
  | { readonly type: 'goal.set'; readonly goal: Goal }
  /** By a marker in assistant text; shows at the next epoch. */
  | { readonly type: 'goal.updated'; readonly goal: Goal };

/** What becomes of compressions. */
export type CompressionFact =
  | {
      readonly type: 'compression.started';
      readonly frame: FrameId;
      readonly from: EntryId;
      readonly to: EntryId;
      readonly tokens: number;
    }
  | {
      readonly type: 'compression.moved';
      readonly frame: FrameId;
      readonly state: CompressionState | null;
    }
  | {
      readonly type: 'compression.skipped';
      readonly frame: FrameId;
      /** `given up`: what it asked for could not be taken in. `gone back`: it is due in what was gone back to, and waits until that no longer fits. */
      readonly reason: 'not due' | 'nothing to select' | 'gone back' | 'given up';
    }
  | {
      readonly type: 'compression.failed';
      readonly frame: FrameId;
      readonly attempt: number;
      readonly reason: string;
    }
  /** A summary came and may not stand for its entries. */
  | {
      readonly type: 'compression.refused';
      readonly frame: FrameId;
      readonly reason: Refusal;
    }
  /** A summarizer named what is in nothing that it was given; these lines of its answer are left out. */
  | {
      readonly type: 'summary.invented';
      readonly frame: FrameId;
      readonly purpose: Purpose;
      readonly lines: readonly string[];
    }
  | { readonly type: 'compression.cancelled'; readonly frame: FrameId }
  /** What a compression did: tokens of the assembly before and after, facts found and kept. */
  | {
      readonly type: 'compression.finished';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly before: number;
      readonly after: number;
      readonly facts: number;
      /** Those that lines of the prompt hold after it. */
      readonly kept: number;
      /** Who wrote the summary: the summarizer, or the deterministic fallback. */
      readonly by: 'summarizer' | 'fallback';
    };

/** What becomes of checkpoints, and of the lines that tell what they stand for. */
export type CheckpointFact =
  | {
      readonly type: 'checkpoint.created';
      readonly frame: FrameId;
      readonly checkpoint: Checkpoint;
    }
  | {
      readonly type: 'checkpoint.aged';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly age: Age;
      readonly text: TextId;
      readonly tokens: number;
      /** The lines of the chronicle that it holds. */
      readonly lines: readonly number[];
      /** Who wrote it; left out where lines were dropped. */
      readonly by?: string;
      /** With those to what it holds no longer; left out where there are none. */
      readonly breadcrumbs?: BreadcrumbRefs;
    }
  /** A finer version is shown again, because somebody asked and there was room. */
  | {
      readonly type: 'checkpoint.raised';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly age: Age;
      readonly text: TextId;
      readonly tokens: number;
      readonly lines: readonly number[];
      readonly by: string;
    }
  /** A model's version came; the next epoch shows it. */
  | {
      readonly type: 'checkpoint.rewritten';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly rewrite: Rewrite;
    }
  | {
      readonly type: 'checkpoint.merged';
      readonly frame: FrameId;
      readonly into: Checkpoint;
      readonly merged: readonly CheckpointId[];
    }
  /** A checkpoint has so many breadcrumbs that it says too little. */
  | {
      readonly type: 'breadcrumbs.many';
      readonly frame: FrameId;
      readonly checkpoint: CheckpointId;
      readonly count: number;
    }
  /** All lines of the chronicle have their texts in one source from here on, a row for each in their order. */
  | { readonly type: 'chronicle.gathered'; readonly source: TextId }
  /** What left the window, told in lines; `source` has their texts, a row for each. */
  | (ChronicleEntry & { readonly type: 'chronicle.written'; readonly source: TextId });

/** What becomes of a suspicion that something was dropped, of a comparison and of a recovery. */
export type RecoveryFact =
  /** Part of what we believed present was dropped, or may have been; `assembly` is the one that was sent, where it is known. */
  | (Suspicion & { readonly type: 'truncation.suspected'; readonly assembly?: string })
  /** A host's own list was compared with the log. */
  | {
      readonly type: 'history.compared';
      readonly relation: 'same' | 'append' | 'cut' | 'fork';
      readonly host: HostList;
      /** Where the host took another way. */
      readonly forkedAt?: EntryId;
    }
  /** How many messages a host said it has. */
  | { readonly type: 'history.counted'; readonly messages: number }
  /** What is said at the start of a recovery. */
  | { readonly type: 'recovery.announced'; readonly text: string }
  | { readonly type: 'recovery.moved'; readonly state: RecoveryState | null }
  | { readonly type: 'recovery.cancelled' }
  /** All that the documents of a lost store tell, printed as one; documents to come go on from it. */
  | { readonly type: 'document.recovered'; readonly text: TextId }
  /** The work goes on with what was recovered, which the next epoch shows. */
  | {
      readonly type: 'session.recovered';
      readonly text: TextId;
      readonly tokens: number;
      /** What is said of it. */
      readonly line: string;
      readonly source: RecoverySource | 'recap';
    };

/** What becomes of snapshots, and of decisions that are taken back. */
export type TimelineFact =
  /** A moment that can be gone back to; nothing is copied. */
  | { readonly type: 'snapshot.created'; readonly snapshot: Snapshot }
  | { readonly type: 'snapshot.deleted'; readonly snapshot: string }
  /** A snapshot could not be written, with all of its step. Listeners are told, and no record has it, for the store takes nothing more. */
  | {
      readonly type: 'snapshot.failed';
      readonly snapshot: string;
      readonly by: Snapshot['by'];
      readonly reason: string;
    }
  | { readonly type: 'snapshot.restored'; readonly snapshot: string }
  /** What was decided is again as it was after an old record; what was said since stays, or is in `left`. Begins an epoch. */
  | {
      readonly type: 'state.restored';
      readonly cause: RewindCause;
      /** The step that was taken back or again; for a snapshot `restore`. */
      readonly what: Undoable;
      /** The record after which it was so. */
      readonly from: number;
      readonly phase: Phase;
      readonly active: FrameId;
      readonly goal: Goal | null;
      readonly chronicle: Chronicle;
      readonly newest: State['newest'];
      readonly calls: State['calls'];
      /** Frames that are no longer as they were, by ordinal. */
      readonly frames: readonly (readonly [n: number, frame: Frame])[];
      readonly views: readonly (readonly [frame: FrameId, view: FrameView])[];
      /** What is shown before the entries; of its tree the length, and the frames that differ. */
      readonly epochView: Omit<EpochView, 'frames'> & {
        readonly length: number;
        readonly frames: readonly (readonly [n: number, frame: Frame])[];
      };
      readonly left: readonly AbandonedBranch[];
    };

/** What becomes of checkpoint documents. */
export type DocumentFact =
  | { readonly type: 'documents.changed'; readonly isKept: boolean }
  /** A document was decided on; `messages` are those of the session so far. */
  | {
      readonly type: 'document.requested';
      readonly key: string;
      readonly reason: DocumentReason;
      readonly text: TextId;
      readonly at: number;
      readonly messages: number;
      /** The items of the host's list by then, each with its mark before it. */
      readonly list: readonly string[];
    }
  | { readonly type: 'document.written'; readonly key: string; readonly file: string }
  /** Somebody edited the page by hand: the lines that they put in and took out. It is not `human` where the model itself named the page. */
  | {
      readonly type: 'page.edited';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly human: boolean;
    }
  /**
   * The page was left as it is: longer than 64 KB (`EFBIG`), more than 8 KB put in (`EMSGSIZE`), no text
   * (`EILSEQ`), a link (`ELOOP`), a folder (`EISDIR`), or what the system says; or it is of no session
   * (`ENOENT`), and was `kept` in another file ('' for the other reasons).
   */
  | { readonly type: 'page.refused'; readonly reason: string; readonly kept: string }
  /** It could not be written, and is given up. */
  | { readonly type: 'document.failed'; readonly key: string; readonly reason: string };

/** What becomes of work that others do, and of timers. */
export type EffectFact =
  | { readonly type: 'effect.requested'; readonly key: string; readonly effect: Effect }
  | { readonly type: 'effect.ended'; readonly key: string }
  /** What an effect, a timer or a document brought could not be taken in, for this reason; it is given up. */
  | { readonly type: 'effect.abandoned'; readonly key: string; readonly reason: string }
  | {
      readonly type: 'timer.set';
      readonly key: string;
      readonly due: number;
      readonly frame: FrameId;
    }
  | { readonly type: 'timer.ended'; readonly key: string };
