import type { Message } from '../../core/messages/message.ts';
import type { RecordStore } from '../../store/store.ts';
import { appendMessages, type AppendOptions } from '../commands/append-command.ts';
import type { Clock } from '../live/clock.ts';
import { runCommand, type RunCommand } from '../commands/command.ts';
import { checkCommandOptions } from '../commands/command-check.ts';
import { checkOptions, configure, type SessionOptions } from '../commands/configure.ts';
import type { Effects } from '../effects/effects.ts';
import { sessionClosed, type LiveSession } from '../live/live-session.ts';
import type { SearchIndexes } from '../recall/search-indexes.ts';
import { toFrames, toGoal } from '../session/session-frames.ts';
import { toLog } from '../session/session-log.ts';
import { toRecovery, toEvents } from '../session/session-recovery.ts';
import { toWindow, toPast } from '../session/session-window.ts';
import type { Session } from '../session/session.ts';
import { toSessionState } from '../step/session-state.ts';
import { sessionTools } from '../tools/tools.ts';

/** What a handle needs beside the live session. */
export interface HandleContext {
  readonly store: RecordStore;
  readonly effects: Effects;
  readonly searches: SearchIndexes;
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
export function toSession(live: LiveSession, context: HandleContext): Session {
  const closing = new AbortController();
  const ended = AbortSignal.any([context.ended, closing.signal]);
  const check = (): void => {
    if (closing.signal.aborted) throw sessionClosed(live.id);
    context.check();
  };

  const command: RunCommand = async (input, answer, options) => {
    check();
    checkCommandOptions(options);
    return runCommand(live, { input, answer, key: options?.key });
  };

  const around = { ...context, check, command, ended };

  const session: Session = {
    id: live.id,
    get state() {
      return toSessionState(live.state);
    },
    append: (async (given: Message | readonly Message[], options: AppendOptions = {}) => {
      check();
      return appendMessages(live, given, options);
    }) as Session['append'],
    ...toWindow(live, around),
    ...toFrames(live, around),
    goal: toGoal(command),
    ...toLog(live, around),
    ...toPast(live, around),
    ...toRecovery(live, around),
    ...toEvents(live, around),
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
