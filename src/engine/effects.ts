import { ordinal } from '../core/id.ts';
import type { Effect } from '../core/journal.ts';
import { embedded } from '../core/options.ts';
import { frameOf } from '../core/tree.ts';
import type { LogEntry, Summarizer } from '../llm/summarizer.ts';
import type { Clock } from './clock.ts';
import type { Live } from './live.ts';
import { readLog } from './log.ts';
import type { Store } from '../store/store.ts';

// Effects run only after the batch that asked for them is durable, and their
// results come back as inputs. A crash between leaves the outbox row, and the
// effect runs again: at least once; a result is recorded at most once, because
// its key is gone afterwards.

/** How effects are run. */
export interface EffectOptions {
  /** How many run at once in a store. */
  readonly concurrency: number;
  /** How long one may take, in milliseconds. */
  readonly timeout: number;
}

/** What runs the effects of all live sessions of a store. */
export interface Effects {
  /** Looks at the pending work of a session: starts what is new, stops what is over. */
  pump(live: Live): void;
  /** Whether work of a session runs, or can run as things are. */
  isBusy(live: Live): boolean;
  /** Resolves when no work of a session can run any more. */
  settled(live: Live): Promise<void>;
  /** Stops everything; the outbox rows stay. */
  stop(): void;
}

interface Job {
  readonly live: Live;
  readonly key: string;
  readonly effect: Effect;
  readonly abort: AbortController;
}

/** An effect runner over a store. */
export function runEffects(around: {
  store: Store;
  clock: Clock;
  options: EffectOptions;
  summarizers: ReadonlyMap<string, Summarizer>;
}): Effects {
  const { store, clock, options, summarizers } = around;
  const jobs = new Map<string, Job>();
  const timers = new Map<string, unknown>();
  const waiting: Job[] = [];
  const watchers = new Set<() => void>();
  let running = 0;
  let stopped = false;

  const nameOf = (live: Live, key: string): string => `${live.id} ${key}`;

  function pump(live: Live): void {
    if (stopped) return;
    const { outbox, timers: due, options: own } = live.state;
    for (const [name, job] of jobs)
      if (job.live === live && !outbox.has(job.key)) {
        job.abort.abort();
        jobs.delete(name);
      }
    if (own.summarizer !== embedded && summarizers.has(own.summarizer))
      for (const [key, effect] of outbox) {
        const name = nameOf(live, key);
        if (jobs.has(name)) continue;
        const job = { live, key, effect, abort: new AbortController() };
        jobs.set(name, job);
        waiting.push(job);
      }
    for (const [key, timer] of due) {
      const name = nameOf(live, `${key} ${timer.due}`);
      if (timers.has(name)) continue;
      const wait = Math.max(0, timer.due - clock.now());
      timers.set(
        name,
        clock.setTimeout(() => fire(live, key, name), wait),
      );
    }
    next();
    for (const watcher of watchers) watcher();
  }

  function fire(live: Live, key: string, name: string): void {
    timers.delete(name);
    if (!stopped) void tell(live, () => live.step({ type: 'fire', key }).durable);
  }

  function next(): void {
    while (running < options.concurrency) {
      const job = waiting.shift();
      if (job === undefined) return;
      if (job.abort.signal.aborted) continue;
      running += 1;
      void run(job).finally(() => {
        running -= 1;
        next();
      });
    }
  }

  async function run(job: Job): Promise<void> {
    const { live, key, abort } = job;
    const summarizer = summarizers.get(live.state.options.summarizer)!;
    const timer = clock.setTimeout(
      () => abort.abort(new Error(`No answer within ${options.timeout} ms`)),
      options.timeout,
    );
    try {
      const text = await race(summarize(job, summarizer), abort.signal);
      await tell(
        live,
        () => live.step({ type: 'settle', key, text: String(text), by: summarizer.name }).durable,
      );
    } catch (error) {
      if (stopped || !live.state.outbox.has(key)) return;
      const reason = error instanceof Error ? error.message : String(error);
      await tell(live, () => live.step({ type: 'fail', key, reason }).durable);
    } finally {
      clock.clearTimeout(timer);
      jobs.delete(nameOf(live, key));
      if (!stopped) pump(live);
    }
  }

  async function summarize(job: Job, summarizer: Summarizer): Promise<string> {
    const { live, effect, abort } = job;
    const frame = frameOf(live.state.frames, effect.frame);
    const entries: LogEntry[] = [];
    const range = { after: ordinal(effect.from) - 1, before: ordinal(effect.to) + 1 };
    for await (const entry of readLog(store, live.id, { ...range, frame })) entries.push(entry);
    const { purpose, target, strict, focus } = effect;
    const { goal } = live.state;
    return summarizer.summarize(
      { purpose, entries, goal, target, strict, focus },
      { signal: abort.signal },
    );
  }

  /** Tells a session something in its turn; a session that closed meanwhile hears it when it is opened again. */
  async function tell(live: Live, step: () => Promise<void>): Promise<void> {
    if (stopped) return;
    await live.enqueue(() => (stopped ? undefined : step())).catch(() => undefined);
  }

  function isBusy(live: Live): boolean {
    if (stopped) return false;
    if (live.queued > 0 || live.state.timers.size > 0) return true;
    return live.state.outbox.size > 0 && summarizers.has(live.state.options.summarizer);
  }

  async function settled(live: Live): Promise<void> {
    await live.enqueue(() => undefined);
    await live.written;
    while (isBusy(live)) {
      await new Promise<void>((resolve) => {
        const watcher = (): void => {
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        if (!isBusy(live)) watcher();
      });
      await live.enqueue(() => undefined);
      await live.written;
    }
  }

  function stop(): void {
    stopped = true;
    for (const { abort } of jobs.values()) abort.abort();
    for (const timer of timers.values()) clock.clearTimeout(timer);
    for (const watcher of watchers) watcher();
  }

  return { pump, isBusy, settled, stop };
}

/** The result of `work`, or a rejection as soon as `signal` aborts. */
function race<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
