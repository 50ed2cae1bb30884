import type { ScriptStep, StepOf } from '../../core/formats/session-script.ts';
import type { Goal } from '../../core/frames/goal.ts';

// An importer turns a session file of some agent runtime into steps that the
// engine can take one by one. It reads twice: first to learn the shape (which
// branch of a tree, which side chain belongs to which call), then to tell.

/** One step of a session file, in the order of events. */
export type Step =
  /** Metadata of the session; first, and once. */
  | {
      readonly type: 'session';
      readonly id: string;
      readonly system?: string;
      readonly title?: string;
      /** In tokens; `reserve` is of this window. */
      readonly window?: number;
      readonly reserve?: number;
      readonly markers?: boolean;
      readonly model?: string;
      readonly provider?: string;
      readonly folder?: string;
      readonly branch?: string;
      /** The program whose session it is; the format unless told. */
      readonly agent?: string;
      /** Id of the session that it is a sub-agent of. */
      readonly parent?: string;
      /** Files of subagents that become frames. */
      readonly subagents?: number;
    }
  | (PartialStep<'append', 'message'> & StepOrigin & JoinedLines)
  | (PartialStep<'left', 'message'> & StepOrigin)
  | (PartialStep<'push', 'title' | 'criteria'> & StepOrigin)
  | (PartialStep<'plan', 'title' | 'criteria' | 'name'> & StepOrigin)
  | (PartialStep<'start', 'name'> & StepOrigin)
  | (PartialStep<'edit', 'title' | 'criteria' | 'name'> & StepOrigin)
  | (PartialStep<'retry', 'name' | 'of'> & StepOrigin)
  | (PartialStep<'pop', 'status'> & StepOrigin)
  | (PartialStep<'invalidate', 'reason'> & StepOrigin)
  | ({
      readonly type: 'goal';
      readonly description: string;
      /** The rest of the goal. */
      readonly goal?: Goal;
    } & StepOrigin)
  /** A line that could not be read, or a call or branch that was left out on purpose. */
  | {
      readonly type: 'skip';
      readonly line: number;
      readonly reason: string;
      /** Whether it was to open a frame, so that the next step that closes one is not meant for another. */
      readonly opens?: boolean;
    };

/** A step of a script with the fields that it must have, and those that a file may leave out. */
type PartialStep<T extends ScriptStep['type'], Must extends keyof StepOf<T>> = Pick<
  StepOf<T>,
  Must | Extract<'type', keyof StepOf<T>>
> &
  Partial<Omit<StepOf<T>, Must | 'type'>>;

/** Key, line and time of a step. */
export interface StepOrigin {
  /** Unique in the file, and stable when the file grows. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** The source line, from 1. */
  readonly line: number;
}

/** Whether several lines make a message, of which the first may have been read alone before. */
export interface JoinedLines {
  readonly isJoined?: boolean;
}

/** One line of a source. */
export interface SourceLine {
  /** Without its line break. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Byte offset after the line and its break. */
  readonly end: number;
}

/** A file whose lines can be read more than once; an abort rejects with the signal's reason. */
export interface Source {
  /** Size in bytes, where it is known. */
  readonly size: number | undefined;
  /** A name for messages: the path, or `input`. */
  readonly name: string;
  /** Where it lies, for a file; others may belong to it. */
  readonly path?: string;
  /** When it was written last, for a file, in milliseconds since 1970. */
  readonly modified?: number;
  /** Lines from the start, as often as asked. */
  lines(signal?: AbortSignal): AsyncIterable<SourceLine>;
  /** Single lines by number, in the order asked for; a line that is not there is left out. */
  pick(lines: readonly number[], signal?: AbortSignal): AsyncIterable<SourceLine>;
}

/** Options of reading. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Told bytes of the source, growing up to its size. */
  readonly onBytes?: (done: number) => void;
}

/**
 * One session format.
 *
 * **Contract:** `detect` judges by content alone (the first lines, at most
 * 64 KiB) and never throws; `read` yields `session` first, never throws for a
 * bad line (it yields `skip`), and stops soon after `signal` aborts.
 */
export interface Importer {
  readonly format: string;
  /** The signs that `detect` looks for, in words, for the error of an unknown format. */
  readonly signs: string;
  detect(head: string): boolean;
  read(source: Source, options?: ReadOptions): AsyncIterable<Step>;
}
