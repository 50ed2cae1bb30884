import type { Assembly } from '../core/assembly.ts';
import type { Goal, GoalPatch } from '../core/goal.ts';
import type { Fact } from '../core/fact.ts';
import type { Message } from '../core/message.ts';
import type { FrameNode } from '../core/tree.ts';
import type { Place } from '../core/where.ts';
import type { LogEntry } from '../llm/summarizer.ts';
import type { Moment, View } from './at.ts';
import type { AppendOptions } from './append-step.ts';
import type { SessionOptions } from './configure.ts';
import type { SessionFact } from './live.ts';
import type { Judgment, ReportGiven } from './report.ts';
import type { SessionTool } from './session-tool.ts';
import type { SessionState } from './state.ts';

/** What a tool looks like to a model; anything JSON goes. */
export type ToolSchema = unknown;

/** What a frame is for, as it comes in. */
export interface FrameGiven {
  /** Two to five words, at most 30 tokens. */
  readonly title: string;
  /** What defines done, in verifiable terms. */
  readonly criteria?: string;
  /** The dense form of the criteria; made from them unless told. */
  readonly brief?: string;
}

/** How a frame is left. */
export interface PopGiven {
  /** A blocked frame to close as failed; the active one unless told. */
  readonly frame?: string;
  readonly status: 'completed' | 'failed' | 'blocked';
  /** What was accomplished; harvested from the frame's log unless told. */
  readonly results?: string;
  /** The dense form of the results; made from them unless told. */
  readonly brief?: string;
  readonly artifacts?: readonly string[];
  readonly decisions?: readonly string[];
  /** Whether planned and blocked children may be dropped; false unless told. */
  readonly drop?: boolean;
}

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

/** How an abstract command is kept beside its input. */
export interface CommandOptions {
  /** The same key twice does it once. */
  readonly key?: string;
}

/** One agent's life in one store. Every promise of a change resolves when it is durable. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly state: SessionState;
  append(message: Message, options?: AppendOptions): Promise<{ id: string }>;
  append(messages: readonly Message[], options?: AppendOptions): Promise<{ ids: string[] }>;
  /** What to send to the model, guaranteed to fit; rejects with `CONTEXT_OVERFLOW` where nothing more can shrink. */
  assemble(options?: { tools?: readonly ToolSchema[]; signal?: AbortSignal }): Promise<Assembly>;
  push(frame: FrameGiven, options?: CommandOptions): Promise<{ id: string }>;
  pop(results: PopGiven, options?: CommandOptions): Promise<{ id: string }>;
  readonly frames: {
    plan(
      frame: FrameGiven & { parent?: string },
      options?: CommandOptions,
    ): Promise<{ id: string }>;
    start(frame: string, options?: CommandOptions): Promise<void>;
    edit(frame: string, identity: Partial<FrameGiven>): Promise<void>;
    invalidate(
      frame: string,
      reason?: string | { reason?: string },
      options?: CommandOptions,
    ): Promise<void>;
    retry(frame: string): Promise<{ id: string }>;
    tree(): FrameNode;
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
  /** Everything that was said, byte for byte; throws `ENTRY_NOT_FOUND` for a bound that is no id of an entry, and `FRAME_NOT_FOUND`. */
  log(options?: LogOptions): AsyncIterable<LogEntry>;
  /** One entry, byte for byte; rejects with `ENTRY_NOT_FOUND`. */
  entry(id: string): Promise<LogEntry>;
  /** Where an entry is, seen from the assembly; throws `ENTRY_NOT_FOUND`. */
  where(id: string): Place;
  /** The session as it was; rejects with `MOMENT_NOT_FOUND` for a moment that it never had. */
  at(moment: Moment): Promise<View>;
  /** The session's own verbs as tools for a model, in any agent loop; their schemas go into `assemble`, too. */
  tools(): readonly SessionTool[];
  configure(options: SessionOptions): Promise<void>;
  /** Takes in what a server said of an assembly that brought no answer: its count, its refusal, or the window it has. */
  report(given: ReportGiven): Promise<Judgment>;
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
