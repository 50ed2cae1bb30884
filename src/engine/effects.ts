import { isEngineError } from '../core/error.ts';
import type { Effect } from '../core/fact.ts';
import type { Input } from '../core/input.ts';
import { embedded } from '../core/options.ts';
import type { State } from '../core/state.ts';
import type { Summarizer } from '../llm/summarizer.ts';
import { untilAborted } from '../llm/until-aborted.ts';
import type { Clock } from './clock.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';
import { runPages } from './pages.ts';
import type { Store } from '../store/store.ts';
import { taskOf } from './task.ts';

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
  /** Resolves when `holds`, or when no work of a session can run any more; looks after each step that is durable. */
  until(live: Live, holds: () => boolean): Promise<void>;
  /** Resolves when every step asked for is durable and no work of a session can run any more. */
  settled(live: Live): Promise<void>;
  /** Stops everything; the outbox rows stay. Resolves when no file is being written any more. */
  stop(): Promise<void>;
}

interface Timer {
  readonly live: Live;
  readonly key: string;
  readonly due: number;
  readonly handle: unknown;
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
  /** Where checkpoint documents go; null for nowhere. */
  documents: string | null;
}): Effects {
  const { store, clock, options, summarizers } = around;
  const pages = runPages({
    store,
    folder: around.documents,
    tell: (live, input) => tell(live, input),
  });
  const jobs = new Map<string, Job>();
  const timers = new Map<string, Timer>();
  const waiting: Job[] = [];
  const watchers = new Set<() => void>();
  let running = 0;
  /** Of these, how many only say better what is there: one at a time, for they hurry nobody. */
  let rewriting = 0;
  let stopped = false;

  const nameOf = (live: Live, key: string): string => `${live.id} ${key}`;

  function pump(live: Live): void {
    if (stopped) return;
    pumpEffects(live);
    pumpTimers(live);
    pages.pump(live);
    next();
    for (const watcher of watchers) watcher();
  }

  function pumpEffects(live: Live): void {
    const { options: own } = live.state;
    const outbox: State['outbox'] = live.isBroken ? new Map() : live.state.outbox;
    for (const [name, job] of jobs)
      if (job.live === live && !outbox.has(job.key)) {
        job.abort.abort();
        jobs.delete(name);
      }
    if (own.summarizer === embedded || !summarizers.has(own.summarizer)) return;
    for (const [key, effect] of outbox) {
      const name = nameOf(live, key);
      if (jobs.has(name)) continue;
      const job = { live, key, effect, abort: new AbortController() };
      jobs.set(name, job);
      waiting.push(job);
      waiting.sort((one, other) => rank(one) - rank(other));
    }
  }

  function pumpTimers(live: Live): void {
    const pending: State['timers'] = live.isBroken ? new Map() : live.state.timers;
    for (const [name, timer] of timers)
      if (timer.live === live && pending.get(timer.key)?.due !== timer.due) {
        clock.clearTimeout(timer.handle);
        timers.delete(name);
      }
    for (const [key, { due }] of pending) {
      const name = nameOf(live, key);
      if (timers.has(name)) continue;
      const handle = clock.setTimeout(
        () => {
          timers.delete(name);
          void tell(live, { type: 'fire', key });
        },
        Math.max(0, due - clock.now()),
      );
      timers.set(name, { live, key, due, handle });
    }
  }

  function next(): void {
    while (running < options.concurrency) {
      const at = waiting.findIndex((job) => !isRewrite(job) || rewriting === 0);
      const [job] = at < 0 ? [] : waiting.splice(at, 1);
      if (job === undefined) return;
      if (job.abort.signal.aborted) continue;
      const rewrites = isRewrite(job) ? 1 : 0;
      running += 1;
      rewriting += rewrites;
      void run(job).finally(() => {
        running -= 1;
        rewriting -= rewrites;
        next();
      });
    }
  }

  async function run(job: Job): Promise<void> {
    const { live, key, effect, abort } = job;
    const summarizer = summarizers.get(live.state.options.summarizer);
    const timer = clock.setTimeout(
      () => abort.abort(new Error(`No answer within ${options.timeout} ms`)),
      options.timeout,
    );
    try {
      if (summarizer === undefined) throw new Error('There is no summarizer any more');
      const task = await taskOf(store, live, effect);
      abort.signal.throwIfAborted();
      const { signal } = abort;
      const given: unknown = await untilAborted(summarizer.summarize(task, { signal }), signal);
      const text = typeof given === 'string' ? given : '';
      await tell(live, { type: 'settle', key, text, by: summarizer.name });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await tell(live, { type: 'fail', key, reason, ...waitIn(error) });
    } finally {
      clock.clearTimeout(timer);
      if (jobs.get(nameOf(live, key)) === job) jobs.delete(nameOf(live, key));
      pump(live);
    }
  }

  /** Tells a session in its turn how something ended that it still waits for; one that closed meanwhile is asked again. */
  async function tell(live: Live, input: Extract<Input, { key: string }>): Promise<void> {
    const { key } = input;
    const isPending = (): boolean => isOwed(live.state, input.type, key);
    const isIdle = (): boolean => stopped || live.isBroken || !isPending();
    if (isIdle()) return;
    const step = live.inTurn(async () => {
      await exact(live);
      return isIdle() ? {} : { durable: live.step(input).durable };
    });
    await step.then(({ durable }) => durable).catch(() => refuse(live, input));
  }

  /** An answer that could not be taken in is no answer; asked again, it would be the same. */
  async function refuse(live: Live, input: Extract<Input, { key: string }>): Promise<void> {
    if (input.type !== 'settle') return;
    await tell(live, { type: 'fail', key: input.key, reason: 'Its answer could not be taken in' });
  }

  function isBusy(live: Live): boolean {
    if (stopped || live.isBroken || live.isNew) return false;
    if (live.state.timers.size > 0 || pages.isBusy(live)) return true;
    return live.state.outbox.size > 0 && summarizers.has(live.state.options.summarizer);
  }

  function until(live: Live, holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isBusy(live) && !holds()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  }

  async function settled(live: Live): Promise<void> {
    do {
      await until(live, () => false);
      await live.inTurn(() => undefined);
      await live.written;
    } while (isBusy(live));
  }

  function stop(): Promise<void> {
    stopped = true;
    for (const { abort } of jobs.values()) abort.abort();
    for (const { handle } of timers.values()) clock.clearTimeout(handle);
    for (const watcher of watchers) watcher();
    return pages.stop();
  }

  return { pump, isBusy, until, settled, stop };
}

/** Whether a state still waits for what an input with this key brings. */
function isOwed(state: State, type: Extract<Input, { key: string }>['type'], key: string): boolean {
  switch (type) {
    case 'settle':
    case 'fail':
      return state.outbox.has(key);
    case 'fire':
      return state.timers.has(key);
    case 'document.settle':
    case 'document.fail':
      return state.diary.pending.some((page) => page.key === key);
  }
}

/** The longest that a busy server is waited for, in milliseconds: after that, the deterministic summary does. */
const mostWait = 60_000;

function waitIn(error: unknown): { readonly wait?: number } {
  const asked = isEngineError(error) ? error.detail['retryAfter'] : undefined;
  const isTold = typeof asked === 'number' && asked > 0;
  return isTold ? { wait: Math.min(mostWait, asked) } : {};
}

/** What makes room goes first, what only says the same better goes last. */
const rank = (job: Job): number =>
  job.effect.purpose === 'checkpoint' ? 0 : isRewrite(job) ? 2 : 1;

const isRewrite = ({ effect }: Job): boolean => effect.checkpoint !== undefined;
