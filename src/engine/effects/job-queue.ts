import type { LiveSession } from '../live/live-session.ts';
import type { Effect } from '../../core/state/effect.ts';

/** A summary that a session asked for. */
export interface Job {
  readonly live: LiveSession;
  readonly key: string;
  readonly effect: Effect;
  readonly abort: AbortController;
}

/** Jobs that wait until fewer run. */
export interface JobQueue {
  /** Takes jobs in, and starts as many as may run now. */
  add(jobs: readonly Job[]): void;
}

/** A queue that runs so many at once; `run` must not reject. */
export function newJobQueue(concurrency: number, run: (job: Job) => Promise<void>): JobQueue {
  const waiting: Job[] = [];
  let running = 0;
  /** Of these, how many only say better what is there: one at a time, for they hurry nobody. */
  let rewriting = 0;

  function next(): void {
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
      next();
    });
  }

  return {
    add(jobs) {
      waiting.push(...jobs);
      waiting.sort((one, other) => rank(one) - rank(other));
      next();
    },
  };
}

/** What makes room goes first, what only says the same better goes last. */
const rank = (job: Job): number =>
  job.effect.purpose === 'checkpoint' ? 0 : isRewrite(job) ? 2 : 1;

const isRewrite = ({ effect }: Job): boolean => effect.checkpoint !== undefined;
