import { createHash } from 'node:crypto';
import type { Assembly } from '../core/assembly.ts';
import { fail } from '../core/error.ts';
import { newGoal, type Goal, type GoalPatch } from '../core/goal.ts';
import { frameId, toFrameId } from '../core/id.ts';
import type { Fact, Input, Tools } from '../core/journal.ts';
import type { Message } from '../core/message.ts';
import { frameOf, toNode, type FrameNode } from '../core/tree.ts';
import { where, type Place } from '../core/where.ts';
import type { LogEntry } from '../llm/summarizer.ts';
import type { Store } from '../store/store.ts';
import { appendMessages, type AppendOptions } from './append-step.ts';
import { configure, type SessionOptions } from './configure.ts';
import { exact } from './count.ts';
import type { Effects } from './effects.ts';
import { follow } from './feed.ts';
import { sessionClosed, type Live, type SessionFact } from './live.ts';
import { readEntry, readLog } from './log.ts';
import { toSessionState, type SessionState } from './state.ts';
import { until } from './until.ts';

/** What a tool looks like to a model; anything JSON goes. */
export type ToolSchema = unknown;

/** What a frame is for, as it comes in. */
export interface FrameGiven {
  /** Two to five words, at most 30 tokens. */
  readonly title: string;
  /** What defines done, in verifiable terms. */
  readonly criteria?: string;
  /** The dense form of the criteria; made from them unless told. */
  readonly brief?: string;
}

/** How a frame is left. */
export interface PopGiven {
  /** A blocked frame to close as failed; the active one unless told. */
  readonly frame?: string;
  readonly status: 'completed' | 'failed' | 'blocked';
  /** What was accomplished; harvested from the frame's log unless told. */
  readonly results?: string;
  /** The dense form of the results; made from them unless told. */
  readonly brief?: string;
  readonly artifacts?: readonly string[];
  readonly decisions?: readonly string[];
  /** Whether planned and blocked children may be dropped; false unless told. */
  readonly drop?: boolean;
}

/** Which part of the log to read. */
export interface LogOptions {
  readonly frame?: string;
  /** Entries after this id. */
  readonly after?: string;
  /** Entries before this id. */
  readonly before?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** How an abstract command is kept beside its input. */
export interface CommandOptions {
  /** The same key twice does it once. */
  readonly key?: string;
}

/** One agent's life in one store. Every promise of a change resolves when it is durable. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly state: SessionState;
  append(message: Message, options?: AppendOptions): Promise<{ id: string }>;
  append(messages: readonly Message[], options?: AppendOptions): Promise<{ ids: string[] }>;
  /** What to send to the model, guaranteed to fit; rejects with `CONTEXT_OVERFLOW` where nothing more can shrink. */
  assemble(options?: { tools?: readonly ToolSchema[]; signal?: AbortSignal }): Promise<Assembly>;
  push(frame: FrameGiven, options?: CommandOptions): Promise<{ id: string }>;
  pop(results: PopGiven, options?: CommandOptions): Promise<{ id: string }>;
  readonly frames: {
    plan(
      frame: FrameGiven & { parent?: string },
      options?: CommandOptions,
    ): Promise<{ id: string }>;
    start(frame: string, options?: CommandOptions): Promise<void>;
    edit(frame: string, identity: Partial<FrameGiven>): Promise<void>;
    invalidate(
      frame: string,
      reason?: string | { reason?: string },
      options?: CommandOptions,
    ): Promise<void>;
    retry(frame: string): Promise<{ id: string }>;
    tree(): FrameNode;
  };
  readonly goal: {
    set(
      goal: string | (Partial<Goal> & { description: string }),
      options?: CommandOptions,
    ): Promise<void>;
    update(patch: GoalPatch): Promise<void>;
    pause(): Promise<void>;
    resume(): Promise<void>;
    complete(): Promise<void>;
  };
  /** Everything that was said, byte for byte. */
  log(options?: LogOptions): AsyncIterable<LogEntry>;
  /** One entry, byte for byte; rejects with `ENTRY_NOT_FOUND`. */
  entry(id: string): Promise<LogEntry>;
  /** Where an entry is, seen from the assembly; throws `ENTRY_NOT_FOUND`. */
  where(id: string): Place;
  configure(options: SessionOptions): Promise<void>;
  /** Compresses the active frame now, due or not. */
  compress(options?: { focus?: string; signal?: AbortSignal }): Promise<void>;
  /** Hears facts of one type, or all, once durable; gives back what ends that. */
  on<Type extends Fact['type']>(
    type: Type,
    listener: (fact: Extract<SessionFact, { type: Type }>) => void,
  ): () => void;
  on(type: '*', listener: (fact: SessionFact) => void): () => void;
  /** All facts after a sequence number, then those to come. */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<SessionFact>;
  /** Resolves when every step is durable and no summarizer owes anything. */
  settled(): Promise<void>;
  /** Closes this handle; what it asked for goes on. */
  close(): Promise<void>;
}

/** What a handle needs beside the live session. */
export interface HandleContext {
  readonly store: Store;
  readonly effects: Effects;
  readonly timeout: number;
  readonly clock: {
    setTimeout(run: () => void, ms: number): unknown;
    clearTimeout(timer: unknown): void;
  };
  /** Takes a summarizer in and gives its name. */
  readonly adopt: (options: SessionOptions) => SessionOptions;
  /** Throws where the store is closed. */
  readonly check: () => void;
  /** Aborts when the store is closed. */
  readonly ended: AbortSignal;
  readonly release: () => void;
}

/** A handle on a live session. */
export function toSession(live: Live, context: HandleContext): Session {
  const closing = new AbortController();
  const ended = AbortSignal.any([context.ended, closing.signal]);
  const check = (): void => {
    if (closing.signal.aborted) throw sessionClosed(live.id);
    context.check();
  };

  /** Runs a command that needs exact counts, once per key. */
  async function command<T>(
    input: Input,
    answer: (facts: readonly Fact[]) => T,
    options: CommandOptions = {},
  ): Promise<T> {
    check();
    const { key } = options;
    const plain = JSON.parse(JSON.stringify(input)) as Input;
    const result = await live.enqueue(async () => {
      if (key !== undefined) {
        const before = await live.answered(key);
        if (before !== undefined) return { value: before as T, durable: live.written };
      }
      await exact(live);
      const keys = (facts: readonly Fact[]) => [[key!, answer(facts) ?? null] as const];
      const { decision, durable } = live.step(plain, key === undefined ? {} : { keys });
      return { value: answer(decision.facts), durable };
    });
    await result.durable;
    return result.value;
  }

  const created = (facts: readonly Fact[]): { id: string } => ({ id: frameIn(facts) });
  const done = (): void => undefined;
  const goalStatus = (status: Goal['status']): Promise<void> =>
    command({ type: 'goal.status', status }, done);

  const session: Session = {
    id: live.id,
    get state() {
      return toSessionState(live);
    },
    append: (async (given: Message | readonly Message[], options: AppendOptions = {}) => {
      check();
      return appendMessages(live, given, options);
    }) as Session['append'],
    async assemble({ tools = [], signal } = {}) {
      check();
      signal?.throwIfAborted();
      return assemble(live, { ...context, tools, signal });
    },
    push: async (frame, options) =>
      command({ type: 'push', identity: toIdentity(frame) }, created, options),
    pop: async (given, options) =>
      command(
        {
          type: 'pop',
          frame: given.frame ?? null,
          status: checkStatus(given.status),
          results: given.results ?? null,
          brief: given.brief ?? null,
          artifacts: given.artifacts ?? [],
          decisions: given.decisions ?? [],
          drop: given.drop ?? false,
        },
        created,
        options,
      ),
    frames: {
      plan: async (frame, options) =>
        command(
          { type: 'plan', identity: toIdentity(frame), parent: frame.parent ?? null },
          created,
          options,
        ),
      start: (frame, options) => command({ type: 'start', frame }, done, options),
      edit: (frame, identity) => command({ type: 'edit', frame, identity }, done),
      invalidate: (frame, reason = '', options = {}) =>
        command(
          {
            type: 'invalidate',
            frame,
            reason: typeof reason === 'string' ? reason : (reason.reason ?? ''),
          },
          done,
          options,
        ),
      retry: (frame) => command({ type: 'retry', frame }, created),
      tree() {
        check();
        return toNode(live.state.frames, frameId(0), live.state.active);
      },
    },
    goal: {
      set: (goal, options) =>
        command(
          {
            type: 'goal',
            goal:
              typeof goal === 'string' ? newGoal(goal) : { ...newGoal(goal.description), ...goal },
          },
          done,
          options,
        ),
      update: (patch) => command({ type: 'goal.update', patch }, done),
      pause: () => goalStatus('paused'),
      resume: () => goalStatus('active'),
      complete: () => goalStatus('completed'),
    },
    log(options = {}) {
      check();
      const { frame, after, before, reverse, limit, signal } = options;
      return readLog(context.store, live.id, {
        after: after === undefined ? undefined : position(after),
        before: before === undefined ? undefined : position(before),
        reverse,
        limit,
        signal,
        frame: frame === undefined ? undefined : frameOf(live.state.frames, toFrameId(frame)),
      });
    },
    async entry(id) {
      check();
      return readEntry(context.store, live.id, id);
    },
    where(id) {
      check();
      return where(live.state, id);
    },
    async configure(options) {
      check();
      await configure(live, context.adopt(options));
    },
    async compress({ focus = '', signal } = {}) {
      signal?.throwIfAborted();
      await until(command({ type: 'compress', focus }, done), signal);
      await until(context.effects.settled(live), signal);
    },
    on: (type: string, listener: (fact: SessionFact) => void) => {
      check();
      return live.listen((fact) => {
        if (type === '*' || fact.type === type) listener(fact);
      });
    },
    events({ after = 0, signal } = {}) {
      check();
      return follow(context.store, live, { after, signal, ended });
    },
    async settled() {
      check();
      await context.effects.settled(live);
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await live.inTurn(() => undefined);
      await live.written.finally(context.release);
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
  return session;
}

async function assemble(
  live: Live,
  given: HandleContext & { tools: readonly ToolSchema[]; signal: AbortSignal | undefined },
): Promise<Assembly> {
  const tools = await toTools(live, given.tools);
  const ready = await live.enqueue(() => (live.isReady(tools) ? live.assembly() : null));
  if (ready !== null) return ready;
  await patience(live, tools, given);
  const { assembly, durable } = await live.enqueue(async () => {
    if (live.isReady(tools)) return { assembly: live.assembly(), durable: live.written };
    await exact(live);
    const { durable } = live.step({ type: 'fit', tools, hurry: true });
    return { assembly: live.assembly(), durable };
  });
  await durable;
  return assembly;
}

/** Waits for the compression that may make the assembly fit, as long as an effect may take. */
async function patience(
  live: Live,
  tools: Tools,
  given: HandleContext & { signal: AbortSignal | undefined },
): Promise<void> {
  const { effects, clock, timeout, signal } = given;
  const isOver = (): boolean =>
    live.fitsWith(tools) || live.state.views.get(live.state.active)?.compression == null;
  if (isOver() || !effects.isBusy(live)) return;
  let timer: unknown;
  const waited = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, timeout);
  });
  await until(Promise.race([effects.until(live, isOver), waited]), signal).finally(() =>
    clock.clearTimeout(timer),
  );
}

async function toTools(live: Live, schemas: readonly ToolSchema[]): Promise<Tools> {
  if (schemas.length === 0) return { digest: '', tokens: 0 };
  const text = JSON.stringify(schemas);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  if (live.state.tools.digest === digest) return live.state.tools;
  return { digest, tokens: (await live.counter()).count(text) };
}

function toIdentity(frame: FrameGiven) {
  if (typeof frame.title !== 'string') throw new TypeError('A frame needs a title, a text');
  return { title: frame.title, criteria: frame.criteria ?? '', brief: frame.brief ?? '' };
}

function checkStatus(status: PopGiven['status']): PopGiven['status'] {
  if (['completed', 'failed', 'blocked'].includes(status)) return status;
  throw fail(
    'OPTION_INVALID',
    `A frame is popped as completed, failed or blocked, not ${JSON.stringify(status)}`,
    {
      option: 'status',
      value: status,
    },
  );
}

/** The frame that a command made or left. */
function frameIn(facts: readonly Fact[]): string {
  const types = ['frame.pushed', 'frame.planned', 'frame.popped', 'frame.retried'];
  const fact = facts.find(({ type }) => types.includes(type)) as { frame: string } | undefined;
  return fact?.frame ?? '';
}

function position(id: string): number {
  return Number(/^e(\d+)$/.exec(id)?.[1] ?? 0);
}
