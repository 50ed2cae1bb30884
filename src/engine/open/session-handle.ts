import type { Message } from '../../core/messages/message.ts';
import { appendMessages, type AppendOptions } from '../commands/append-command.ts';
import { checkCommandOptions } from '../commands/command-check.ts';
import { runCommand, type RunCommand } from '../commands/command.ts';
import { checkOptions, configure, type SessionOptions } from '../commands/configure.ts';
import type { SessionEffects } from '../effects/effects.ts';
import type { Clock } from '../live/clock.ts';
import { sessionClosed } from '../live/live-session.ts';
import type { CommandSession } from '../live/session-access.ts';
import type { SearchIndexes } from '../recall/search-indexes.ts';
import { toFrames, toGoal } from '../session/session-frames.ts';
import { toLog } from '../session/session-log.ts';
import { toEvents, toRecovery } from '../session/session-recovery.ts';
import { toPast, toWindow } from '../session/session-window.ts';
import type { Session } from '../session/session.ts';
import { toSessionState } from '../step/session-state.ts';
import { sessionTools } from '../tools/tools.ts';

/** What a handle needs beside the session. */
interface HandleContext {
  readonly effects: SessionEffects;
  readonly searches: SearchIndexes;
  /** How long an effect may take, in milliseconds. */
  readonly timeout: number;
  /** Where checkpoint documents go; null for nowhere. */
  readonly documents: string | null;
  readonly clock: Clock;
  /** Throws where the summarizer cannot be had. */
  readonly checkSummarizer: (options: SessionOptions) => void;
  /** Takes a summarizer into the store. */
  readonly addSummarizer: (options: SessionOptions) => void;
  /** Throws where the store is closed. */
  readonly check: () => void;
  /** Aborts when the store is closed. */
  readonly ended: AbortSignal;
  /** Gives the session back to its store. */
  readonly release: () => void;
}

/** A handle on a session. */
export function toHandle(live: CommandSession, context: HandleContext): Session {
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
  const inner = { ...context, check, command, ended };

  const session: Session = {
    id: live.id,
    get state() {
      return toSessionState(live.state);
    },
    append: (async (given: Message | readonly Message[], options: AppendOptions = {}) => {
      check();
      return appendMessages(live, given, options);
    }) as Session['append'],
    ...toWindow(live, inner),
    ...toFrames(live, inner),
    goal: toGoal(command),
    ...toLog(live, inner),
    ...toPast(live, inner),
    ...toRecovery(live, inner),
    ...toEvents(live, inner),
    tools() {
      check();
      return sessionTools(session, () => live.counter());
    },
    async configure(options) {
      check();
      checkOptions(options);
      context.checkSummarizer(options);
      await configure(live, options);
      context.addSummarizer(options);
    },
    async settled() {
      check();
      await context.effects.settled();
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
