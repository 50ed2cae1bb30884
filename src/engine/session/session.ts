import type { Breadcrumb } from '../../core/breadcrumbs/breadcrumb.ts';
import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Age } from '../../core/checkpoints/checkpoint.ts';
import type { Difference } from '../../core/assembly/diff.ts';
import type { Goal, GoalPatch } from '../../core/frames/goal.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Message } from '../../core/messages/message.ts';
import type { ScriptLine } from '../../core/formats/session-script.ts';
import type { FrameNode, LeftFrame } from '../../core/frames/tree.ts';
import type { Place } from '../../core/assembly/locate.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import type { View } from '../time-travel/view-at.ts';
import type { Moment } from '../time-travel/moment.ts';
import type { AppendOptions } from '../commands/append-command.ts';
import type { AssembleOptions } from '../commands/assemble-command.ts';
import type { SessionOptions } from '../commands/configure.ts';
import type { SessionFact } from '../live/listeners.ts';
import type { Hit } from '../recall/recall.ts';
import type { TakenSteps } from '../commands/undo-list.ts';
import type { Judgment, ReportGiven } from '../commands/report.ts';
import type { WrittenDocument } from '../commands/write-document.ts';
import type { SessionTool } from './session-tool.ts';
import type { SessionState, RecoveryAnswer } from '../step/session-state.ts';
import type { Synced } from '../sync/sync.ts';
import type { GoneBack, Snapshots } from '../commands/rewind-command.ts';
import type { FrameGiven, PopGiven, CommandOptions } from '../commands/command.ts';
import type {
  RecallOptions,
  ExpandOptions,
  TraceGiven,
  TraceOptions,
} from '../recall/recall-options.ts';

/** Which part of the log to read. */
export interface LogOptions {
  readonly frame?: string;
  /** Entries after this id. */
  readonly after?: string;
  /** Entries before this id. */
  readonly before?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** One agent's life in one store. Every promise of a change resolves when it is durable. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly state: SessionState;
  append(message: Message, options?: AppendOptions): Promise<{ id: string }>;
  append(messages: readonly Message[], options?: AppendOptions): Promise<{ ids: string[] }>;
  /** Where the session stands, as a checkpoint document in Markdown; writes nothing. */
  document(): Promise<string>;
  /** Writes that document to the file of its day; rejects with `DOCUMENTS_OFF` where the store names no folder. */
  writeDocument(): Promise<WrittenDocument>;
  /** Where to look for what left the window of the frames on the path, or behind one checkpoint; throws `CHECKPOINT_NOT_FOUND`. */
  breadcrumbs(checkpoint?: string): readonly Breadcrumb[];
  /** What to send to the model, guaranteed to fit; rejects with `CONTEXT_OVERFLOW` where nothing more can shrink. */
  assemble(options?: AssembleOptions): Promise<Assembly>;
  push(frame: FrameGiven, options?: CommandOptions): Promise<{ id: string }>;
  pop(results: PopGiven, options?: CommandOptions): Promise<{ id: string }>;
  readonly frames: {
    plan(
      frame: FrameGiven & { parent?: string },
      options?: CommandOptions,
    ): Promise<{ id: string }>;
    start(frame: string, options?: CommandOptions): Promise<void>;
    edit(frame: string, identity: Partial<FrameGiven>, options?: CommandOptions): Promise<void>;
    invalidate(
      frame: string,
      reason?: string | { reason?: string; key?: string },
      options?: CommandOptions,
    ): Promise<void>;
    retry(frame: string, options?: CommandOptions): Promise<{ id: string }>;
    /** Without frames on branches that were left. */
    tree(): FrameNode;
    /** Frames on branches that were left by going back, oldest first; with `redo`, those of its step are in the tree again. */
    left(): readonly LeftFrame[];
  };
  readonly goal: {
    set(
      goal: string | (Partial<Goal> & { description: string }),
      options?: CommandOptions,
    ): Promise<void>;
    update(patch: GoalPatch): Promise<void>;
    pause(): Promise<void>;
    resume(): Promise<void>;
    complete(): Promise<void>;
  };
  /** Everything that was said, byte for byte; throws `ENTRY_NOT_FOUND` for a bound that is no id, or an `after` that is not there (`before` may be yet to come), `FRAME_NOT_FOUND`, and `OPTION_INVALID`. */
  log(options?: LogOptions): AsyncIterable<LogEntry>;
  /** The session as the lines of a script that an import plays: messages byte for byte, frames, goals; what was taken back is not in it. */
  export(options?: { signal?: AbortSignal }): AsyncIterable<ScriptLine>;
  /** One entry, byte for byte; rejects with `ENTRY_NOT_FOUND`. */
  entry(id: string): Promise<LogEntry>;
  /** Where an entry is, seen from the assembly; throws `ENTRY_NOT_FOUND`. */
  where(id: string): Place;
  /** The session as it was; rejects with `MOMENT_NOT_FOUND` for a moment that it never had. */
  at(moment: Moment): Promise<View>;
  /** What the model saw at one moment and at another; the other is now unless told. */
  diff(before: Moment | View, after?: Moment | View): Promise<Difference>;
  /** Shows a finer version of an aged checkpoint where there is room; rejects with `CHECKPOINT_NO_ROOM`, `CHECKPOINT_FINEST`, `CHECKPOINT_NOT_FOUND`. */
  raise(checkpoint: string): Promise<{ age: Age; tokens: number }>;
  /** Moments to go back to. */
  readonly snapshots: Snapshots;
  /** Takes the newest compression, pop, push, invalidation, restore, goal or recovery from documents back; what was said since stays. Rejects with `UNDO_EMPTY`, and with `CONTEXT_OVERFLOW` where the result could not fit. */
  undo(options?: CommandOptions): Promise<GoneBack>;
  /** Takes an undone step again, until something new is decided; rejects with `REDO_EMPTY`. */
  redo(options?: CommandOptions): Promise<GoneBack>;
  /** What `undo` would take back, and `redo` again, the next one first of each. */
  steps(): Promise<TakenSteps>;
  /** Entries that answer a query, the best first, as slices that keep to a budget of tokens; rejects with `FRAME_NOT_FOUND`, and `OPTION_INVALID`. */
  recall(query: string, options?: RecallOptions): Promise<Hit[]>;
  /** The entries that a sentence of a summary comes from, or a checkpoint does, the likeliest first; rejects with `CHECKPOINT_NOT_FOUND`, and `OPTION_INVALID`. */
  trace(given: TraceGiven, options?: TraceOptions): Promise<Hit[]>;
  /** The entries behind an id of an entry, frame or checkpoint, a range (`e4-e9`), or a marker that holds one, byte for byte; rejects where there is none. */
  expand(ref: string, options?: ExpandOptions): Promise<LogEntry[]>;
  /** The session's own verbs as tools for a model, in any agent loop; their schemas go into `assemble`, too. */
  tools(): readonly SessionTool[];
  configure(options: SessionOptions): Promise<void>;
  /** Takes in what a server said of an assembly that brought no answer: its count, its refusal, or the window it has; rejects with `WINDOW_TOO_SMALL` or `SYSTEM_TOO_LARGE` before anything is changed where the session cannot go on in that. */
  report(given: ReportGiven): Promise<Judgment>;
  /** Compares a host's own list of messages with the log: appends what is new, names what was lost, takes another way where it did. */
  sync(history: readonly Message[]): Promise<Synced>;
  /**
   * Recovers now: the next assembly begins with what is known of where the work stood; `from` reads
   * it from the checkpoint documents of a folder or file, and rejects with `RECOVERY_EMPTY` without any.
   */
  recover(options?: { from?: string }): Promise<void>;
  readonly recovery: {
    /** Answers a recovery that waits: it is right, it is not, or how it was; rejects with `RECOVERY_NOT_ASKED`. */
    confirm(answer?: RecoveryAnswer): Promise<void>;
  };
  /** Compresses the active frame now, due or not. */
  compress(options?: { focus?: string; signal?: AbortSignal }): Promise<void>;
  /** Hears facts of one type, or all, once durable; gives back what ends that. */
  on<Type extends Fact['type']>(
    type: Type,
    listener: (fact: Extract<SessionFact, { type: Type }>) => void,
  ): () => void;
  on(type: '*', listener: (fact: SessionFact) => void): () => void;
  /** All facts after a sequence number, then those to come. */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<SessionFact>;
  /** Resolves when every step is durable and no summarizer owes anything. */
  settled(): Promise<void>;
  /** Closes this handle; what it asked for goes on. */
  close(): Promise<void>;
}
