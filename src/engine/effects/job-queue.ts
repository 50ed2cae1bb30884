import type { Effect } from '../../core/state/effect.ts';
import type { LiveSession } from '../live/live-session.ts';

/** A summary that a session asked for. */
export interface Job {
  readonly live: LiveSession;
  readonly key: string;
  readonly effect: Effect;
  readonly abort: AbortController;
}

/** Jobs that wait until fewer run. */
interface JobQueue {
  /** Takes jobs in, and starts as many as may run now. */
  add(jobs: readonly Job[]): void;
}

/** A queue that runs `concurrency` jobs at once, at most one of them a rewrite; `run` must not reject. */
export function newJobQueue(concurrency: number, run: (job: Job) => Promise<void>): JobQueue {
  const waiting: Job[] = [];
  let running = 0;
  let rewriting = 0;

  function startNext(): void {
    while (running < concurrency) {
      const at = waiting.findIndex((job) => !isRewrite(job) || rewriting === 0);
      const [job] = at < 0 ? [] : waiting.splice(at, 1);
      if (job === undefined) return;
      if (!job.abort.signal.aborted) start(job);
    }
  }

  function start(job: Job): void {
    const rewrites = isRewrite(job) ? 1 : 0;
    running += 1;
    rewriting += rewrites;
    void run(job).finally(() => {
      running -= 1;
      rewriting -= rewrites;
      startNext();
    });
  }

  return {
    add(jobs) {
      waiting.push(...jobs);
      waiting.sort((one, other) => rank(one) - rank(other));
      startNext();
    },
  };
}

/** Summaries that make room go first; rewrites, which nobody waits for, last. */
const rank = (job: Job): number =>
  job.effect.purpose === 'checkpoint' ? 0 : isRewrite(job) ? 2 : 1;

/** Whether a job only words a checkpoint better that is there. */
const isRewrite = ({ effect }: Job): boolean => effect.checkpoint !== undefined;
