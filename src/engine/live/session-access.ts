import type { Assembly } from '../../core/assembly/assembly.ts';
import type { Bodies } from '../../core/messages/bodies.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import type { TracedStep } from '../inspect/inspection.ts';
import type { HistoryInput } from '../time-travel/read-past.ts';
import type { BodyCache } from '../journal/body-cache.ts';
import type { StepOptions } from './batch.ts';
import type { Listener } from './listening/listeners.ts';
import type { SentAssemblies } from './sent-assemblies.ts';

// What a function may do with a session stands in the type of its parameter. A
// SessionReader changes nothing. A CommandSession queues work; only that work is
// given the SessionWriter, one piece of work at a time, so a step cannot be taken
// outside of the queue.

/** A session as it is read. */
export interface SessionReader {
  readonly id: string;
  /** The state after the last decided step. */
  readonly state: State;
  /** The messages and texts that the state refers to. */
  readonly bodies: Bodies;
  /** The rows of its store; those of the last decided step are there once `written` resolves. */
  readonly store: RecordStore;
  /** Resolves when everything decided so far is durable; rejects where a write failed. */
  readonly written: Promise<void>;
  /**
   * The state, once all of it is in the store: where others were faster with a write, that of what they wrote.
   * Not for work in its turn, which is to decide again.
   */
  durableState(): Promise<State>;
  /** The tokenizer of the session, which is loaded where it is not yet. */
  counter(): Promise<Tokenizer>;
  /** Calls `listener` with each fact once it is durable; returns the function that ends that. */
  listen(listener: Listener): () => void;
  /** Calls `inspector` with each step once it is durable; returns the function that ends that. Steps that are decided from now on have their moves. */
  inspect(inspector: Inspector): () => void;
}

/** A function that is called with each step; null for one whose moves nobody noted, which the journal tells. It must not throw. */
export type Inspector = (step: TracedStep | null) => void;

/** A session while one piece of work has it alone: the only way to change it. */
export interface SessionWriter extends SessionReader {
  /** Whether it is yet to be created; until then it has no state. */
  readonly isNew: boolean;
  /** The tokenizer of the session; undefined while it is not loaded. */
  readonly loadedCounter: Tokenizer | undefined;
  /** The tokenizer of the session, or the one called `name`, which is loaded where it is not yet. */
  counter(name?: string): Promise<Tokenizer>;
  /** The answer that is kept for an idempotency key; undefined for a new key. */
  answered(key: string): Promise<unknown>;
  /** Reads the state again where somebody else wrote to the session since. */
  lookForOthers(): Promise<void>;
  /** Reads the state again. */
  reload(): Promise<void>;
  /** Goes on from a state and bodies in which a text was masked, and forgets what was assembled. */
  goOnFrom(masked: { readonly state: State; readonly bodies: BodyCache }): void;
  /** Decides a step and begins to write it; a step without facts is not written. Throws where the input is refused. */
  step(input: Input, options?: StepOptions): StepResult;
  /** The same for an input that may begin a compression: others get their turn while that is decided. Nothing of it is seen before it is. */
  stepInParts(input: Input, options?: StepOptions): Promise<StepResult>;
  /** The same for an input that is decided on more than the state: that is read first. */
  stepWithHistory(input: HistoryInput, options?: StepOptions): Promise<StepResult>;
}

/** What a piece of work decided. */
export interface Decided {
  /** Resolves when it is on disk. */
  readonly durable: Promise<void>;
}

/** A step that is decided. */
export interface StepResult extends Decided {
  readonly facts: readonly Fact[];
}

/** A session as its commands use it: read at any time, changed in turn. */
export interface CommandSession extends SessionReader {
  /** The assembly of the state as it is, for the tools that the state knows; it counts as sent. */
  assembly(): Assembly;
  /** The assemblies given out lately. */
  readonly sent: SentAssemblies;
  /** The epoch whose assembly was last checked for entries that it leaves out; -1 for none. */
  checkedEpoch: number;
  /** Runs a caller's `work` after all that was asked for before; rejects with `BUSY` where too many calls wait. */
  enqueue<T>(work: (writer: SessionWriter) => T | Promise<T>): Promise<T>;
  /** Runs the engine's own `work` after all that was asked for before, however many calls wait. */
  inTurn<T>(work: (writer: SessionWriter) => T | Promise<T>): Promise<T>;
}
