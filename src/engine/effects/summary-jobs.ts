import { isEngineError } from '../../core/values/error.ts';
import { embedded } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';
import type { Summarizer, LogEntry, SummaryTask } from '../../llm/summarizer.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Clock } from '../live/clock.ts';
import type { EndEffect } from './effect-end.ts';
import { newJobQueue, type Job } from './job-queue.ts';
import type { LiveSession } from '../live/live-session.ts';
import { ordinal } from '../../core/values/id.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { textKey } from '../../store/key.ts';
import { readLog } from '../journal/read-log.ts';
import type { Effect } from '../../core/state/effect.ts';

/** What has the summaries written that the live sessions of a store ask for. */
export interface Jobs {
  /** Starts what a session newly asks for, and stops what it asks for no more. */
  pump(live: LiveSession): void;
  /** Stops all. */
  stop(): void;
}

/** What jobs need. */
interface JobDependencies {
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly options: { readonly concurrency: number; readonly timeout: number };
  readonly summarizers: ReadonlyMap<string, Summarizer>;
  readonly tell: EndEffect;
  /** Called when a job is over. */
  readonly onOver: (live: LiveSession) => void;
}

/** A runner of jobs. */
export function runJobs(around: JobDependencies): Jobs {
  const { summarizers, options, onOver } = around;
  const jobs = new Map<string, Job>();
  const queue = newJobQueue(options.concurrency, async (job) => {
    await run(job, around);
    const name = nameOf(job.live, job.key);
    if (jobs.get(name) === job) jobs.delete(name);
    onOver(job.live);
  });

  return {
    pump(live) {
      const outbox: State['outbox'] = live.isBroken ? new Map() : live.state.outbox;
      for (const [name, job] of jobs)
        if (job.live === live && !outbox.has(job.key)) {
          job.abort.abort();
          jobs.delete(name);
        }
      const { summarizer } = live.state.options;
      if (summarizer === embedded || !summarizers.has(summarizer)) return;
      const fresh = [...outbox]
        .filter(([key]) => !jobs.has(nameOf(live, key)))
        .map(([key, effect]): Job => ({ live, key, effect, abort: new AbortController() }));
      for (const job of fresh) jobs.set(nameOf(live, job.key), job);
      queue.add(fresh);
    },
    stop() {
      for (const { abort } of jobs.values()) abort.abort();
    },
  };
}

const nameOf = (live: LiveSession, key: string): string => `${live.id} ${key}`;

/** Asks for one summary, and tells the session how that ended. */
async function run({ live, key, effect, abort }: Job, around: JobDependencies): Promise<void> {
  const { store, clock, options, summarizers, tell } = around;
  const { signal } = abort;
  const summarizer = summarizers.get(live.state.options.summarizer);
  const timer = clock.setTimeout(
    () => abort.abort(new Error(`No answer within ${options.timeout} ms`)),
    options.timeout,
  );
  try {
    if (summarizer === undefined) throw new Error('There is no summarizer any more');
    const task = await taskOf(store, live, effect);
    signal.throwIfAborted();
    const given: unknown = await untilAborted(summarizer.summarize(task, { signal }), signal);
    const text = typeof given === 'string' ? given : '';
    await tell(live, { type: 'settle', key, text, by: summarizer.name });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await tell(live, { type: 'fail', key, reason, ...waitIn(error) });
  } finally {
    clock.clearTimeout(timer);
  }
}

/** The longest that a busy server is waited for, in milliseconds: after that, the deterministic summary does. */
const mostWait = 60_000;

function waitIn(error: unknown): { readonly wait?: number } {
  const asked = isEngineError(error) ? error.detail['retryAfter'] : undefined;
  const isTold = typeof asked === 'number' && asked > 0;
  return isTold ? { wait: Math.min(mostWait, asked) } : {};
}

/** What a summarizer is given for an effect: texts to shorten, or the entries of the log to summarize. */
export async function taskOf(
  store: RecordStore,
  live: LiveSession,
  effect: Effect,
): Promise<SummaryTask> {
  const { purpose, target, strict, focus, texts } = effect;
  const task = { purpose, goal: live.state.goal, target, strict, focus };
  if (texts === undefined) return { ...task, entries: await entriesOf(store, live, effect) };
  const keys = texts.map((id) => textKey(live.id, ordinal(id)));
  return { ...task, entries: [], text: (await store.getMany('text', keys)).join('\n\n') };
}

async function entriesOf(
  store: RecordStore,
  live: LiveSession,
  effect: Effect,
): Promise<LogEntry[]> {
  const frame = frameOf(live.state.frames, effect.frame);
  const entries: LogEntry[] = [];
  const range = { after: ordinal(effect.from) - 1, before: ordinal(effect.to) + 1 };
  const within = spansOf(live.state.runs, frame);
  for await (const entry of readLog(store, live.id, { ...range, within })) entries.push(entry);
  return entries;
}
