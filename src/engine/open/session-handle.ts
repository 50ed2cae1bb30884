import type { Message } from '../../core/messages/message.ts';
import { checkArgument, objectOf, oneOf, signal } from '../../core/values/validation.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import { appendMessages, type AppendOptions } from '../commands/append-command.ts';
import { checkCommandOptions } from '../commands/command-arguments.ts';
import { runCommand, type RunCommand } from '../commands/command.ts';
import { checkOptions, configure, type SessionOptions } from '../commands/configure.ts';
import { sessionClosed } from '../live/live-session.ts';
import type { CommandSession } from '../live/session-access.ts';
import type { HandleContext } from '../session/handle-context.ts';
import { toFrames, toGoal } from '../session/session-frames.ts';
import { toLog } from '../session/session-log.ts';
import { toRecovery } from '../session/session-recovery.ts';
import { toWindow } from '../session/session-window.ts';
import type { Session } from '../session/session.ts';
import { toSessionState } from '../step/session-state.ts';
import { toolsOptions } from '../session/session-tool.ts';
import { sessionTools } from '../tools/tools.ts';
import { toEvents } from '../session/session-events.ts';
import { toPast } from '../session/session-past.ts';

/** What a handle needs of its store beside the session. */
interface OpenHandle extends Omit<HandleContext, 'command'> {
  /** Throws where the summarizer cannot be had. */
  readonly checkSummarizer: (options: SessionOptions) => void;
  /** Takes a summarizer into the store. */
  readonly addSummarizer: (options: SessionOptions) => void;
  /** Gives the session back to its store. */
  readonly release: () => Promise<void>;
}

const settledOptions = objectOf<{ signal?: AbortSignal }>({ signal });

/** A handle on a session. */
export function toHandle(live: CommandSession, shared: OpenHandle): Session {
  const closing = new AbortController();
  const ended = AbortSignal.any([shared.ended, closing.signal]);
  const check = (): void => {
    if (closing.signal.aborted) throw sessionClosed(live.id);
    shared.check();
  };
  const command: RunCommand = async (input, answer, options) => {
    check();
    checkCommandOptions(options);
    return runCommand(live, { input, answer, key: options?.key });
  };
  const context: HandleContext = { ...shared, check, command, ended };

  let cached = { of: live.state, state: toSessionState(live.state) };
  const session: Session = {
    id: live.id,
    get state() {
      if (cached.of !== live.state) cached = { of: live.state, state: toSessionState(live.state) };
      return cached.state;
    },
    append: (async (added: Message | readonly Message[], options: AppendOptions = {}) => {
      check();
      return appendMessages(live, added, options);
    }) as Session['append'],
    ...toWindow(live, context),
    ...toFrames(live, context),
    goal: toGoal(command),
    ...toLog(live, context),
    ...toPast(live, context),
    ...toRecovery(live, context),
    ...toEvents(live, context),
    tools(wanted = 'fitting', options = {}) {
      check();
      checkArgument('tools', wanted, oneOf('fitting', 'all'));
      checkArgument('options', options, toolsOptions);
      const calls = () => live.state.calls;
      return sessionTools(session, wanted, { ...options, counter: () => live.counter(), calls });
    },
    async configure(options) {
      check();
      checkOptions(options);
      shared.checkSummarizer(options);
      await configure(live, options);
      shared.addSummarizer(options);
    },
    async settled(options = {}) {
      check();
      checkArgument('options', options, settledOptions);
      options.signal?.throwIfAborted();
      await untilAborted(context.effects.settled(), options.signal);
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await live.inTurn(() => undefined);
      await live.written.finally(shared.release);
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
  return session;
}
