import type { Purpose } from '../core/checkpoints/compression-state.ts';
import type { Goal } from '../core/frames/goal.ts';
import type { Message } from '../core/messages/message.ts';

/** An entry as the log gives it back: the message as it came in, and what the engine knows of it. */
export type LogEntry = Message & {
  readonly id: string;
  readonly frame: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tokens: number;
};

/** What a summarizer is asked for. */
export interface SummaryTask {
  readonly purpose: Purpose;
  /**
   * What to summarize, oldest first, people's words among it: also those that came before
   * the rest and led to it. They stay word for word elsewhere.
   */
  readonly entries: readonly LogEntry[];
  /** What was written of the time before, line by line; '' for nothing. */
  readonly earlier: string;
  /** What the session is for; null if nobody said. */
  readonly goal: Goal | null;
  /** Without a goal what a person asked for first, where it is not among the entries; else ''. */
  readonly request: string;
  /** Title and criteria of the frame that the entries are of; '' for the root. */
  readonly subtask: string;
  /** At most this many tokens. */
  readonly target: number;
  /** Whether an earlier answer was refused, for it was empty, repeated itself or was made up. */
  readonly strict: boolean;
  /** What to care for most; '' if nobody said. */
  readonly focus: string;
}

/**
 * Writes summaries.
 *
 * **Contract:** resolves with lines of text, the most important first, or rejects; stops
 * soon after `signal` aborts. What is above `target` tokens (of a checkpoint, above twice as
 * many: its other lines stand in the chronicle) loses its last lines, at once and as it ages. A text that is empty, repeats itself, or mostly names what is in
 * nothing of the task is refused, and then it is asked once more, strictly. A line `CORRECT #17: …` takes the place of the line of `earlier` with
 * that number, `DONE #17: …` ends what it says is open, `DROP #17` takes it away. `name` is kept with the session and must stay the same for the same summarizer.
 */
export interface Summarizer {
  readonly name: string;
  summarize(task: SummaryTask, context: { readonly signal: AbortSignal }): Promise<string>;
}
