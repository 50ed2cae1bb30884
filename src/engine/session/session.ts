import type { RecoverOptions } from '../commands/recover-from.ts';
import type { OnLost } from '../journal/whole-rows.ts';
import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Difference } from '../../core/assembly/diff.ts';
import type { Place } from '../../core/assembly/locate.ts';
import type { Breadcrumb } from '../../core/breadcrumbs/breadcrumb.ts';
import type { Age } from '../../core/checkpoints/checkpoint.ts';
import type { ScriptLine } from '../../core/formats/session-script.ts';
import type { Goal, GoalPatch } from '../../core/frames/goal.ts';
import type { FrameNode, LeftFrame } from '../../core/frames/tree.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import type { AppendOptions } from '../commands/append-command.ts';
import type { AssembleOptions } from '../commands/assemble-command.ts';
import type { CommandOptions, FrameGiven, PopGiven } from '../commands/command.ts';
import type { SessionOptions } from '../commands/configure.ts';
import type { Redaction } from '../commands/redact.ts';
import type { Judgment, ReportGiven } from '../commands/report.ts';
import type { GoneBack, Snapshots } from '../commands/rewind-command.ts';
import type { TakenSteps } from '../commands/undo-steps.ts';
import type { WrittenDocument } from '../commands/write-document.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { SessionFact } from '../live/listening/listeners.ts';
import type {
  ExpandOptions,
  RecallOptions,
  TraceGiven,
  TraceOptions,
} from '../recall/recall-options.ts';
import type { Hit } from '../recall/recall.ts';
import type { RecoveryAnswer, SessionState } from '../step/session-state.ts';
import type { Synced, SyncOptions } from '../sync/sync.ts';
import type { Moment } from '../time-travel/moment.ts';
import type { View } from '../time-travel/view-at.ts';
import type { SessionTool, ToolsOptions } from './session-tool.ts';

/** Which part of the log to read; all of it unless told. */
export interface LogOptions {
  /** Entries of one frame, by its id. */
  readonly frame?: string;
  /** Entries after this id. */
  readonly after?: string;
  /** Entries before this id; it may be yet to come. */
  readonly before?: string;
  /** Whether the newest come first; false unless told. */
  readonly reverse?: boolean;
  /** At most this many entries. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** Hears of entries that cannot be read, and are left out; unless told, reading ends with `RECORD_DAMAGED`. */
  readonly onLost?: OnLost;
}

/** How a session is exported. */
export interface ExportOptions {
  readonly signal?: AbortSignal;
  /** Hears of entries that cannot be read, and are left out; unless told, the export ends with `RECORD_DAMAGED`. */
  readonly onLost?: OnLost;
}

/** Which part of a session is inspected, and how. */
export interface InspectOptions {
  /** Begins after this step, by its number: first with each actor that there is then. From the first step on unless told. */
  readonly after?: number;
  /** The last step; without an end unless told. */
  readonly to?: number;
  /** Whether it goes on with what comes, and does not end with what is stored; true unless told, and never where the store is `readOnly`. */
  readonly live?: boolean;
  /** Whether texts are told, too, and not only ids and counts; false unless told. */
  readonly text?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * One agent's life in one store, seen through one handle: a log that keeps every message, a tree of
 * frames, and the assembly that the model is sent.
 *
 * A promise of a change resolves when the change is durable; commands run one at a time, in the order
 * they were called. Every method rejects (or throws, where it gives no promise) with `SESSION_CLOSED`
 * or `STORE_CLOSED` once the handle or its store is closed, and with `OPTION_INVALID` for arguments
 * that it does not take; commands reject with `BUSY` where too many calls wait, and with
 * `SESSION_COMPLETED` where the root is closed and they would go on.
 */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** The session as it stands after the last decided step: budget, goal, frames, what is pending. */
  readonly state: SessionState;

  /** Adds a message to the log of the active frame; a tool result joins its call. Resolves with the id of the entry; rejects with `MESSAGE_INVALID`. */
  append(message: Message, options?: AppendOptions): Promise<{ id: string }>;
  /** Adds several messages in one step, all or none of them. */
  append(messages: readonly Message[], options?: AppendOptions): Promise<{ ids: string[] }>;
  /** What to send to the model, guaranteed to fit the limit; rejects with `CONTEXT_OVERFLOW` where nothing more can shrink. */
  assemble(options?: AssembleOptions): Promise<Assembly>;

  /** Opens a child of the active frame and enters it; resolves with its id. Rejects with `FRAME_TITLE_TOO_LONG`. */
  push(frame: FrameGiven, options?: CommandOptions): Promise<{ id: string }>;
  /**
   * Leaves the active frame with results, or closes a named blocked one as failed; resolves with the id
   * of the frame that was left. Rejects with `FRAME_CHILDREN_LEFT` where planned or blocked children are
   * left and `drop` is not given. Leaving the root completes the session.
   */
  pop(results: PopGiven, options?: CommandOptions): Promise<{ id: string }>;
  /** The tree of frames; `FRAME_NOT_FOUND` for an id of none, `FRAME_STATUS` for a frame that its status does not allow. */
  readonly frames: {
    /** Adds a planned frame under `parent`, the active frame unless told; resolves with its id. */
    plan(
      frame: FrameGiven & { parent?: string },
      options?: CommandOptions,
    ): Promise<{ id: string }>;
    /** Enters a planned or blocked child of the active frame. */
    start(frame: string, options?: CommandOptions): Promise<void>;
    /** Changes title, criteria or brief of a planned frame; rejects with `FRAME_FROZEN` once it was entered. */
    edit(frame: string, identity: Partial<FrameGiven>, options?: CommandOptions): Promise<void>;
    /** Closes a frame that is no longer needed, with all planned and open ones below it; the root cannot be. */
    invalidate(
      frame: string,
      reason?: string | { reason?: string; key?: string },
      options?: CommandOptions,
    ): Promise<void>;
    /** Enters a new sibling of a failed child of the active frame, with the same title and criteria; resolves with its id. */
    retry(frame: string, options?: CommandOptions): Promise<{ id: string }>;
    /** The root with all frames below it, without those on branches that were left. */
    tree(): FrameNode;
    /** Frames on branches that were left by going back, oldest first; `redo` puts those of its step back into the tree. */
    left(): readonly LeftFrame[];
  };
  /** What the work is for, shown in every assembly. */
  readonly goal: {
    /** Puts a goal in place of the one there is; a text is its description. Rejects with `GOAL_TOO_LARGE`. */
    set(
      goal: string | (Partial<Goal> & { description: string }),
      options?: CommandOptions,
    ): Promise<void>;
    /** Changes the fields that are named, the others stay; rejects with `GOAL_MISSING` where there is none. */
    update(patch: GoalPatch): Promise<void>;
    pause(): Promise<void>;
    resume(): Promise<void>;
    complete(): Promise<void>;
  };

  /** The log as it came in, byte for byte, oldest first unless told; throws `FRAME_NOT_FOUND`, and `ENTRY_NOT_FOUND` for a bound that is no id, or an `after` that is not there. */
  log(options?: LogOptions): AsyncIterable<LogEntry>;
  /** One entry, byte for byte; rejects with `ENTRY_NOT_FOUND`. */
  entry(id: string): Promise<LogEntry>;
  /**
   * Takes the text of an entry out for good: of the log, of all that was made of it, of the index and
   * the documents. Its id, role, place and hash stay. Names what it cannot reach, and what may tell of
   * it in other words. A second time it changes nothing. Rejects with `ENTRY_NOT_FOUND`.
   */
  redact(entry: string): Promise<Redaction>;
  /** Entries and frames that answer a query, the best first, as verbatim slices within a budget of tokens; rejects with `FRAME_NOT_FOUND`. */
  recall(query: string, options?: RecallOptions): Promise<Hit[]>;
  /** Where an entry is, seen from the assembly: verbatim, shortened, behind a checkpoint or a breadcrumb; or how the tree shows a frame. Throws `ENTRY_NOT_FOUND` and `FRAME_NOT_FOUND`. */
  where(id: string): Place;
  /** Entries that a sentence of a summary, or a whole checkpoint, was made from, the likeliest first; rejects with `CHECKPOINT_NOT_FOUND`. */
  trace(given: TraceGiven, options?: TraceOptions): Promise<Hit[]>;
  /**
   * The entries behind an id of an entry, frame or checkpoint, a range (`e4-e9`), or a marker that holds
   * one, byte for byte; a frame itself, as one text, stands before its entries. Rejects with `ENTRY_NOT_FOUND`, `FRAME_NOT_FOUND`, `CHECKPOINT_NOT_FOUND`.
   */
  expand(ref: string, options?: ExpandOptions): Promise<LogEntry[]>;
  /** Where to look for what left the window of the frames on the path, or is behind one checkpoint; throws `CHECKPOINT_NOT_FOUND`. */
  breadcrumbs(checkpoint?: string): readonly Breadcrumb[];
  /** The session as lines of a script that `store.import` plays: messages byte for byte, frames, goals; without what was taken back. */
  export(options?: ExportOptions): AsyncIterable<ScriptLine>;

  /** Compresses the active frame now, due or not; resolves when no summary is awaited any more. `focus` names what to keep in detail. */
  compress(options?: { focus?: string; signal?: AbortSignal }): Promise<void>;
  /** Shows a finer version of an aged checkpoint where there is room; rejects with `CHECKPOINT_NO_ROOM`, `CHECKPOINT_FINEST`, `CHECKPOINT_NOT_FOUND`. */
  raise(checkpoint: string): Promise<{ age: Age; tokens: number }>;
  /** A checkpoint document of where the session stands, in Markdown; it is written nowhere. */
  document(): Promise<string>;
  /** Writes that document to the file of its day; rejects with `DOCUMENTS_OFF` where the store names no folder, and with `DOCUMENT_FAILED`. */
  writeDocument(): Promise<WrittenDocument>;

  /** The session as it was; rejects with `MOMENT_NOT_FOUND` for a moment that it never had. */
  at(moment: Moment): Promise<View>;
  /** What the model saw at one moment and at another; the other is now unless told. */
  diff(before: Moment | View, after?: Moment | View): Promise<Difference>;
  /** Moments to go back to. */
  readonly snapshots: Snapshots;
  /**
   * Takes the newest compression, pop, push, invalidation, restore, goal or recovery from documents back;
   * what was said since stays. Rejects with `UNDO_EMPTY`, and with `CONTEXT_OVERFLOW` where the result
   * could not fit.
   */
  undo(options?: CommandOptions): Promise<GoneBack>;
  /** Takes an undone step again, as long as nothing new was decided; rejects with `REDO_EMPTY`. */
  redo(options?: CommandOptions): Promise<GoneBack>;
  /** What `undo` would take back, and `redo` again, each the next one first. */
  steps(): Promise<TakenSteps>;

  /**
   * Takes in what a server said of an assembly that brought no answer: its count, its refusal, or the
   * window it has. Rejects with `WINDOW_TOO_SMALL` or `SYSTEM_TOO_LARGE`, before anything is changed,
   * where the session cannot go on in that window.
   */
  report(given: ReportGiven): Promise<Judgment>;
  /** Compares a host's own list of messages with the log: appends what is new, names what was lost, and takes another branch where the list did. */
  sync(history: readonly Message[], options?: SyncOptions): Promise<Synced>;
  /**
   * Recovers now: the next assembly begins with what is known of where the work stood; `from` reads
   * it from the checkpoint documents of a folder or file, and rejects with `RECOVERY_EMPTY` without any.
   */
  recover(options?: RecoverOptions): Promise<void>;
  readonly recovery: {
    /** The sentence that a recovery would begin the next assembly with; '' where there is nothing to recover. */
    preview(): string;
    /** Answers a recovery that waits: true where it is right, false where it is not, or a text that says how it was; rejects with `RECOVERY_NOT_ASKED`. */
    confirm(answer?: RecoveryAnswer): Promise<void>;
  };

  /** Changes options; those that are not named stay. */
  configure(options: SessionOptions): Promise<void>;
  /**
   * The session's own commands as tools for a model, in any agent loop; give their schemas to `assemble`,
   * too. In a window below 16,000 tokens `recall` alone, unless `all` is told.
   */
  tools(wanted?: 'fitting' | 'all', options?: ToolsOptions): readonly SessionTool[];
  /** Calls `listener` with each fact of a type once it is durable; returns the function that ends that. */
  on<Type extends Fact['type']>(
    type: Type,
    listener: (fact: Extract<SessionFact, { type: Type }>) => void,
  ): () => void;
  /** The same with facts of every type. */
  on(type: '*', listener: (fact: SessionFact) => void): () => void;
  /** All facts after a sequence number (0 unless told), then those to come, until the handle or its store is closed; of a store that is `readOnly`, those that are stored. */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<SessionFact>;
  /**
   * Which machine went where: of what is stored, by deciding it again, then of what comes, until the handle or its
   * store is closed; of a store that is `readOnly`, of what is stored. Only what is durable is told. Rejects with `MOMENT_NOT_FOUND` where there is no step `after`.
   */
  inspect(options?: InspectOptions): AsyncIterable<Inspection>;
  /** Resolves when every step asked for is durable and no effect (a summary, a document, a timer) is pending that can run; rejects where the store refused one, or what an effect brought could neither be taken in nor given up. An aborted `signal` ends the wait, and nothing else. */
  settled(options?: { signal?: AbortSignal }): Promise<void>;
  /** Closes this handle once the steps asked for are durable; effects of the session go on. */
  close(): Promise<void>;
}
