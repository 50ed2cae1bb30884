import { checkpointAt } from '../core/checkpoint-in-view.ts';
import { printDocument } from '../core/document.ts';
import { ordinal, toEntryId, toFrameId } from '../core/id.ts';
import type { Message } from '../core/message.ts';
import { checkNames } from '../core/options.ts';
import { stretchesOf } from '../core/run.ts';
import { frameOf } from '../core/tree.ts';
import { where } from '../core/where.ts';
import { untilAborted } from '../llm/until-aborted.ts';
import type { Store } from '../store/store.ts';
import { appendMessages, type AppendOptions } from './append-step.ts';
import { assembleNow, checkTools } from './assemble-step.ts';
import { differenceOf, viewAt } from './at.ts';
import type { Clock } from './clock.ts';
import { checkStatus, created, done, runCommand, toIdentity, type Command } from './command.ts';
import { checkOptions, configure, type SessionOptions } from './configure.ts';
import type { Effects } from './effects.ts';
import { expand } from './expand.ts';
import { exportLines } from './export.ts';
import { follow } from './feed.ts';
import type { SessionFact } from './listeners.ts';
import { sessionClosed, type Live } from './live.ts';
import { readEntry, readLog } from './log.ts';
import { raiseStep } from './raise-step.ts';
import { recallIn, traceIn } from './recall-session.ts';
import { recoverFrom } from './recover-from.ts';
import { toConfirmation } from './recovery-state.ts';
import { report } from './report.ts';
import { goBack, toSnapshots } from './restore-step.ts';
import type { Searches } from './searches.ts';
import { toFrames } from './session-frames.ts';
import { toGoal } from './session-goal.ts';
import type { Session } from './session.ts';
import { toSessionState } from './state.ts';
import { sync } from './sync.ts';
import { sessionTools } from './tools.ts';
import { writeDocument } from './write-document.ts';

/** What a handle needs beside the live session. */
export interface HandleContext {
  readonly store: Store;
  readonly effects: Effects;
  readonly searches: Searches;
  readonly timeout: number;
  /** Where checkpoint documents go; null for nowhere. */
  readonly documents: string | null;
  readonly clock: Clock;
  /** Throws where the summarizer cannot be had. */
  readonly vet: (options: SessionOptions) => void;
  /** Takes a summarizer in. */
  readonly adopt: (options: SessionOptions) => void;
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

  const command: Command = async (input, answer, options) => {
    check();
    return runCommand(live, { input, answer, key: options?.key });
  };

  const session: Session = {
    id: live.id,
    get state() {
      return toSessionState(live.state);
    },
    append: (async (given: Message | readonly Message[], options: AppendOptions = {}) => {
      check();
      return appendMessages(live, given, options);
    }) as Session['append'],
    async assemble(options = {}) {
      check();
      checkNames(options, ['tools', 'signal']);
      const { tools = [], signal } = options;
      checkTools(tools);
      signal?.throwIfAborted();
      return assembleNow(live, { ...context, tools, signal });
    },
    async document() {
      check();
      return printDocument(live.document(context.clock.now()));
    },
    async writeDocument() {
      check();
      return writeDocument(live, context);
    },
    breadcrumbs(checkpoint) {
      check();
      return live.breadcrumbs(
        checkpoint === undefined ? undefined : checkpointAt(live.state, checkpoint).checkpoint,
      );
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
    frames: toFrames(live, { check, command }),
    goal: toGoal(command),
    log(options = {}) {
      check();
      const { frame, after, before, reverse, limit, signal } = options;
      return readLog(context.store, live.id, {
        after: after === undefined ? undefined : ordinal(toEntryId(after)),
        before: before === undefined ? undefined : ordinal(toEntryId(before)),
        reverse,
        limit,
        signal,
        within: frame === undefined ? undefined : stretchesIn(live, frame),
      });
    },
    export({ signal } = {}) {
      check();
      return exportLines(live, context.store, signal);
    },
    async entry(id) {
      check();
      return readEntry(context.store, live.id, id);
    },
    where(id) {
      check();
      return where(live.state, id);
    },
    async at(moment) {
      check();
      await live.written;
      return viewAt({ store: context.store, session: live.id, last: live.state.seq }, moment);
    },
    async diff(before, after) {
      check();
      await live.written;
      const archive = { store: context.store, session: live.id, last: live.state.seq };
      return differenceOf(archive, before, after);
    },
    async raise(checkpoint) {
      check();
      return raiseStep(live, checkpoint);
    },
    snapshots: toSnapshots(live, { store: context.store, check, command }),
    async undo(options) {
      check();
      return goBack(live, { type: 'restore', cause: 'undo', snapshot: null }, options);
    },
    async redo(options) {
      check();
      return goBack(live, { type: 'restore', cause: 'redo', snapshot: null }, options);
    },
    async recall(query, options = {}) {
      check();
      return recallIn({ live, ...context }, query, options);
    },
    async trace(given, options = {}) {
      check();
      return traceIn({ live, ...context }, given, options);
    },
    async expand(ref, options = {}) {
      check();
      return expand({ live, store: context.store }, ref, options);
    },
    tools() {
      check();
      return sessionTools(session, () => live.counter());
    },
    async configure(options) {
      check();
      checkOptions(options);
      context.vet(options);
      await configure(live, options);
      context.adopt(options);
    },
    async report(given) {
      check();
      return report(live, given);
    },
    async sync(history) {
      check();
      return sync(live, context.store, history);
    },
    recover: async ({ from } = {}) => {
      check();
      return from === undefined ? command({ type: 'recover' }, done) : recoverFrom(live, from);
    },
    recovery: {
      confirm: async (answer = true) =>
        command({ type: 'confirm', ...toConfirmation(answer) }, done),
    },
    async compress({ focus = '', signal } = {}) {
      signal?.throwIfAborted();
      await untilAborted(command({ type: 'compress', focus }, done), signal);
      await untilAborted(context.effects.settled(live), signal);
    },
    on: (type: string, listener: (fact: SessionFact) => void) => {
      check();
      if (typeof listener !== 'function') throw new TypeError('A listener is a function');
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

/** The stretches of the log in a frame; throws `FRAME_NOT_FOUND`. */
function stretchesIn({ state }: Live, frame: string): ReturnType<typeof stretchesOf> {
  return stretchesOf(state.runs, frameOf(state.frames, toFrameId(frame)));
}
