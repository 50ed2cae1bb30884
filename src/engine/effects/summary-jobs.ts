import { embedded } from '../../core/budget/options.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import type { Effect } from '../../core/state/effect.ts';
import type { State } from '../../core/state/state.ts';
import { isEngineError } from '../../core/values/error.ts';
import { ordinal } from '../../core/values/id.ts';
import type { LogEntry, Summarizer, SummaryTask } from '../../llm/summarizer.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import { textKey } from '../../store/key.ts';
import { readLog } from '../journal/read-log.ts';
import type { Clock } from '../live/clock.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { SessionReader } from '../live/session-access.ts';
import type { EndEffect } from './effect-end.ts';
import { newJobQueue, type Job } from './job-queue.ts';

/** The summaries that the live sessions of a store ask for. */
interface SummaryJobs {
  /** Starts those that a session newly asks for, and stops those that it no longer asks for. */
  pump(live: LiveSession): void;
  /** Stops all. */
  stop(): void;
}

interface JobDependencies {
  readonly clock: Clock;
  readonly options: { readonly concurrency: number; readonly timeout: number };
  readonly summarizers: ReadonlyMap<string, Summarizer>;
  readonly endEffect: EndEffect;
  /** Called when a job is over. */
  readonly onOver: (live: LiveSession) => void;
}

/** Summary jobs, none of them running yet. */
export function newSummaryJobs(dependencies: JobDependencies): SummaryJobs {
  const { summarizers, options, onOver } = dependencies;
  const jobs = new Map<string, Job>();
  const queue = newJobQueue(options.concurrency, async (job) => {
    await run(job, dependencies);
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

/** Asks for one summary, and takes into the session how that ended. */
async function run(
  { live, key, effect, abort }: Job,
  dependencies: JobDependencies,
): Promise<void> {
  const { clock, options, summarizers, endEffect } = dependencies;
  const { signal } = abort;
  const summarizer = summarizers.get(live.state.options.summarizer);
  const timer = clock.setTimeout(
    () => abort.abort(new Error(`No answer within ${options.timeout} ms`)),
    options.timeout,
  );
  try {
    if (summarizer === undefined) throw new Error('There is no summarizer any more');
    const task = await taskOf(live, effect);
    signal.throwIfAborted();
    const answer: unknown = await untilAborted(summarizer.summarize(task, { signal }), signal);
    const text = typeof answer === 'string' ? answer : '';
    await endEffect(live, { type: 'settle', key, text, by: summarizer.name });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await endEffect(live, { type: 'fail', key, reason, ...waitIn(error) });
  } finally {
    clock.clearTimeout(timer);
  }
}

/** The longest that a busy server is waited for, in milliseconds; after that, the deterministic summary serves. */
const mostWait = 60_000;

/** How long a server asked to be left alone, where an error says so. */
function waitIn(error: unknown): { readonly wait?: number } {
  const asked = isEngineError(error) ? error.detail['retryAfter'] : undefined;
  const isTold = typeof asked === 'number' && asked > 0;
  return isTold ? { wait: Math.min(mostWait, asked) } : {};
}

/** What a summarizer is given for an effect: texts to shorten, or entries of the log to summarize. */
async function taskOf(session: SessionReader, effect: Effect): Promise<SummaryTask> {
  const { purpose, target, strict, focus, texts } = effect;
  const task = { purpose, goal: session.state.goal, target, strict, focus };
  if (texts === undefined) return { ...task, entries: await entriesOf(session, effect) };
  const keys = texts.map((id) => textKey(session.id, ordinal(id)));
  return { ...task, entries: [], text: (await session.store.getMany('text', keys)).join('\n\n') };
}

async function entriesOf({ id, state, store }: SessionReader, effect: Effect): Promise<LogEntry[]> {
  const range = { after: ordinal(effect.from) - 1, before: ordinal(effect.to) + 1 };
  const within = spansOf(state.runs, frameOf(state.frames, effect.frame));
  const entries: LogEntry[] = [];
  for await (const entry of readLog(store, id, { ...range, within })) entries.push(entry);
  return entries;
}
