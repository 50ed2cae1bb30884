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
  readonly entries: readonly LogEntry[];
  /** Earlier text to build on or to shorten. */
  readonly text?: string;
  /** What the session is for; null if nobody said. */
  readonly goal: Goal | null;
  /** At most this many tokens. */
  readonly target: number;
  /** Whether an earlier answer was refused: nothing but the summary, and shorter. */
  readonly strict: boolean;
  /** What to care for most; '' if nobody said. */
  readonly focus: string;
}

/**
 * Writes summaries.
 *
 * **Contract:** resolves with a text of at most `target` tokens, or rejects;
 * stops soon after `signal` aborts. Any text may be refused: empty, repeating
 * or too long ones are, and then it is asked once more, strictly. `name` is
 * kept with the session and must stay the same for the same summarizer.
 */
export interface Summarizer {
  readonly name: string;
  summarize(task: SummaryTask, context: { readonly signal: AbortSignal }): Promise<string>;
}
