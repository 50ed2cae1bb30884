import type { Clock } from '../engine/live/clock.ts';
import type { Summarizer, SummaryTask } from '../llm/summarizer.ts';

/** What a scripted summarizer does with one call. */
export type Behavior =
  /** Answers, after so many milliseconds of its clock; at once unless told. */
  | { readonly say: string | ((task: SummaryTask) => unknown); readonly after?: number }
  /** Rejects. */
  | { readonly fail: string; readonly after?: number }
  /** Waits for `answer` or `refuse` of the call. */
  | { readonly hold: true };

/** One call of a scripted summarizer. */
export interface ScriptedCall {
  readonly task: SummaryTask;
  /** Milliseconds of its clock when it began. */
  readonly at: number;
  /** Whether the engine gave up waiting for it. */
  readonly aborted: boolean;
  /** Whether it answered or rejected. */
  readonly ended: boolean;
  /** Answers now, even one that was aborted. */
  answer(text: unknown): void;
  /** Rejects now. */
  refuse(reason: string): void;
}

/** A summarizer for tests, and what became of its calls. */
export interface ScriptedSummarizer extends Summarizer {
  readonly calls: readonly ScriptedCall[];
  /** Calls under way that were not aborted. */
  readonly running: number;
  /** Most calls that were ever under way at once. */
  readonly most: number;
}

/** How a scripted summarizer is set up. */
export interface ScriptedOptions {
  /** `scripted` unless told. */
  readonly name?: string;
  /** Whose time `after` is; needed where it is used. */
  readonly clock?: Clock;
  /** Whether calls go on when they are aborted; false unless told. */
  readonly deaf?: boolean;
}

interface RunningTask {
  readonly task: SummaryTask;
  readonly at: number;
  aborted: boolean;
  ended: boolean;
  answer(text: unknown): void;
  refuse(reason: string): void;
}

/**
 * A summarizer that does with its calls, in their order, what `script` says; the
 * last behavior goes on for ever. Without a script it answers with {@link honest}.
 */
export function scriptedSummarizer(
  script: readonly Behavior[] = [],
  options: ScriptedOptions = {},
): ScriptedSummarizer {
  const { name = 'scripted', clock, deaf = false } = options;
  const calls: RunningTask[] = [];
  let most = 0;
  const running = (): number => calls.filter(({ ended, aborted }) => !ended && !aborted).length;

  function begin(task: SummaryTask, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const call: RunningTask = {
        task,
        at: clock?.now() ?? 0,
        aborted: false,
        ended: false,
        answer(text) {
          call.ended = true;
          resolve(text as string);
        },
        refuse(reason) {
          call.ended = true;
          reject(new Error(reason));
        },
      };
      signal.addEventListener('abort', () => {
        call.aborted = true;
        if (!deaf) reject(signal.reason as Error);
      });
      calls.push(call);
      most = Math.max(most, running());
      follow(call, script[Math.min(calls.length, script.length) - 1] ?? { say: honest });
    });
  }

  function follow(call: RunningTask, behavior: Behavior): void {
    if ('hold' in behavior) return;
    const act = (): void => {
      if ('fail' in behavior) call.refuse(behavior.fail);
      else call.answer(typeof behavior.say === 'string' ? behavior.say : behavior.say(call.task));
    };
    if (behavior.after === undefined) act();
    else if (clock === undefined) throw new TypeError('A behavior with `after` needs a clock');
    else clock.setTimeout(act, behavior.after);
  }

  return {
    name,
    calls,
    get running() {
      return running();
    },
    get most() {
      return most;
    },
    summarize: (task, { signal }) => begin(task, signal),
  };
}

/** A short summary that no check refuses: what it stands for, and of how much. */
export function honest(task: SummaryTask): string {
  const [first, last] = [task.entries[0]?.id, task.entries.at(-1)?.id];
  return `${task.purpose} over ${task.entries.length} entries, ${first} to ${last}`;
}
